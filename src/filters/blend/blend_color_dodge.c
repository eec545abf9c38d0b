/* SPDX-License-Identifier: MIT
 * Over black the result jumps where the second image reaches white. */
#define NAME blend_color_dodge
#define SUMMARY "Brighten the first image to reflect the second: white in the second makes white"
#define EXAMPLE "split[a][b];[b]gaussian=12[c];[a][c]blend_color_dodge=0.5"
#define TOLERANCE 1
#define COMPAT_ALPHA 1.0f
#include "filter/blend.h"

BODY { return b <= 0.0f ? 0.0f : (b < 1.0f - s ? b / (1.0f - s) : 1.0f); }
COMPAT {
    float share = clamp(s / clamp(sa, 0.01f, 1.0f), 0.0f, 0.99f);
    return (s * ba + b * sa <= sa * ba ? b * sa / (1.0f - share) : sa * ba) + rest;
}
