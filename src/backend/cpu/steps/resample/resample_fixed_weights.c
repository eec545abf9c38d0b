/* SPDX-License-Identifier: MIT
 * Weights of a resampling in whole numbers. The errors of an output's weights add up to 0. Pixels are within half of full scale of
 * the middle, so an output's error is at most half of full scale times the sum of these errors' magnitudes. With negative weights,
 * values between the axes may leave 0 to 255, by at most the sum of these weights. */
#include <math.h>
#include "backend/cpu/steps/convolve/fixed_weights.h"
#include "backend/cpu/steps/resample/resample_fixed.h"
#include "base/memory.h"
#include "base/status.h"

#define MOST_TAPS 128
#define MOST_SHIFT 20
#define LEAST_SHIFT 10
#define HALF_SCALE 127.5
#define MOST_PARTS 16      /* of the least weight */
#define MOST_FRACTION 1024 /* of weights whose sums are often halves of a step */
#define LEAST_BEYOND 1e-3   /* steps: the error of weights in f32 */
#define SAME_WEIGHT 1.5e-7f /* weights that differ by less are the same, rounded differently */

double weft_resample_round(const float *weights, int32_t count, double unit, int32_t total, int16_t *whole) {
    int32_t rest = total;
    double off = 0;
    for (int32_t k = 0; k < count; k++) {
        double v = floor(weights[k] * unit + 0.5);
        if (fabs(v) > 32766)
            return INFINITY;
        whole[k] = (int16_t)v;
        rest -= whole[k];
    }
    if (rest > count || -rest > count)
        return INFINITY;
    for (int sign = rest < 0 ? -1 : 1; rest != 0; rest -= sign) {
        int32_t most = 0;
        for (int32_t k = 1; k < count; k++)
            if (sign * (weights[k] * unit - whole[k]) > sign * (weights[most] * unit - whole[most]))
                most = k;
        whole[most] = (int16_t)(whole[most] + sign);
    }
    for (int32_t k = 0; k < count; k++)
        off += fabs(weights[k] * unit - whole[k]);
    return off / unit;
}

/* An axis's costs: the error of its weights, and the sum of their magnitudes. */
struct cost {
    double off, magnitude;
};

static bool is_symmetric(const float *weights, int32_t count) {
    for (int32_t k = 0; k < count / 2; k++)
        if (!(fabsf(weights[k] - weights[count - 1 - k]) <= SAME_WEIGHT))
            return false;
    return true;
}

/* The weights of output i with `shift` bits. */
static void round_output(struct resample_fixed_axis *axis, int64_t i, int32_t shift, struct cost *cost) {
    const struct resample_table *table = &axis->table;
    const float *weights = table->weight + (size_t)i * table->stride;
    int16_t *whole = axis->weight + (size_t)i * (size_t)axis->taps;
    int32_t count = table->count[i];
    double magnitude = 0, off;
    axis->folded[i] = count == axis->taps && is_symmetric(weights, count);
    for (int32_t k = 0; k < axis->taps; k++) {
        whole[k] = 0;
        magnitude += k < count ? fabsf(weights[k]) : 0;
    }
    if (axis->folded[i])
        off = 2 * weft_resample_round(weights, count / 2, ldexp(1, shift), (int32_t)1 << (shift - 1), whole);
    else
        off = weft_resample_round(weights, count, ldexp(1, shift), (int32_t)1 << shift, whole);
    cost->off = fmax(cost->off, off);
    cost->magnitude = fmax(cost->magnitude, magnitude);
}

/* All outputs that have weights of their own. */
static struct cost round_axis(struct resample_fixed_axis *axis, int32_t shift) {
    struct cost cost = {0, 1};
    for (int64_t i = 0; i < axis->table.outputs; i++)
        if (i <= axis->low || i >= axis->high)
            round_output(axis, i, shift, &cost);
    axis->shift = shift;
    return cost;
}

/* The outputs of x around its middle that are alike. */
static bool find_alike(struct resample_fixed_axis *x) {
    const struct resample_table *table = &x->table;
    int64_t middle = table->outputs / 2;
    const float *weights = table->weight + (size_t)middle * table->stride;
    x->advance = (int32_t)(table->inputs / table->outputs);
    x->low = middle, x->high = middle + 1;
    for (int step = -1; step <= 1; step += 2)
        for (int64_t i = middle + step; i >= 0 && i < table->outputs; i += step) {
            bool alike = table->count[i] == table->count[middle] &&
                         table->first[i] - table->first[middle] == (i - middle) * x->advance;
            for (int32_t k = 0; alike && k < table->count[i]; k++)
                alike = fabsf(table->weight[(size_t)i * table->stride + (size_t)k] - weights[k]) <= SAME_WEIGHT;
            if (!alike)
                break;
            *(step < 0 ? &x->low : &x->high) = step < 0 ? i : i + 1;
        }
    return table->inputs % table->outputs == 0 && (x->high - x->low) * 2 > table->outputs;
}

static bool has_room(const struct resample_table *table) {
    if (table->constant || table->wrap || table->taps > MOST_TAPS)
        return false;
    for (int64_t i = 0; i < table->outputs; i++)
        if (table->count[i] < 1)
            return false;
    return true;
}

/* Whether the weights of the middle output are multiples of one fraction, as those of boxes and triangles are and those of
 * gaussians are not: only then are sums of bytes often halves of a step. */
static bool has_halves(const struct resample_table *table) {
    const int64_t middle = table->outputs / 2;
    const float *weights = table->weight + (size_t)middle * table->stride;
    float least = 1;
    for (int32_t k = 0; k < table->count[middle]; k++)
        least = weights[k] > 0 && weights[k] < least ? weights[k] : least;
    for (int32_t parts = 1; parts <= MOST_PARTS && parts / least <= MOST_FRACTION; parts++) {
        bool whole = true;
        for (int32_t k = 0; whole && k < table->count[middle]; k++) {
            float times = weights[k] / least * (float)parts;
            whole = fabsf(times - roundf(times)) <= 1e-3f;
        }
        if (whole)
            return true;
    }
    return false;
}

/* With `fraction` bits below a step between the axes. */
static bool choose(struct resample_fixed_axis *x, struct resample_fixed_axis *y, int32_t fraction, struct cost y_cost) {
    /* The largest value between the axes; two of them are added where a weight is for two taps. */
    double beyond = HALF_SCALE * (y_cost.magnitude - 1);
    double most = ldexp(128 + (beyond > LEAST_BEYOND ? beyond + 1 : 0), fraction);
    for (int32_t shift = MOST_SHIFT; shift >= LEAST_SHIFT; shift--) {
        struct cost cost = round_axis(x, shift);
        bool fits = most * ldexp(cost.magnitude + 0.01, shift) + ldexp(1, shift + fraction) < 2147483647.0;
        double error = cost.magnitude * (HALF_SCALE * y_cost.off + ldexp(0.5, -fraction)) +
                       HALF_SCALE * y_cost.magnitude * cost.off;
        /* Means, which have no negative weights, may often be exact halves, which round up. Then all results are raised by
         * their possible error. */
        bool mean = HALF_SCALE * (y_cost.magnitude * cost.magnitude - 1) <= LEAST_BEYOND;
        double nudge = mean && has_halves(&x->table) && has_halves(&y->table) ? error : 0;
        if (!fits || isinf(error))
            continue;
        if (2 * most > 32768 || !(error + nudge <= WEFT_FIXED_ERROR))
            return false;
        x->shift = shift + fraction;
        x->start = ((int32_t)1 << (x->shift - 1)) + (int32_t)ceil(ldexp(nudge, x->shift));
        y->start = ((int32_t)1 << (y->shift - fraction - 1)) - (128 * ((int32_t)1 << y->shift));
        y->shift -= fraction;
        return true;
    }
    return false;
}

static bool allocate(struct resample_fixed_axis *axis) {
    size_t count;
    axis->taps = (axis->table.taps + 1) / 2 * 2;
    axis->folded = weft_allocate((size_t)axis->table.outputs, sizeof *axis->folded);
    if (weft_multiply((size_t)axis->table.outputs, (size_t)axis->taps, &count))
        axis->weight = weft_allocate(count, sizeof *axis->weight);
    return axis->folded && axis->weight;
}

weft_status weft_resample_fixed_weights(struct resample_fixed_axis *x, struct resample_fixed_axis *y, bool *fits,
                                        weft_error *error) {
    *fits = has_room(&x->table) && has_room(&y->table) && find_alike(x);
    if (!*fits)
        return WEFT_OK;
    y->low = y->high = 0;
    if (!allocate(x) || !allocate(y))
        return weft_fail_memory(error, (size_t)y->table.outputs * (size_t)y->taps * sizeof(int16_t), "weights");
    struct cost cost = {INFINITY, 1};
    for (int32_t shift = MOST_SHIFT; shift >= LEAST_SHIFT && isinf(cost.off); shift--)
        cost = round_axis(y, shift);
    *fits = false;
    for (int32_t fraction = 7; fraction >= 5 && !*fits && !isinf(cost.off); fraction--)
        *fits = choose(x, y, fraction, cost);
    return WEFT_OK;
}

void weft_resample_fixed_clear(struct resample_fixed_axis *axis) {
    weft_resample_clear(&axis->table);
    weft_free(axis->weight);
    weft_free(axis->folded);
}
