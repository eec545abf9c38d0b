/* SPDX-License-Identifier: MIT */
#define NAME skin_tone
#define SUMMARY "Turn the hues near that of skin greener or redder, or make them more colorful"
#define EXAMPLE "skin_tone=-0.3"
#define TOLERANCE 1
#define PARAMS                                                                                                         \
    FLOAT(adjust, 0, -0.3, 0.3, "", "below 0 redder, above 0 greener, or more colorful with mode=orange")              \
    FLOAT(hue, 0.05, 0, 1, "turns", "the hue of skin")                                                                 \
    FLOAT(hue_threshold, 40, 0, 10000, "", "how fast the effect falls off away from that hue")                         \
    FLOAT(max_hue_shift, 0.25, 0, 1, "turns", "hue that adjust=1 turns")                                               \
    FLOAT(max_saturation_shift, 0.4, 0, 1, "", "saturation that adjust=1 adds")                                        \
    CHOICE(mode, 0, "green|orange", "what above 0 means")
#include "filter/pixel.h"

/* One channel of a hue, saturation and value. */
FN float part(float turns, float s, float v) {
    float ramp = abs(6.0f * (turns - floor(turns)) - 3.0f);
    return v * (1.0f - s + s * clamp(ramp - 1.0f, 0.0f, 1.0f));
}
BODY {
    float most = max(c.x, max(c.y, c.z)), least = min(c.x, min(c.y, c.z)), span = most - least;
    float over = 1.0f / (span > 0.0f ? span : 1.0f);
    float sector = most <= c.y ? 2.0f + (c.z - c.x) * over : 4.0f + (c.x - c.y) * over;
    float h = (most <= c.x ? (c.y - c.z) * over : sector) / 6.0f, s = span / (most > 0.0f ? most : 1.0f);
    h = span > 0.0f ? h - floor(h) : 0.0f;
    float d = h - P.hue, apart = 2.0f * abs(d - floor(d + 0.5f));
    float weight = P.adjust * exp(-apart * apart * P.hue_threshold);
    float richer = P.mode == 1 && P.adjust > 0.0f ? 1.0f : 0.0f;
    s = richer > 0.0f ? s + weight * P.max_saturation_shift : s;
    h = richer > 0.0f ? h : h + weight * P.max_hue_shift;
    return rgba(part(h, s, most), part(h + 0.66666667f, s, most), part(h + 0.33333333f, s, most), c.w);
}
