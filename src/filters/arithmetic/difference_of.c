/* SPDX-License-Identifier: MIT */
#define NAME difference_of
#define SUMMARY "The first image less the second, color by color; alpha is the first's"
#define EXAMPLE "split[a][b];[b]gaussian=4[c];[a][c]difference_of,brightness=0.5"
#include "filter/pixel2.h"

BODY { return rgba(base.x - over.x, base.y - over.y, base.z - over.z, base.w); }
