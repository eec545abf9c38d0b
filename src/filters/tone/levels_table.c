/* SPDX-License-Identifier: MIT */
#define NAME levels_table
#define SUMMARY "By a cumulative histogram stretch the used levels over all"
#define STEP_OF "auto_levels"
#define EXAMPLE "histogram=64[h];gradient=width=64:height=1[ramp];[ramp][h]levels_table"
#define TOLERANCE 1 /* where the count of a bin is just the share that is clipped */
#define PARAMS                                                                                                         \
    FLOAT(clip, 0.005, 0, 0.49, "", "share of the pixels at either end that becomes black or white")                   \
    CHOICE(channels, 0, "together|each", "one stretch for all channels, or one for each")
#define FORMS 1
#include "filter/lookup.h"

FORM { return 0; }
/* How many of `all` pixels are clipped. Counts are whole numbers: one that is whole but for rounding is taken for whole. */
FN float clipped(float clip, float all) { return floor(clip * all + 0.01f); }
FN float least(vec4 v) { return min(v.x, min(v.y, v.z)); }
FN float most(vec4 v) { return max(v.x, max(v.y, v.z)); }
/* 0: the first level that stays, 1: the last one, as parts of the whole table; 2 is not used. */
SETUP {
    float last = max(to_float(table.width - 1), 1.0f);
    vec4 all = TABLE(table.width - 1, 0), low = rgba(1.0f, 1.0f, 1.0f, 1.0f), high = rgba(0.0f, 0.0f, 0.0f, 1.0f);
    for (int i = table.width - 1; i >= 0; i--) {
        vec4 v = TABLE(i, 0), before = TABLE(i - 1, 0);
        float where = to_float(i) / last, on = i > 0 ? 1.0f : 0.0f;
        low = rgba(v.x > clipped(P.clip, all.x) ? where : low.x, v.y > clipped(P.clip, all.y) ? where : low.y,
                   v.z > clipped(P.clip, all.z) ? where : low.z, 1.0f);
        high = rgba(max(high.x, all.x - on * before.x > clipped(P.clip, all.x) ? where : 0.0f),
                    max(high.y, all.y - on * before.y > clipped(P.clip, all.y) ? where : 0.0f),
                    max(high.z, all.z - on * before.z > clipped(P.clip, all.z) ? where : 0.0f), 1.0f);
    }
    float first = least(low), end = most(high);
    vec4 together = k == 0 ? rgba(first, first, first, 1.0f) : rgba(end, end, end, 1.0f);
    return P.channels == 0 ? together : k == 0 ? low : high;
}
FN float stretched(float v, float low, float high) {
    float range = high - low;
    return range > 0.0f ? clamp((v - low) / range, 0.0f, 1.0f) : v;
}
BODY {
    return rgba(stretched(c.x, setup0.x, setup1.x), stretched(c.y, setup0.y, setup1.y),
                stretched(c.z, setup0.z, setup1.z), c.w);
}
