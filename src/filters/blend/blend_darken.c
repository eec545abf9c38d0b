/* SPDX-License-Identifier: MIT */
#define NAME blend_darken
#define SUMMARY "Keep the darker of two images, channel by channel"
#define EXAMPLE "split[a][b];[b]gaussian=12[c];[a][c]blend_darken"
#define COMPAT_ALPHA 1.0f
#include "filter/blend.h"

BODY { return min(b, s); }
COMPAT { return min(s * ba, b * sa) + rest; }
