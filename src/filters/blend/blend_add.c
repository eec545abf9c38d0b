/* SPDX-License-Identifier: MIT */
#define NAME blend_add
#define SUMMARY "Add two images: as two projectors on one screen, at most white"
#define ALIASES "blend_lighter"
#define EXAMPLE "split[a][b];[b]gaussian=12,brightness=-0.5[glow];[a][glow]blend_add"
#include "filter/blend.h"

BODY { return min(1.0f, b + s); }
COMPAT { return s * ba + b * sa >= sa * ba ? sa * ba + rest : s + b; }
