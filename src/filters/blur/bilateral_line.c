/* SPDX-License-Identifier: MIT
 * Of each pass 9 pixels count, from 4 before to 4 after, a spacing apart. */
#define NAME bilateral_line
#define SUMMARY "A mean of 9 pixels of a line, of which those of similar color count more"
#define STEP_OF "bilateral_1d"
#define EXAMPLE "bilateral_line=2,bilateral_line=2:axis=y"
#define TOLERANCE 1e-5
#define PARAMS                                                                                                         \
    FIXED_INT(texel_spacing, 4, 1, 250, "px", "from one of the pixels to the next")                                          \
    FLOAT(distance_normalization, 8, 0, 1000, "", "colors as far apart as its inverse, and farther, do not count")     \
    FIXED_CHOICE(axis, 0, "x|y", "the line's direction")
#include "filter/window.h"

SHARE {
    float spacing = to_float(P.texel_spacing), at = abs(dx + dy) / spacing, near = floor(at + 0.5f);
    float weight = at < 0.5f ? 0.18f : at < 1.5f ? 0.15f : at < 2.5f ? 0.12f : at < 3.5f ? 0.09f : 0.05f;
    return abs(at - near) * spacing < 0.5f ? weight : 0.0f;
}

BODY {
    float x = center.x - neighbor.x, y = center.y - neighbor.y, z = center.z - neighbor.z, w = center.w - neighbor.w;
    return 1.0f - min(P.distance_normalization * sqrt(x * x + y * y + z * z + w * w), 1.0f);
}

#ifdef PART_DESCRIPTOR
static int32_t reach(const void *block, enum weft_direction direction) {
    const struct BLOCK *p = block;
    return (p->axis == 0) == (direction == WEFT_X) ? 4 * p->texel_spacing : 0;
}
#endif
