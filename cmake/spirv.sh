#!/bin/sh
# SPDX-License-Identifier: MIT
# spirv.sh CC GLSLANG SPIRV_OPT SRC GENERATED SOURCE OUT THREADS_X THREADS_Y [DEFINE]: the C preprocessor, glslang, spirv-opt. -undef: `linux`
# and `unix` are names. Sources that name matrix_cooperative.h get its extensions, and FLOAT16 those of half floats. Nothing is inlined here: programs are folded when a
# pipeline is made, and what they do not use goes first. -g0: with names in modules spirv-opt takes seven times as long.
set -e
{
    printf '%s\n' '#version 460'
    for extension in GL_EXT_scalar_block_layout GL_EXT_buffer_reference GL_EXT_shader_8bit_storage \
        GL_EXT_shader_16bit_storage GL_EXT_shader_explicit_arithmetic_types_int64 GL_EXT_control_flow_attributes; do
        printf '#extension %s : require\n' $extension
    done
    if grep -q '"kernels/gpu/matrix_cooperative.h"' "$6"; then
        printf '#extension %s : require\n' GL_KHR_memory_scope_semantics \
            GL_EXT_shader_explicit_arithmetic_types_float16 GL_NV_cooperative_matrix
    fi
    if [ "${10:-}" = FLOAT16 ]; then
        printf '#extension %s : require\n' GL_EXT_shader_explicit_arithmetic_types_float16
    fi
    "$1" -E -P -undef -nostdinc -DGLSL -DTHREADS_X="$8" -DTHREADS_Y="$9" ${10:+"-D${10}"} -I"$4" -I"$5" -x c "$6"
} >"$7.comp"
"$2" --quiet -V -g0 --target-env vulkan1.2 -S comp -o "$7.raw" "$7.comp"
"$3" --target-env=vulkan1.2 --scalar-block-layout --eliminate-dead-functions --eliminate-local-single-block \
    --eliminate-local-single-store --eliminate-dead-code-aggressive --simplify-instructions --eliminate-dead-variables \
    --compact-ids "$7.raw" -o "$7"
rm -f "$7.raw"
