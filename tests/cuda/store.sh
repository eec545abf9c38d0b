#!/bin/sh
# SPDX-License-Identifier: MIT
# store.sh BUILD: what is kept of compiled kernels, on the emulated device: that it is used, that what is damaged is not and is
# replaced, that processes may begin at once on an empty folder, that one that is killed leaves a folder that works, and that a
# pack does where there is no compiler. run.sh sets the environment.
set -u
weft=$1/weft
photo=$(dirname "$0")/../../examples/photo.jpg
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export WEFT_KERNEL_CACHE=$folder/kernels
passed=0 failed=0
check() { # WORDS STATUS
    if [ "$2" = 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "store.sh: failed: $1"
    fi
}
plan() { "$weft" plan --device cuda:0 --size 100x80 gaussian=1.5,median=1,sobel >"$folder/said" 2>&1; }
refused() { # The compiler refuses everything: kernels must come from elsewhere.
    WEFT_EMULATED_REFUSE=1 plan
}
first() { find "$WEFT_KERNEL_CACHE" -name '*.kernel' | sort | sed -n "${1}p"; }

! refused
check "a compiler that refuses is an error" $?
grep -q "NVRTC 13.0 refuses the kernel" "$folder/said"
check "the error says so" $?
plan
check "the first plan" $?
refused
check "the second plan takes what the first one compiled" $?
printf nonsense >"$(first 1)"
! refused
check "a file of nonsense is not taken" $?
plan && refused
check "but replaced" $?
dd if=/dev/null of="$(first 1)" bs=1 seek=200 2>/dev/null
: >"$(first 2)"
cp "$(first 3)" "$folder/other" && printf X | dd of="$(first 3)" bs=1 seek=170 conv=notrunc 2>/dev/null
! refused
check "nor are files cut short, empty and changed" $?
plan && refused
check "and replaced" $?
"$weft" kernels | grep -q 'cached *compute capability 7.5 .* rank'
check "the list has them" $?

rm -rf "$WEFT_KERNEL_CACHE"
plan &
one=$!
"$weft" plan --device cuda:0 --size 100x80 gaussian=1.5,median=1,sobel >/dev/null 2>&1
check "a process beside another on an empty folder" $?
wait $one
check "and the other" $?
refused
check "what they left" $?

for delay in 0.02 0.05 0.1 0.2 0.4; do
    rm -rf "$WEFT_KERNEL_CACHE"
    plan &
    one=$!
    sleep $delay
    kill -9 $one 2>/dev/null
    wait $one 2>/dev/null
    plan && refused
    check "after one that was killed in $delay s" $?
done

"$weft" kernels --clear >"$folder/said" && ! first 1 | grep -q .
check "clearing the folder" $?
"$weft" kernels --warm --device cuda:0 --size 100x80 gaussian=1.5,median=1,sobel && refused
check "warming it" $?

rm -rf "$WEFT_KERNEL_CACHE"
WEFT_EMULATED_DEVICES=0 "$weft" kernels --pack "$folder/pack" --arch 75,90 --size 100x80 gaussian=1.5,median=1,sobel gaussian=9
check "a pack is made without a device" $?
! "$weft" kernels --pack "$folder/twelve" --arch 12 invert 2>"$folder/said"
check "of an architecture that the compiler does not know" $?
grep -q 'makes no code for architecture 12; it does for 75, 80' "$folder/said" && [ ! -e "$folder/twelve" ]
check "the error says so" $?
! "$weft" kernels --pack "$folder/none/pack" --arch 75 invert 2>"$folder/said"
check "in a folder that is not there" $?
grep -q 'cannot be written: No such file' "$folder/said"
check "the error says so, too" $?
rm -rf "$WEFT_KERNEL_CACHE"
export WEFT_NVRTC=none
! plan
check "without a compiler and a pack" $?
grep -q "install NVRTC" "$folder/said"
check "the error says what to install" $?
"$weft" devices | grep '^cuda' | grep -q 'not available: no compiler of kernels: install NVRTC'
check "and so does the list of devices" $?
export WEFT_KERNEL_PACK=$folder/pack
plan
check "with a pack" $?
WEFT_EMULATED_CAPABILITY=90 plan
check "with a pack for several" $?
! WEFT_EMULATED_CAPABILITY=80 plan
check "kernels of another generation are not taken" $?
WEFT_EMULATED_CAPABILITY=90 "$weft" run --device cuda:0 "$photo" gaussian=9 "$folder/out.png"
check "a kernel that goes by the image's size is in it for many devices" $?
"$weft" kernels | grep -q 'packed *compute capability 9.0'
check "the list has what is packed" $?
unset WEFT_KERNEL_PACK
! WEFT_KERNEL_PACK=$folder/said plan
check "with a pack that is none" $?
echo "store: $passed passed, $failed failed"
[ "$failed" = 0 ]
