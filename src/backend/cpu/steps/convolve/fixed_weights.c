/* SPDX-License-Identifier: MIT
 * Weights in whole numbers. The error of an axis is at most the sum of the errors of its weights, times the range of the pixels;
 * between the axes, rounding adds half of the last of `fraction` bits. As many outer weights are dropped as the error allows, so a
 * gaussian has no more taps than make a difference in 8 bits. */
#include "backend/cpu/steps/convolve/fixed_weights.h"
#include <math.h>
#include "base/memory.h"
#include "base/status.h"
#include "filter/help/whole_weights.h"

#define MOST_TAPS 128 /* away from the center; with more, other forms are faster */
#define STEPS 255.0

/* The fewest weights off by no more than `allowed` steps, to at most `most` bits. */
static bool choose(const struct weft_taps *taps, int32_t most, double allowed, struct weft_fixed_weights *weights) {
    int32_t longest = taps->radius < MOST_TAPS ? taps->radius : MOST_TAPS, whole[MOST_TAPS + 1];
    for (int32_t radius = 0; radius <= longest; radius++)
        for (int32_t shift = most; shift >= 8; shift--) {
            double error;
            if (!weft_whole_weights(taps, radius, shift, INT16_MAX, whole, &error))
                continue;
            if (error * STEPS <= allowed) {
                for (int32_t k = 0; k <= radius; k++)
                    weights->weight[k] = (int16_t)whole[k];
                weights->radius = radius, weights->shift = shift;
                weights->weight[radius + 1] = 0;
                return true;
            }
            break;
        }
    return false;
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
    *fits = weft_taps_are_mean(x_taps) && weft_taps_are_mean(y_taps);
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
