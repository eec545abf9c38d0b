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
#include "filter/lookup.h"

FORM { return 0; }
SETUP {
    float bins = to_float(table.width);
    float limit = P.clip_limit > 0.0f ? max(floor(P.clip_limit * P.pixels / bins), 1.0f) : 3.0e38f;
    return rgba(bins, limit, 0.0f, 0.0f);
}
BODY {
    int bins = to_int(setup0.x), at = to_int(c.x), row = to_int(c.y);
    float over = 0.0f, sum = 0.0f;
    for (int i = 0; i < bins; i++) {
        float count = TABLE(i, row).x;
        over += max(count - setup0.y, 0.0f);
        sum += i <= at ? min(count, setup0.y) : 0.0f;
    }
    float before = to_float(at) + 1.0f; /* bins up to this one */
    float share = floor(over / setup0.x), rest = over - share * setup0.x;
    float step = max(floor(setup0.x / max(rest, 1.0f)), 1.0f);
    sum += before * share + min(rest, floor((before - 1.0f) / step) + 1.0f);
    /* As in tables of bytes, where halves go to the even level. */
    float level = sum / P.pixels, steps = sum * (255.0f / P.pixels), nearest = floor(steps + 0.5f);
    float odd = nearest - 2.0f * floor(0.5f * nearest);
    nearest -= nearest - steps == 0.5f ? odd : 0.0f;
    level = bins == 256 ? nearest / 255.0f : level;
    return rgba(level, level, level, 1.0f);
}
