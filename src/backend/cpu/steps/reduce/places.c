/* SPDX-License-Identifier: MIT
 * Boxes and centroids by runs of equal numbers: a run costs as much as a pixel. */
#include "backend/cpu/steps/reduce/places.h"
#include <math.h>

#define FAR ((uint64_t)1 << 40) /* beyond every side */

static uint64_t larger(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* The nearest whole number that has a place in the table. */
static size_t number_of(float v, int32_t numbers) {
    float whole = floorf(v + 0.5f);
    return !(whole > 0) ? 0 : whole < (float)numbers ? (size_t)whole : (size_t)numbers - 1;
}

static void take_run(enum weft_reduction what, uint64_t *c, uint64_t from, uint64_t end, uint64_t y) {
    if (what == WEFT_REDUCE_BOXES) {
        c[0] = larger(c[0], FAR - from), c[1] = larger(c[1], FAR - y);
        c[2] = larger(c[2], end), c[3] = larger(c[3], y + 1);
    } else {
        c[0] += end - from;
        c[1] += (end - from) * (from + end - 1) / 2;
        c[2] += (end - from) * y;
    }
}

void weft_places_row(const struct reduce *reduce, uint64_t *counters, const float *row, int64_t first, int64_t y, int count) {
    size_t each = (size_t)weft_reduction_counters(reduce->what);
    for (int i = 0, end; i < count; i = end) {
        end = i + 1;
        while (end < count && row[end] == row[i])
            end++;
        if (!isnan(row[i]))
            take_run(reduce->what, counters + each * number_of(row[i], reduce->bins), (uint64_t)(first + i),
                     (uint64_t)(first + end), (uint64_t)y);
    }
}

void weft_places_merge(const struct reduce *reduce, uint64_t *total, const uint64_t *other) {
    for (size_t i = 0; i < reduce->stride; i++)
        total[i] = reduce->what == WEFT_REDUCE_BOXES ? larger(total[i], other[i]) : total[i] + other[i];
}

void weft_places_finish(const struct reduce *reduce, const uint64_t *total, double *numbers) {
    for (int32_t k = 0; k < reduce->bins; k++) {
        if (reduce->what == WEFT_REDUCE_BOXES) {
            const uint64_t *c = total + 4 * (size_t)k;
            uint64_t left = c[0] ? FAR - c[0] : 0, top = c[1] ? FAR - c[1] : 0;
            *numbers++ = (double)left, *numbers++ = (double)top;
            *numbers++ = (double)(c[2] - left), *numbers++ = (double)(c[3] - top);
        } else {
            const uint64_t *c = total + 3 * (size_t)k;
            double pixels = c[0] ? (double)c[0] : 1;
            *numbers++ = (double)c[1] / pixels, *numbers++ = (double)c[2] / pixels;
        }
    }
}
