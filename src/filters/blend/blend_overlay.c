/* SPDX-License-Identifier: MIT */
#define NAME blend_overlay
#define SUMMARY "Multiply where the first image is dark, screen where it is bright: more contrast"
#define EXAMPLE "split[a][b];[b]gaussian=12[c];[a][c]blend_overlay"
#define COMPAT_ALPHA 1.0f
#include "filter/blend.h"

BODY { return b <= 0.5f ? 2.0f * b * s : 1.0f - 2.0f * (1.0f - b) * (1.0f - s); }
COMPAT { return 2.0f * b < ba ? 2.0f * s * b + rest : sa * ba - 2.0f * (ba - b) * (sa - s) + rest; }
