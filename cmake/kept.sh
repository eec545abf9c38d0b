#!/bin/sh
# SPDX-License-Identifier: MIT
# kept.sh STORE TREE BUILD OUT SOURCE... -- COMMAND...: runs a command that makes OUT from sources, or takes what the same
# command made of the same sources before, in whatever build; of the sources the first counts, all that it includes, and
# scripts. Compiling the kernels takes longer than all the rest, and a tree is built several times: with sanitizers, by
# other compilers. Where the tree and the build lie does not count. The STORE `none` keeps nothing.
set -e
store=$1 tree=$2 build=$3 out=$4
shift 4
sources=
while [ "$1" != -- ]; do
    sources="$sources $1"
    shift
done
shift
if [ "$store" = none ]; then
    exec "$@"
fi
mkdir -p "$store"
# Generated sources name the files of the tree by their whole paths.
key=$({
    { printf '%s\n' "$@"; awk -f "$tree/cmake/included.awk" $sources; } | sed "s|$build|BUILD|g; s|$tree|TREE|g"
    for word in "$@"; do
        case $word in /*) [ -x "$word" ] && [ -f "$word" ] && stat -L -c %s "$word" ;; esac || true
    done
} | sha256sum | cut -c 1-40)
if [ -e "$store/$key" ]; then
    cp "$store/$key" "$out"
    exit
fi
"$@"
cp "$out" "$store/$key.$$"
mv "$store/$key.$$" "$store/$key"
