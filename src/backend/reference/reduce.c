/* SPDX-License-Identifier: MIT
 * The definition of reductions: each plane to one number, to a table of counts, or to where the pixels of each number are. NaN
 * counts nowhere. */
#include <math.h>
#include "backend/reference/model.h"
#include "image/bins.h"

static double fold(const double *values, size_t count, enum weft_reduction what) {
    double sum = 0, least = NAN, most = NAN; /* of nothing but NaN */
    for (size_t i = 0; i < count; i++) {
        sum += values[i];
        if (!isnan(values[i])) {
            least = fmin(least, values[i]);
            most = fmax(most, values[i]);
        }
    }
    switch (what) {
    case WEFT_REDUCE_MIN:
        return least;
    case WEFT_REDUCE_MAX:
        return most;
    case WEFT_REDUCE_MEAN:
        return sum / (double)count;
    case WEFT_REDUCE_SUM:
    default:
        break;
    }
    return sum;
}

/* Which bin a value falls into, full scale being the end of the last one. */
static int64_t bin_of(double v, double steps, int64_t bins) {
    int64_t bin;
    if (!(v > 0))
        return 0;
    if (v >= 1)
        return bins - 1;
    v *= 1 + (double)BIN_REACH;
    if (steps > 0) /* whole numbers, so that no quotient ends up on the wrong side of a bin's edge */
        bin = (int64_t)floor(v * steps + 0.5) * bins / (int64_t)steps;
    else
        bin = (int64_t)floor(v * (double)bins);
    return bin < bins ? bin : bins - 1;
}

/* The box or the middle of the pixels whose nearest whole number is `number`, the last one having all beyond it: whole rows of the
 * result are made, a number at a time. Zeros where there is none. */
static void find_places(const struct reference_image *in, enum weft_reduction what, int32_t numbers, struct reference_image *out) {
    for (int32_t number = 0; number < numbers; number++) {
        double left = INFINITY, top = INFINITY, right = -1, bottom = -1, pixels = 0, across = 0, down = 0;
        for (int64_t y = 0; y < in->info.height; y++)
            for (int64_t x = 0; x < in->info.width; x++) {
                double whole = floor(reference_row(in, 0, y)[x] + 0.5);
                if (isnan(whole) || fmin(fmax(whole, 0), numbers - 1) != number)
                    continue;
                left = fmin(left, (double)x), right = fmax(right, (double)x);
                top = fmin(top, (double)y), bottom = fmax(bottom, (double)y);
                pixels++, across += (double)x, down += (double)y;
            }
        const double box[4] = {left, top, right + 1 - left, bottom + 1 - top}, middle[2] = {across / pixels, down / pixels};
        for (int32_t k = 0; k < out->info.format.channels; k++)
            reference_row(out, k, 0)[number] = !(pixels > 0) ? 0 : what == WEFT_REDUCE_BOXES ? box[k] : middle[k];
    }
}

weft_status reference_reduce(const struct reference_call *call, weft_error *error) {
    const struct reference_image *in = call->in[0];
    int32_t bins = 1;
    enum weft_reduction what = call->filter->reduction(call->block, &bins);
    size_t pixels = (size_t)in->info.width * (size_t)in->info.height;
    double steps = reference_steps(in->info.format.type);
    (void)error;
    if (what == WEFT_REDUCE_BOXES || what == WEFT_REDUCE_CENTROIDS) {
        find_places(in, what, bins, call->out);
        return WEFT_OK;
    }
    for (int32_t k = 0; k < in->info.format.channels; k++) {
        const double *values = reference_row(in, k, 0);
        double *result = reference_row(call->out, k, 0);
        if (what != WEFT_REDUCE_HISTOGRAM) {
            *result = fold(values, pixels, what);
            continue;
        }
        for (size_t i = 0; i < pixels; i++)
            if (!isnan(values[i]))
                result[bin_of(values[i], steps, bins)] += 1;
    }
    return WEFT_OK;
}
