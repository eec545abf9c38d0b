/* SPDX-License-Identifier: MIT
 * Resampling of u8 in whole numbers: the weights of both axes, with a bound on what that costs. */
#ifndef CPU_RESAMPLE_FIXED_H
#define CPU_RESAMPLE_FIXED_H
#include "backend/cpu/steps/resample/resample.h"

/* An axis whose weights have 16 bits: those of output i begin at weight[i * taps], of folded ones every weight is for
 * two taps. `taps` is even; the last may be one too many, whose weight is 0. */
struct resample_fixed_axis {
    struct resample_table table;
    int16_t *weight;
    bool *folded;
    int32_t taps, shift, start;
    int64_t low, high; /* along x: these have the same weights, each `advance` pixels further than the one before */
    int32_t advance;
};

/* Takes whole numbers for the weights of x and y, which have tables, y being the first to be made. *fits is false where
 * a pixel might be farther than WEFT_FIXED_ERROR from the sum that the tables say, before it is rounded, or where
 * outputs do not go by a whole number of pixels along x. */
weft_status weft_resample_fixed_weights(struct resample_fixed_axis *x, struct resample_fixed_axis *y, bool *fits,
                                        weft_error *error);
void weft_resample_fixed_clear(struct resample_fixed_axis *axis);

/* The whole numbers of sum `total` nearest to `weights` times `unit`; returns what they are off, or infinity when they do
 * not fit 16 bits. Pixels are then off by at most 127.5 steps times that, where the sum of the weights is 1. */
double weft_resample_round(const float *weights, int32_t count, double unit, int32_t total, int16_t *whole);

/* Returns the weighted sum that makes output i. */
static inline struct weft_fixed_sum weft_resample_fixed_sum(const struct resample_fixed_axis *axis, int64_t i) {
    return (struct weft_fixed_sum){.weights = axis->weight + (size_t)i * (size_t)axis->taps,
                                   .taps = axis->taps,
                                   .start = axis->start,
                                   .shift = axis->shift,
                                   .folded = axis->folded[i]};
}

#endif
