/* SPDX-License-Identifier: MIT */
#define NAME unpremultiply_hidden
#define SUMMARY "Divide the colors by alpha, and set it to 0 where it is next to nothing"
#define STEP_OF "every warp that mixes pixels"
#define ROLE UNPREMULTIPLY_HIDDEN
#define ALPHA ANY
#define INFER divided
#include "filter/pixel.h"
#include "filters/color/alpha_form.h"
#include "filter/help/hidden.h"

BODY {
    float scale = c.w > 1e-35f ? 1.0f / c.w : 0.0f; /* less is nothing, and its reciprocal no number */
    return rgba(c.x * scale, c.y * scale, c.z * scale, seen_alpha(c.w));
}
