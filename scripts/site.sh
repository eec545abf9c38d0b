#!/bin/sh
# SPDX-License-Identifier: MIT
# site.sh BUILD OUT [measure]: the documentation as a site, into the folder OUT. With `measure` every filter's example
# is timed beside a copy of the same bytes, once for each build of the tool.
set -eu
cd "$(dirname "$0")/.."
weft=$1/weft
out=$2
measures=
if [ "${3:-}" = measure ]; then
    measures=$1/measures.json
    if [ ! -e "$measures" ] || [ "$weft" -nt "$measures" ]; then
        echo "timing every filter's example beside a copy"
        "$weft" bench --all --json --seconds 0.05 --size 1280x720 >"$measures.part"
        mv "$measures.part" "$measures"
    fi
fi
python=$(scripts/python.sh build/site-python scripts/site/requirements.txt)
exec "$python" scripts/site/make.py "$weft" "$out" ${measures:+"$measures"}
