#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh BUILD: makes the site, without times, and looks at it in a browser. Where pip cannot get what makes it, or
# there is no Graphviz, the test is skipped and says so.
set -eu
cd "$(dirname "$0")/../.."
skip() {
    echo "$1"
    echo "site: 0 passed, 0 failed, 1 skipped"
    exit 0
}
command -v dot >/dev/null || skip "there is no Graphviz"
scripts/python.sh build/site-python scripts/site/requirements.txt >/dev/null ||
    skip "pip cannot get what makes the site"
scripts/site.sh "$1" "$1/site"
exec python3 tests/site/test_site.py "$1/site" "$1/site-screens"
