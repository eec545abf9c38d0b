/* SPDX-License-Identifier: MIT
 * Counts go far beyond the whole numbers that floats hold: in the upper half of an image they are added up from the highest level
 * down, and where all bins are made in a row, in double precision. */
#define NAME match_table
#define SUMMARY "From two histograms, one a row, the table that turns the first into the second"
#define STEP_OF "match_histogram"
#define SOURCE "as scikit-image's match_histograms"
#define EXAMPLE "resize=64:2,exposure=9[t];gradient=width=64:height=1[ramp];[ramp][t]match_table"
#define TOLERANCE 1 /* where the second image has a level or not */
#define STEADY_TOLERANCE 1e-4
#define FORMS 1
#define ROWS
#include "filter/lookup.h"

FN float color(vec4 v, int k) { return k == 0 ? v.x : k == 1 ? v.y : v.z; }
FN int bin_of(float at, float last) { return to_int(clamp(at, 0.0f, 1.0f) * last + 0.5f); }
/* Between two levels that occur, one below what is wanted and one that reaches it; there may be just one, or none. */
FN float between(float before, float before_count, float after, float after_count) {
    float range = after_count - before_count, part = range > 0.0f ? clamp(-before_count / range, 0.0f, 1.0f) : 1.0f;
    return before < 0.0f ? max(after, 0.0f) : after < 0.0f ? before : mix(before, after, part);
}

FORM { return 0; }
/* How many times as many pixels the second image has, and the number of bins. */
SETUP {
    float x = 0.0f, y = 0.0f, z = 0.0f, second_x = 0.0f, second_y = 0.0f, second_z = 0.0f;
    for (int i = 0; i < (k == 0 ? table.width : 0); i++) {
        vec4 first = TABLE(i, 0), second = TABLE(i, 1);
        x += first.x, y += first.y, z += first.z;
        second_x += second.x, second_y += second.y, second_z += second.z;
    }
    return rgba(x > 0.0f ? second_x / x : 0.0f, y > 0.0f ? second_y / y : 0.0f, z > 0.0f ? second_z / z : 0.0f,
                to_float(table.width));
}
/* The level, in bins, up to which the second image counts as many pixels as the first one up to the bin `at`. */
FN float level(TABLE_IN int bins, int at, float ratio, int k) {
    float below = 0.0f, above = 0.0f, sum = 0.0f;
    for (int i = 0; i < bins; i++) {
        float count = color(TABLE(i, 0), k);
        below += i <= at ? count : 0.0f;
        above += i > at ? count : 0.0f;
    }
    bool up = below <= above;
    float wanted = (up ? below : above) * ratio, before = -1.0f, before_count = 0.0f, after = -1.0f, after_count = 0.0f;
    for (int i = 0; i < bins; i++) {
        int bin = up ? i : bins - 1 - i;
        float count = color(TABLE(bin, 1), k), counted = up ? sum + count : sum; /* up to this bin, or above it */
        bool reached = up ? counted >= wanted : counted > wanted, first = count > 0.5f && reached && after < 0.0f;
        bool last = count > 0.5f && !reached;
        before = last ? to_float(bin) : before;
        before_count = last ? counted : before_count;
        after = first ? to_float(bin) : after;
        after_count = first ? counted : after_count;
        sum += count;
    }
    return between(before, before_count - wanted, after, after_count - wanted);
}
BODY {
    int bins = to_int(setup0.w);
    float last = max(setup0.w - 1.0f, 1.0f);
    return rgba(level(TABLE_ARGUMENT bins, bin_of(c.x, last), setup0.x, 0) / last,
                level(TABLE_ARGUMENT bins, bin_of(c.y, last), setup0.y, 1) / last,
                level(TABLE_ARGUMENT bins, bin_of(c.z, last), setup0.z, 2) / last, 1.0f);
}

#ifdef PART_ROWS
/* Levels only rise with the bins: both histograms are walked once for a piece of a row. */
static bool channel_of(const struct weft_lookup_call *call, int k) {
    const struct weft_table *of = call->table;
    const float *first = (const float *)(const void *)of->plane[k];
    const float *second = (const float *)(const void *)(of->plane[k] + of->row_bytes);
    const ptrdiff_t step = of->pixel_bytes / (ptrdiff_t)sizeof *first;
    const float last = max((float)of->width - 1.0f, 1.0f);
    double all = 0, all_second = 0, count = 0, count_second = 0, before_count = 0;
    int before = -1, after = -1, next = 0, at = -1;
    for (int i = 0; i < of->width; i++)
        all += (double)first[i * step], all_second += (double)second[i * step];
    for (int i = 0; i < call->count; i++) {
        int bin = bin_of(call->in[k][i], last);
        if (bin < at)
            return false;
        while (at < bin)
            count += (double)first[++at * step];
        double wanted = all > 0 ? count * all_second / all : 0;
        while (after < 0 ? next < of->width : count_second < wanted) {
            if (after >= 0)
                before = after, before_count = count_second, after = -1;
            for (; after < 0 && next < of->width; next++) {
                count_second += (double)second[next * step];
                after = second[next * step] > 0.5f ? next : -1;
            }
        }
        float rest = (float)(before_count - wanted), over = (float)(count_second - wanted);
        call->out[k][i] = between((float)before, rest, (float)after, over) / last;
    }
    return true;
}
static bool rows_of(const struct weft_lookup_call *call, const struct BLOCK *p) {
    (void)p;
    if (call->table->type != WEFT_F32 || call->table->height < 2)
        return false;
    for (int k = 0; k < 3; k++)
        if (!channel_of(call, k))
            return false;
    for (int i = 0; i < call->count; i++)
        call->out[3][i] = 1.0f;
    return true;
}
#endif
