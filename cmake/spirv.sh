#!/bin/sh
# SPDX-License-Identifier: MIT
# spirv.sh CC GLSLANG SPIRV_OPT STORE SRC GENERATED SOURCE OUT THREADS_X THREADS_Y [DEFINE...]: the C preprocessor, glslang,
# spirv-opt. In the folder STORE, unless it is none, lies what they made of each text, so that builds side by side make it once;
# what C preprocessors have of blanks does not count.
# -undef: `linux` and `unix` are names. Sources that name mma_cooperative.h get its extensions, and FLOAT16 those of half floats.
# Nothing is inlined here: programs are folded when a pipeline is made, and what they do not use goes first. -g0: with names in modules
# spirv-opt takes seven times as long. UNROLLED: loops that say UNROLL are unrolled here, and arrays become numbers, for drivers that
# leave arrays in memory where their loops are long. Twice, since a loop inside another is unrolled first.
set -e
preprocessor=$1 glslang=$2 optimizer=$3 store=$4
shift 4
folder=$1 generated=$2 source=$3 out=$4
defines="-DTHREADS_X=$5 -DTHREADS_Y=$6"
shift 6
passes='--eliminate-dead-functions --eliminate-local-single-block --eliminate-local-single-store'
unroll='--ssa-rewrite --ccp --loop-unroll --ccp --simplify-instructions --eliminate-dead-branches'
float16=
for define in "$@"; do
    defines="$defines -D$define"
    case $define in
    FLOAT16) float16=yes ;;
    UNROLLED) passes="$passes $unroll $unroll --scalar-replacement=0 --ssa-rewrite" ;;
    esac
done
{
    printf '%s\n' '#version 460'
    for extension in GL_EXT_scalar_block_layout GL_EXT_buffer_reference GL_EXT_shader_8bit_storage \
        GL_EXT_shader_16bit_storage GL_EXT_shader_explicit_arithmetic_types_int64 GL_EXT_control_flow_attributes; do
        printf '#extension %s : require\n' $extension
    done
    if grep -q '"kernels/gpu/mma/mma_cooperative.h"' "$source"; then
        printf '#extension %s : require\n' GL_KHR_memory_scope_semantics \
            GL_EXT_shader_explicit_arithmetic_types_float16 GL_NV_cooperative_matrix
    fi
    if [ "$float16" ]; then
        printf '#extension %s : require\n' GL_EXT_shader_explicit_arithmetic_types_float16
    fi
    "$preprocessor" -E -P -undef -nostdinc -MD -MF "$out.d" -MT "$out" -DGLSL $defines -I"$folder" -I"$generated" -x c "$source"
} >"$out.comp"
kept=
if [ "$store" != none ] && command -v sha256sum >/dev/null && mkdir -p "$store"; then
    key=$({ tr -s ' \t\n' '\n' <"$out.comp" && cat "$0" && echo "$passes" && stat -L -c '%n %s %Y' "$glslang" "$optimizer"; } | sha256sum)
    kept=$store/${key%% *}.spv
fi
if [ "$kept" ] && cp "$kept" "$out" 2>/dev/null; then
    exit
fi
"$glslang" --quiet -V -g0 --target-env vulkan1.2 -S comp -o "$out.raw" "$out.comp"
"$optimizer" --target-env=vulkan1.2 --scalar-block-layout $passes --eliminate-dead-code-aggressive --simplify-instructions \
    --eliminate-dead-variables --compact-ids "$out.raw" -o "$out"
rm -f "$out.raw"
if [ "$kept" ]; then # by another name first: builds side by side may make the same
    cp "$out" "$kept.$$" && mv "$kept.$$" "$kept"
fi
