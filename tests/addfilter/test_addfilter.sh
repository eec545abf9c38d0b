#!/bin/sh
# SPDX-License-Identifier: MIT
# A new point filter costs one file of at most 25 lines: takes the one that CONTRIBUTING.md shows, puts it into a copy
# of the tree, builds the copy and tries the filter. The copy stays in build/addfilter, so that the next time is short.
set -eu
cd "$(dirname "$0")/../.."
here=$PWD
place=$here/build/addfilter
tree=$place/tree
passed=0
failed=0
check() { # WORDS COMMAND...
    words=$1
    shift
    if "$@" >"$place/said" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "failed: $words"
        sed 's/^/    /' "$place/said" | tail -n 20
    fi
}
finish() {
    echo "addfilter: $passed passed, $failed failed"
    [ "$failed" = 0 ] && [ "$passed" != 0 ]
    exit
}

# A copy whose files keep their times: what did not change is not built again.
rm -rf "$tree"
mkdir -p "$tree"
if [ -e .git ] && command -v git >/dev/null; then
    git ls-files --cached --others --exclude-standard
else
    find . \( -path ./build -o -path ./out -o -path ./.git \) -prune -o -type f -print
fi | while read -r name; do
    [ -f "$name" ] && echo "$name"
done >"$place/names"
tar cf - -T "$place/names" | tar xf - -C "$tree"

# The file: the first C program of CONTRIBUTING.md, under the name that it gives itself.
awk '/^```/ { if (inside) exit; inside = $0 == "```c"; next } inside' CONTRIBUTING.md >"$place/filter.c"
name=$(sed -n 's/^#define NAME //p' "$place/filter.c")
file=src/filters/color/$name.c
check "the filter has a name" test -n "$name"
check "no filter has this name yet" test ! -e "$tree/$file"
check "the file has at most 25 lines" test "$(wc -l <"$place/filter.c")" -le 25
check "CONTRIBUTING.md says where it goes" grep -qF "$file" CONTRIBUTING.md
if ! cmp -s "$place/filter.c" "$place/kept.c"; then
    cp "$place/filter.c" "$place/kept.c"
fi
cp -p "$place/kept.c" "$tree/$file"

# Configured as build/release is, which make test has made of this tree, and with its objects: what is compiled is the filter, for
# every instruction set, and what CMake writes of all filters; for Vulkan too, where its compiler is there. CUDA's text is compiled
# when a plan is made.
built=$here/build/release
[ -e "$built/CMakeCache.txt" ] || check "the tree builds" scripts/build.sh release weft_tool tests/harness
configure() {
    sed -n 's/^\(WEFT_[A-Z_]*\|CMAKE_C_COMPILER\|CMAKE_BUILD_TYPE\):\([A-Z]*=\)/-D\1:\2/p' "$built/CMakeCache.txt" | tr '\n' '\0' |
        xargs -0 cmake -S "$tree" -B "$place/build" -G Ninja "-DCMAKE_C_COMPILER_LAUNCHER=$tree/tests/addfilter/taken.sh;$built"
}
check "it configures" configure
check "it builds" ninja -C "$place/build" weft_tool harness
weft=$place/build/weft
[ -x "$weft" ] || finish

check "weft list knows it" sh -c "'$weft' list | grep -q '^ *$name '"
summary=$(sed -n 's/^#define SUMMARY "\(.*\)"/\1/p' "$place/filter.c")
check "weft help shows its summary" sh -c "'$weft' help $name | grep -qxF '$name: $summary'"
check "weft help shows its parameter" sh -c "'$weft' help $name | grep -q '^  amount=0 '"
# Two pixels, (100 100 100) and (200 50 20): amount 0.5 makes red 1.15 times and blue 0.85 times as much.
cd "$place"
printf 'P6\n2 1\n255\n\144\144\144\310\062\024' >in.ppm
check "it filters" "$weft" run in.ppm "$name=0.5" out.ppm
check "its pixels are right" sh -c "[ \"\$(tail -c 6 out.ppm | od -An -tu1 | tr -s ' ')\" = ' 115 100 85 230 50 17' ]"
check "amount 0 keeps the image" sh -c "'$weft' run in.ppm '$name=amount=0' same.ppm && cmp in.ppm same.ppm"
check "it joins the pass of its neighbors" sh -c "'$weft' plan 'gaussian=2,$name=0.5,contrast=1.2' | grep -q '^1 pass '"
check "a value out of range is refused" sh -c "'$weft' run in.ppm '$name=2' no.ppm; [ \$? = 2 ] && [ ! -e no.ppm ]"
check "it agrees with the reference in every format" "$place/build/tests/harness" --filter "$name" --quick
check "it needs no row among the measured errors" python3 "$tree/bench/accuracy.py" --check --weft "$weft"
# On every GPU that is there, by the same file: a software one does.
"$weft" devices | sed -n '/not available:/d; s/^\(\(cuda\|vulkan\)[^ ]*\).*/\1/p' >gpus
while read -r gpu; do
    check "it filters on $gpu" "$weft" run --device "$gpu" in.ppm "$name=0.5" "$gpu.ppm"
    check "its pixels are the same on $gpu" cmp out.ppm "$gpu.ppm"
    check "it agrees with the reference on $gpu" \
        "$place/build/tests/harness" --device "$gpu" --filter "$name" --quick --threads 1
done <gpus
finish
