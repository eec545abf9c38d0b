/* SPDX-License-Identifier: MIT
 * Under black the result jumps where the first image reaches white. */
#define NAME blend_color_burn
#define SUMMARY "Darken the first image to reflect the second: black in the second makes black"
#define EXAMPLE "split[a][b];[b]gaussian=12[c];[a][c]blend_color_burn=0.6"
#define TOLERANCE 1
#define COMPAT_ALPHA (sa > 0.0f ? 1.0f - (1.0f - ba) / sa : (ba >= 1.0f ? 1.0f : 0.0f))
#include "filter/blend.h"

BODY { return b >= 1.0f ? 1.0f : (s > 1.0f - b ? 1.0f - (1.0f - b) / s : 0.0f); }
COMPAT { return s > 0.0f ? 1.0f - (1.0f - b) / s : (b >= 1.0f ? 1.0f : 0.0f); }
