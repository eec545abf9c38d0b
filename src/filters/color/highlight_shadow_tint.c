/* SPDX-License-Identifier: MIT */
#define NAME highlight_shadow_tint
#define SUMMARY "Tint the shadows in one color and the highlights in another"
#define EXAMPLE "highlight_shadow_tint=0.4:0.4:0|0.1|0.4|1:1|0.7|0.3|1"
#define CHANNELS COLOR
#define PARAMS                                                                                                         \
    FLOAT(shadow_intensity, 0, 0, 1, "", "0 leaves the shadows as they are")                                           \
    FLOAT(highlight_intensity, 0, 0, 1, "", "0 leaves the highlights as they are")                                     \
    COLOR(shadow_color, 1, 0, 0, 1, 0, 1, "color of the shadows")                                                      \
    COLOR(highlight_color, 0, 0, 1, 1, 0, 1, "color of the highlights")
#include "filter/pixel.h"

FN float tint(float v, float y, float shadow, float highlight, float dark, float bright) {
    float low = mix(v, max(v, mix(shadow, v, y)), dark);
    float high = mix(v, min(low, mix(low, highlight, y)), bright);
    return mix(low, high, y);
}
BODY {
    float y = luminance(c);
    return rgba(tint(c.x, y, P.shadow_color.x, P.highlight_color.x, P.shadow_intensity, P.highlight_intensity),
                tint(c.y, y, P.shadow_color.y, P.highlight_color.y, P.shadow_intensity, P.highlight_intensity),
                tint(c.z, y, P.shadow_color.z, P.highlight_color.z, P.shadow_intensity, P.highlight_intensity), c.w);
}
