/* SPDX-License-Identifier: MIT
 * Weights in whole numbers. The error of an axis is at most the sum of what each weight is off, times the range of the
 * pixels; between the axes, rounding adds half of the last of `fraction` bits. Weights are cut as short as the error
 * allows, so a gaussian takes no more taps than 8 bits can tell. */
#include "backend/cpu/fixed_weights.h"
#include <math.h>
#include "base/memory.h"
#include "base/status.h"

#define MOST_TAPS 128 /* away from the center; more are better left to other forms */
#define STEPS 255.0

/* The weights of the whole numbers nearest to `taps` of sum 2^shift, or false when they do not fit 16 bits. What one is
 * rounded by is made good by the next, and the center takes the rest. *error is the sum of what they are off. */
static bool quantize(const struct weft_taps *taps, int32_t radius, int32_t shift, int16_t *weight, double *error) {
    const double *full = taps->weight + taps->radius;
    double unit = ldexp(1, shift), carried = 0;
    int32_t center = (int32_t)1 << shift;
    *error = 0;
    for (int32_t k = taps->radius; k > radius; k--)
        *error += 2 * full[k];
    for (int32_t k = radius; k > 0; k--) {
        double wanted = full[k] * unit + carried, whole = floor(wanted + 0.5);
        if (whole < 0 || whole > 32767)
            return false;
        carried = wanted - whole;
        weight[k] = (int16_t)whole;
        center -= 2 * (int32_t)whole;
        *error += 2 * fabs(full[k] - whole / unit);
    }
    if (center < 0 || center > 32767)
        return false;
    weight[0] = (int16_t)center;
    *error += fabs(full[0] - center / unit);
    return true;
}

/* The fewest weights off by no more than `allowed` steps, to at most `most` bits. */
static bool choose(const struct weft_taps *taps, int32_t most, double allowed, struct weft_fixed_weights *weights) {
    int32_t longest = taps->radius < MOST_TAPS ? taps->radius : MOST_TAPS;
    for (int32_t radius = 0; radius <= longest; radius++)
        for (int32_t shift = most; shift >= 8; shift--) {
            double error;
            if (!quantize(taps, radius, shift, weights->weight, &error))
                continue;
            if (error * STEPS <= allowed) {
                weights->radius = radius, weights->shift = shift;
                weights->weight[radius + 1] = 0;
                return true;
            }
            break;
        }
    return false;
}

static bool is_mean(const struct weft_taps *taps) {
    double sum = 0;
    for (int32_t k = 0; k <= 2 * taps->radius; k++) {
        if (!(taps->weight[k] >= 0) || taps->weight[k] != taps->weight[2 * taps->radius - k])
            return false;
        sum += taps->weight[k];
    }
    return fabs(sum - 1) < 1e-6;
}

/* With `fraction` bits below a step between the axes. */
static bool choose_both(const struct weft_taps *x_taps, const struct weft_taps *y_taps, int32_t fraction,
                        struct weft_fixed_weights *x, struct weft_fixed_weights *y) {
    double allowed = (WEFT_FIXED_ERROR - ldexp(0.5, -fraction)) / 2;
    /* Sums of u8 stay below 2^30, and those of 128 steps either way with a fraction below 2^30 too. */
    if (!choose(y_taps, 22, allowed, y) || !choose(x_taps, 23 - fraction, allowed, x))
        return false;
    int32_t drop = y->shift - fraction;
    if (drop < 1)
        return false;
    y->start = ((int32_t)1 << (drop - 1)) - (128 * ((int32_t)1 << y->shift));
    y->shift = drop;
    x->shift += fraction;
    x->start = (int32_t)1 << (x->shift - 1);
    return true;
}

weft_status weft_fixed_weights(const struct weft_taps *x_taps, const struct weft_taps *y_taps,
                               struct weft_fixed_weights *x, struct weft_fixed_weights *y, bool *fits,
                               weft_error *error) {
    *fits = is_mean(x_taps) && is_mean(y_taps);
    if (!*fits)
        return WEFT_OK;
    x->weight = weft_allocate(MOST_TAPS + 2, sizeof *x->weight);
    y->weight = weft_allocate(MOST_TAPS + 2, sizeof *y->weight);
    if (x->weight && y->weight) {
        *fits = false;
        for (int32_t fraction = 7; fraction >= 5 && !*fits; fraction--)
            *fits = choose_both(x_taps, y_taps, fraction, x, y);
        if (*fits)
            return WEFT_OK;
    }
    bool memory = x->weight && y->weight;
    weft_free(x->weight);
    weft_free(y->weight);
    x->weight = y->weight = NULL;
    return memory ? WEFT_OK : weft_fail_memory(error, (MOST_TAPS + 2) * sizeof *x->weight, "weights");
}
