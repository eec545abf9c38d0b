/* SPDX-License-Identifier: MIT */
#define NAME blend_lighten
#define SUMMARY "Keep the brighter of two images, channel by channel"
#define EXAMPLE "split[a][b];[b]gaussian=12[c];[a][c]blend_lighten"
#define COMPAT_ALPHA max(ba, sa)
#include "filter/blend.h"

BODY { return max(b, s); }
COMPAT { return max(b, s); }
