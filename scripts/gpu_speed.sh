#!/bin/sh
# SPDX-License-Identifier: MIT
# gpu_speed.sh BUILD [SIZE [WORD...]]: times the graphs of bench/gpu_targets.txt on every GPU of this machine that is not
# software (WEFT_GPUS names others), with images that stay in its memory, beside a copy of the same bytes, and prints a
# table of ratios as Markdown: one row a graph and format, one column a GPU, targets beside them, what misses its target
# marked. Last comes what a plan of three passes takes from the start of a run to its end, in microseconds. Only graphs that
# hold one of the words where some are given. Four channels are data unless WEFT_ALPHA=straight. It needs nothing but a shell
# and awk, so that a build can be carried to a machine with a GPU.
set -eu
build=$1
size=${2:-7680x4320}
[ $# -lt 2 ] && shift 1 || shift 2
targets=$(dirname "$0")/../bench/gpu_targets.txt
seconds=${WEFT_SECONDS:-0.15}
alpha=${WEFT_ALPHA:-none}
gpus=${WEFT_GPUS:-$("$build/weft" devices | grep -E '^(cuda|vulkan)' | grep -v -e 'not available' -e software |
    awk '{ print $1 }')}
if [ -z "$gpus" ]; then
    echo "gpu_speed: no GPU here; WEFT_GPUS=vulkan times a software one" >&2
    exit 1
fi

wanted() {
    [ $# = 1 ] && return
    graph=$1
    shift
    for word in "$@"; do
        case $graph in *"$word"*) return ;; esac
    done
    return 1
}

# figure KEY TARGET GPU SIZE FORMAT GRAPH: what bench says by that key, as a cell of the table.
figure() {
    found=$("$build/weft" bench --json --device "$3" --size "$4" --format "$5" --alpha "$alpha" --seconds "$seconds" "$6" \
        2>&1 </dev/null | sed -n "s/.*\"$1\": \([0-9.]*\).*/\1/p")
    awk -v r="${found:-failed}" -v t="$2" \
        'BEGIN { if (r == "failed") print "**failed**"; else printf (r + 0 > t + 0 ? "**%.2f**" : "%.2f"), r }'
}

echo "$size, alpha $alpha, ratios to a copy of the same bytes in the same run"
echo
printf '| graph | format | target |'
for gpu in $gpus; do printf ' %s |' "$gpu"; done
printf '\n|---|---|---|'
for gpu in $gpus; do printf -- '---|'; done
echo
grep -v '^#' "$targets" | while IFS=';' read -r formats target graphs; do
    for graph in $graphs; do
        wanted "$graph" "$@" || continue
        for format in $formats; do
            row="| \`$(printf %s "$graph" | sed 's/|/\\|/g')\` | $format |$target |"
            for gpu in $gpus; do
                row="$row $(figure ratio "$target" "$gpu" "$size" "$format" "$graph") |"
            done
            echo "$row"
        done
    done
done

three=gaussian=1.34:radius=4,median=1,sobel
if wanted "$three" "$@"; then
    row="| \`$three\`, 1920x1080, microseconds alone | u8x4 | 25 |"
    for gpu in $gpus; do
        row="$row $(figure alone_us 25 "$gpu" 1920x1080 u8x4 "$three") |"
    done
    echo "$row"
fi
