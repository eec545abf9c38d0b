/* SPDX-License-Identifier: MIT
 * Partial results of reductions: made neutral, closed, merged, turned into numbers. */
#include "backend/cpu/pipeline/reduction.h"
#include <math.h>
#include <string.h>
#include "backend/cpu/steps/reduce/places.h"
#include "backend/cpu/steps/reduce/reduce.h"

static bool is_table(const struct reduce *reduce) { return weft_reduction_counters(reduce->what) > 0; }

static size_t counters_of(const struct step *step) {
    const struct reduce *reduce = step->data;
    return (size_t)step->planes * (size_t)reduce->tables * reduce->stride;
}

size_t weft_reduction_size(const struct step *step) {
    const struct reduce *reduce = step->data;
    return is_table(reduce) ? counters_of(step) * sizeof(uint64_t) : (size_t)step->planes * sizeof(double);
}

void weft_reduction_clear(const struct step *step, double *partial) {
    const struct reduce *reduce = step->data;
    bool extreme = reduce->what == WEFT_REDUCE_MIN || reduce->what == WEFT_REDUCE_MAX;
    if (is_table(reduce))
        memset(partial, 0, weft_reduction_size(step));
    else
        for (int32_t k = 0; k < step->planes; k++)
            partial[k] = extreme ? (double)NAN : 0;
}

void weft_reduction_clear_total(const struct step *step, double *total) {
    const struct reduce *reduce = step->data;
    if (!is_table(reduce))
        weft_reduction_clear(step, total);
    for (int32_t k = 0; is_table(reduce) && k < step->planes; k++)
        memset(weft_reduce_counters(reduce, total, k), 0, reduce->stride * sizeof(uint64_t));
}

void weft_reduction_close(const struct step *step, double *partial) {
    const struct reduce *reduce = step->data;
    for (int32_t k = 0; is_table(reduce) && k < step->planes; k++) {
        uint64_t *counts = weft_reduce_counters(reduce, partial, k);
        for (int32_t t = 1; t < reduce->tables; t++)
            for (size_t i = 0; i < reduce->stride; i++)
                counts[i] += counts[(size_t)t * reduce->stride + i];
    }
}

void weft_reduction_merge(const struct step *step, double *total, const double *other) {
    const struct reduce *reduce = step->data;
    if (weft_reduces_places(reduce->what)) {
        weft_places_merge(reduce, weft_reduce_counters(reduce, total, 0), weft_reduce_closed(reduce, other, 0));
        return;
    }
    if (reduce->what == WEFT_REDUCE_HISTOGRAM) {
        for (int32_t k = 0; k < step->planes; k++) {
            uint64_t *counts = weft_reduce_counters(reduce, total, k);
            const uint64_t *more = weft_reduce_closed(reduce, other, k);
            for (size_t i = 0; i < reduce->stride; i++)
                counts[i] += more[i];
        }
        return;
    }
    for (int32_t k = 0; k < step->planes; k++)
        switch (reduce->what) {
        case WEFT_REDUCE_MIN: /* NaN: no value so far */
            if (other[k] < total[k] || isnan(total[k]))
                total[k] = other[k];
            break;
        case WEFT_REDUCE_MAX:
            if (other[k] > total[k] || isnan(total[k]))
                total[k] = other[k];
            break;
        default:
            total[k] += other[k];
        }
}

/* The bin of value v of u8: floor(v * bins / 255), full scale going to the last one. */
static int32_t bin_of(uint64_t v, int32_t bins) { return v < 255 ? (int32_t)(v * (uint64_t)bins / 255) : bins - 1; }

/* Bins of all planes side by side. */
static void finish_counts(const struct step *step, const double *total, double *numbers) {
    const struct reduce *reduce = step->data;
    memset(numbers, 0, (size_t)step->planes * (size_t)reduce->bins * sizeof *numbers);
    for (int32_t k = 0; k < step->planes; k++) {
        const uint64_t *counts = weft_reduce_closed(reduce, total, k);
        int32_t counters = weft_reduce_bins_counted(reduce);
        for (int32_t i = 0; i < counters; i++) {
            int32_t bin = reduce->steps == 255 ? bin_of((uint64_t)i, reduce->bins) : i;
            numbers[(size_t)bin * (size_t)step->planes + (size_t)k] += (double)counts[i];
        }
    }
}

void weft_reduction_finish(const struct step *step, const double *total, double *numbers) {
    const struct reduce *reduce = step->data;
    double full = step->type == WEFT_ROW_U8 ? 255 : step->type == WEFT_ROW_U16 ? 65535 : 1;
    double pixels = (double)step->width * (double)step->height;
    if (weft_reduces_places(reduce->what)) {
        weft_places_finish(reduce, weft_reduce_closed(reduce, total, 0), numbers);
        return;
    }
    if (reduce->what == WEFT_REDUCE_HISTOGRAM) {
        finish_counts(step, total, numbers);
        return;
    }
    for (int32_t k = 0; k < step->planes; k++)
        numbers[k] = reduce->what == WEFT_REDUCE_MEAN ? total[k] / (full * pixels) : total[k] / full;
}
