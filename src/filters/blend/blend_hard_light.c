/* SPDX-License-Identifier: MIT */
#define NAME blend_hard_light
#define SUMMARY "Multiply where the second image is dark and screen where it is bright: as a harsh spotlight"
#define EXAMPLE "split[a][b];[b]gaussian=12,contrast=1.5[c];[a][c]blend_hard_light=0.7"
#define COMPAT_ALPHA 1.0f
#include "filter/blend.h"

BODY { return s <= 0.5f ? 2.0f * b * s : 1.0f - 2.0f * (1.0f - b) * (1.0f - s); }
COMPAT { return 2.0f * s < sa ? 2.0f * s * b + rest : sa * ba - 2.0f * (ba - b) * (sa - s) + rest; }
