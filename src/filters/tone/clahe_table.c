/* SPDX-License-Identifier: MIT
 * Counts are whole numbers, so that what is cut off is given to the bins as OpenCV does: evenly, and the rest one by one,
 * from the first bin on in even steps. */
#define NAME clahe_table
#define SUMMARY "From histograms, one a row, where each level goes when counts are limited"
#define STEP_OF "clahe"
#define SOURCE "OpenCV's createCLAHE"
#define EXAMPLE "resize=256:64,split[a][b];[a]place_map[m];[m][b]clahe_table=0:100"
#define TOLERANCE 1
#define PARAMS                                                                                                         \
    FLOAT(clip_limit, 40, 0, 100000, "", "a bin counts no more than this, times the mean of all; 0: no limit")         \
    FLOAT(pixels, 1, 1, 3e38, "px", "how many a row counts")
#define CHANNELS GREY
#define FORMS 1
#define ROWS
#include "filter/lookup.h"

FORM { return 0; }
SETUP {
    float bins = to_float(table.width);
    float limit = P.clip_limit > 0.0f ? max(floor(P.clip_limit * P.pixels / bins), 1.0f) : 3.0e38f;
    return rgba(bins, limit, 0.0f, 0.0f);
}
/* The level of bin `at`, up to which `kept` pixels count when each bin has at most the limit; `over` are beyond it. */
FN float level_of(int at, float kept, float over, vec4 setup0, BODY_BLOCK P) {
    float before = to_float(at) + 1.0f; /* bins up to this one */
    float share = floor(over / setup0.x), rest = over - share * setup0.x;
    float step = max(floor(setup0.x / max(rest, 1.0f)), 1.0f);
    float sum = kept + before * share + min(rest, floor((before - 1.0f) / step) + 1.0f);
    /* As in tables of bytes, where halves go to the even level. */
    float level = sum / P.pixels, steps = sum * (255.0f / P.pixels), nearest = floor(steps + 0.5f);
    float odd = nearest - 2.0f * floor(0.5f * nearest);
    nearest -= nearest - steps == 0.5f ? odd : 0.0f;
    return setup0.x == 256.0f ? nearest / 255.0f : level;
}
BODY {
    int bins = to_int(setup0.x), at = to_int(c.x), row = to_int(c.y);
    float over = 0.0f, sum = 0.0f;
    for (int i = 0; i < bins; i++) {
        float count = TABLE(i, row).x;
        over += max(count - setup0.y, 0.0f);
        sum += i <= at ? min(count, setup0.y) : 0.0f;
    }
    float level = level_of(at, sum, over, setup0, P);
    return rgba(level, level, level, 1.0f);
}

#ifdef PART_ROWS
#include "filters/tone/piece_of_map.h"
/* The counts of a row are added up once for all its bins. */
#define MOST_BINS 512
static bool rows_of(const struct weft_lookup_call *call, const struct BLOCK *p) {
    const struct weft_table *of = call->table;
    const int bins = of->width;
    float kept[MOST_BINS], over = 0.0f, sum = 0.0f;
    if (!piece_of_map(call) || bins > MOST_BINS || call->in[1][0] < 0.0f || call->in[1][0] >= (float)of->height ||
        call->in[0][0] < 0.0f || call->in[0][0] + (float)call->count > (float)bins)
        return false;
    const struct table T = {of, READ_F32, (int)(of->row_bytes / 4), 1};
    const vec4 setup0 = setup_of(T, 0, (place){0, 0, of->width, of->height}, *p);
    const float *counts = table_row(of, (int)call->in[1][0]);
    const int first = (int)call->in[0][0];
    for (int i = 0; i < bins; i++) {
        over += max(counts[i] - setup0.y, 0.0f);
        sum += min(counts[i], setup0.y);
        kept[i] = sum;
    }
    for (int i = 0; i < call->count; i++)
        call->out[0][i] = level_of(first + i, kept[first + i], over, setup0, *p);
    finish_grey(call);
    return true;
}
#endif
