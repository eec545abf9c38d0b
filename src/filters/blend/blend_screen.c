/* SPDX-License-Identifier: MIT */
#define NAME blend_screen
#define SUMMARY "Multiply the negatives of two images: as light on light, never darker"
#define EXAMPLE "split[a][b];[b]gaussian=12[glow];[a][glow]blend_screen=0.6"
#include "filter/blend.h"

BODY { return b + s - b * s; }
COMPAT { return 1.0f - (1.0f - s) * (1.0f - b); }
