/* SPDX-License-Identifier: MIT */
#define NAME match_table
#define SUMMARY "From two cumulative histograms the table that turns the first into the second"
#define STEP_OF "match_histogram"
#define SOURCE "as scikit-image's match_histograms"
#define EXAMPLE "histogram=64,split[a][b];[a][b]match_table"
#define TOLERANCE 1 /* where the second image has a level or not */
#define STEADY_TOLERANCE 1e-4
#define PARAMS                                                                                                         \
    FLOAT(pixels, 1, 1, 3e38, "px", "how many the first one counts")                                                   \
    FLOAT(pixels_second, 1, 1, 3e38, "px", "how many the second one counts")
#define FORMS 1
#include "filter/lookup.h"

FORM { return 0; }
SETUP { return rgba(to_float(table.width), P.pixels_second / P.pixels, 0.0f, 0.0f); }
/* Levels that occur: `low` is the last one whose count is below what is wanted, `high` the first one that reaches it. */
FN float between(float wanted, float low, float low_count, float high, float high_count) {
    float range = high_count - low_count, part = range > 0.0f ? (wanted - low_count) / range : 1.0f;
    return low < 0.0f ? high : mix(low, high, clamp(part, 0.0f, 1.0f));
}
BODY {
    vec4 none = rgba(-1.0f, -1.0f, -1.0f, 0.0f), zero = rgba(0.0f, 0.0f, 0.0f, 0.0f), before = zero;
    vec4 low = none, high = none, low_count = zero, high_count = zero, last = zero;
    vec4 wanted = rgba(c.x * setup0.y, c.y * setup0.y, c.z * setup0.y, 0.0f);
    int bins = to_int(setup0.x);
    for (int i = 0; i < bins; i++) {
        vec4 v = TABLE(i, 0);
        float at = to_float(i);
        /* Counts are whole numbers: what is equal but for rounding is equal. */
        bool x = v.x > before.x + 0.5f, y = v.y > before.y + 0.5f, z = v.z > before.z + 0.5f;
        bool below_x = v.x < wanted.x * 0.9999999f, below_y = v.y < wanted.y * 0.9999999f;
        bool below_z = v.z < wanted.z * 0.9999999f;
        low = rgba(x && below_x ? at : low.x, y && below_y ? at : low.y, z && below_z ? at : low.z, 0.0f);
        low_count = rgba(x && below_x ? v.x : low_count.x, y && below_y ? v.y : low_count.y,
                         z && below_z ? v.z : low_count.z, 0.0f);
        bool new_x = x && !below_x && high.x < 0.0f, new_y = y && !below_y && high.y < 0.0f;
        bool new_z = z && !below_z && high.z < 0.0f;
        high = rgba(new_x ? at : high.x, new_y ? at : high.y, new_z ? at : high.z, 0.0f);
        high_count = rgba(new_x ? v.x : high_count.x, new_y ? v.y : high_count.y, new_z ? v.z : high_count.z, 0.0f);
        last = rgba(x ? at : last.x, y ? at : last.y, z ? at : last.z, 0.0f);
        before = v;
    }
    high = rgba(high.x < 0.0f ? max(last.x, 0.0f) : high.x, high.y < 0.0f ? max(last.y, 0.0f) : high.y,
                high.z < 0.0f ? max(last.z, 0.0f) : high.z, 0.0f);
    float scale = 1.0f / max(setup0.x - 1.0f, 1.0f);
    return rgba(between(wanted.x, low.x, low_count.x, high.x, high_count.x) * scale,
                between(wanted.y, low.y, low_count.y, high.y, high_count.y) * scale,
                between(wanted.z, low.z, low_count.z, high.z, high_count.z) * scale, 1.0f);
}
