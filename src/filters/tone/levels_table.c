/* SPDX-License-Identifier: MIT
 * Counts are added up from either end: where they come to what is clipped they are as small as that is. In floats, the count of all
 * pixels of a large image does not change by one pixel more. */
#define NAME levels_table
#define SUMMARY "By a histogram stretch the used levels over all"
#define STEP_OF "auto_levels"
#define EXAMPLE "histogram=64[h];gradient=width=64:height=1[ramp];[ramp][h]levels_table"
#define TOLERANCE 1 /* where the count of a bin is just the share that is clipped */
#define PARAMS                                                                                                         \
    FLOAT(clip, 0.005, 0, 0.49, "", "share of the pixels at either end that becomes black or white")                   \
    CHOICE(channels, 0, "together|each", "one stretch for all channels, or one for each")
#define FORMS 1
#include "filter/lookup.h"

FORM { return 0; }
/* What is clipped, and half a pixel: counts are whole numbers, so that rounding never decides whether one is more. A share that is
 * a whole number may come out a little less; what is added for that is no decimal fraction, which would make others whole. */
FN float clipped(float clip, float all) { return floor(clip * all * 1.00000024f + 0.0013717f) + 0.5f; }
FN float least(vec4 v) { return min(v.x, min(v.y, v.z)); }
FN float most(vec4 v) { return max(v.x, max(v.y, v.z)); }
/* 0: the first level that stays, 1: the last one, as parts of the whole table; 2 is not used. */
SETUP {
    float last = max(to_float(table.width - 1), 1.0f), x = 0.0f, y = 0.0f, z = 0.0f;
    for (int i = 0; i < table.width; i++) {
        vec4 v = TABLE(i, 0);
        x += v.x, y += v.y, z += v.z;
    }
    vec4 clip = rgba(clipped(P.clip, x), clipped(P.clip, y), clipped(P.clip, z), 0.0f);
    vec4 stays = rgba(-1.0f, -1.0f, -1.0f, 1.0f);
    x = y = z = 0.0f;
    for (int i = 0; i < table.width; i++) {
        vec4 v = TABLE(k == 0 ? i : table.width - 1 - i, 0);
        float where = to_float(k == 0 ? i : table.width - 1 - i) / last;
        x += v.x, y += v.y, z += v.z;
        stays = rgba(stays.x < 0.0f && x > clip.x ? where : stays.x, stays.y < 0.0f && y > clip.y ? where : stays.y,
                     stays.z < 0.0f && z > clip.z ? where : stays.z, 1.0f);
    }
    float none = k == 0 ? 1.0f : 0.0f; /* an empty range: nothing is stretched */
    stays = rgba(stays.x < 0.0f ? none : stays.x, stays.y < 0.0f ? none : stays.y, stays.z < 0.0f ? none : stays.z, 1.0f);
    float one = k == 0 ? least(stays) : most(stays);
    return P.channels == 0 ? rgba(one, one, one, 1.0f) : stays;
}
FN float stretched(float v, float low, float high) {
    float range = high - low;
    return range > 0.0f ? clamp((v - low) / range, 0.0f, 1.0f) : v;
}
BODY {
    return rgba(stretched(c.x, setup0.x, setup1.x), stretched(c.y, setup0.y, setup1.y),
                stretched(c.z, setup0.z, setup1.z), c.w);
}
