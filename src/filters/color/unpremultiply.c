/* SPDX-License-Identifier: MIT */
#define NAME unpremultiply
#define SUMMARY "Divide the colors by alpha, black where alpha is 0; an image without alpha stays as it is"
#define ROLE UNPREMULTIPLY
#define ALPHA ANY
#define INFER divided
#include "filter/pixel.h"
#include "filters/color/alpha_form.h"

BODY {
    float scale = c.w > 1e-30f ? 1.0f / c.w : 0.0f; /* less is nothing, and its reciprocal no number */
    return rgba(c.x * scale, c.y * scale, c.z * scale, c.w);
}
