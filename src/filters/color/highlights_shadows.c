/* SPDX-License-Identifier: MIT */
#define NAME highlights_shadows
#define SUMMARY "Brighten the shadows and darken the highlights, each by itself"
#define ALIASES "highlight_shadow"
#define EXAMPLE "highlights_shadows=0.6:0.5"
#define TOLERANCE 1e-4
#define PARAMS                                                                                                         \
    FLOAT(shadows, 0, 0, 1, "", "0 keeps the shadows, 1 brightens them most")                                          \
    FLOAT(highlights, 1, 0, 1, "", "1 keeps the highlights, 0 darkens them most")
#include "filter/pixel.h"

BODY {
    float light = 0.3f * (c.x + c.y + c.z), dark = 1.0f - light;
    float rise = 1.0f / (P.shadows + 1.0f), fall = 1.0f / (2.0f - P.highlights);
    float shadow = clamp(pow(light, rise) - 0.76f * pow(light, 2.0f * rise) - light, 0.0f, 1.0f);
    float highlight = clamp(1.0f - (pow(dark, fall) - 0.8f * pow(dark, 2.0f * fall)) - light, -1.0f, 0.0f);
    float share = light > 0.0f ? 1.0f + (shadow + highlight) / light : 1.0f;
    return rgba(c.x * share, c.y * share, c.z * share, c.w);
}
