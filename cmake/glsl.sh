#!/bin/sh
# glsl.sh CC GLSLANG INCLUDE SOURCE OUT: the C preprocessor, then glslangValidator. -undef: `linux` and `unix` are names.
set -e
{
    printf '%s\n' '#version 460' '#extension GL_EXT_scalar_block_layout : require'
    "$1" -E -P -undef -nostdinc -DGLSL -I"$3" -x c "$4"
} >"$5.comp"
"$2" --quiet -V --target-env vulkan1.2 -S comp -o "$5" "$5.comp"
