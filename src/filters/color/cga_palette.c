/* SPDX-License-Identifier: MIT
 * Of colors as near as one another the first of these wins, also where they differ by no more than rounding. */
#define NAME cga_palette
#define SUMMARY "Show each pixel in the nearest of black, white, cyan and magenta"
#define STEP_OF "cga_colorspace"
#define EXAMPLE "resize=320,cga_palette"
#define CHANNELS COLOR
#define TOLERANCE 1
#include "filter/pixel.h"

BODY {
    /* Twice the product with each color less its square: largest for the nearest. Cyan against magenta is red against
     * green. */
    float low = min(c.x, c.y), high = max(c.x, c.y), third = 0.33333333f;
    float white = 2.0f * (c.x + c.y + c.z) - 3.0f, tinted = 2.0f * (third * low + high + c.z) - 2.1111111f;
    float dark = max(white, tinted) <= 1e-6f ? 1.0f : 0.0f, light = tinted <= white + 1e-6f ? 1.0f : third;
    float r = dark > 0.0f ? 0.0f : (c.x <= c.y ? light : 1.0f), g = dark > 0.0f ? 0.0f : (c.x <= c.y ? 1.0f : light);
    return rgba(r, g, dark > 0.0f ? 0.0f : 1.0f, c.w);
}
