/* SPDX-License-Identifier: MIT */
#define NAME bilateral_sum
#define SUMMARY "Add all channels of two images as they are"
#define STEP_OF "bilateral_levels"
#define EXAMPLE "split[a][b];[b]gaussian=8,brightness=-0.4[c];[a][c]bilateral_sum"
#define ALPHA PREMULTIPLIED
#include "filter/pixel2.h"

BODY { return rgba(base.x + over.x, base.y + over.y, base.z + over.z, base.w + over.w); }
