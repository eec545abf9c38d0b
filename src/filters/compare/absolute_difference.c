/* SPDX-License-Identifier: MIT */
#define NAME absolute_difference
#define SUMMARY "By how much two images differ, color by color; alpha is the first's"
#define ALIASES "absdiff"
#define EXAMPLE "split[a][b];[b]gaussian=3[c];[a][c]absolute_difference,exposure=2"
#include "filter/pixel2.h"

BODY { return rgba(abs(base.x - over.x), abs(base.y - over.y), abs(base.z - over.z), base.w); }
