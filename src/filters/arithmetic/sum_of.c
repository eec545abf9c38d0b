/* SPDX-License-Identifier: MIT */
#define NAME sum_of
#define SUMMARY "The sum of two images, color by color; alpha is the first's"
#define EXAMPLE "split[a][b];[a][b]sum_of,contrast=0.5"
#include "filter/pixel2.h"

BODY { return rgba(base.x + over.x, base.y + over.y, base.z + over.z, base.w); }
