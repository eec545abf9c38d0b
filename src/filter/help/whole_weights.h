/* SPDX-License-Identifier: MIT
 * Weights of a mean in whole numbers, for convolutions of bytes. */
#ifndef FILTER_WHOLE_WEIGHTS_H
#define FILTER_WHOLE_WEIGHTS_H
#include "filter/filter.h"

/* Whether no weight is below 0, they are symmetric, and sum to 1. */
bool weft_taps_are_mean(const struct weft_taps *taps);

/* The whole numbers nearest to those weights of a mean that are at most `radius` away, of sum 2^shift: weight[k] is that of
 * both places k away from the center. *error is the sum of what all are off, those that are farther away among them. False
 * where one is above `largest`. */
bool weft_whole_weights(const struct weft_taps *taps, int32_t radius, int32_t shift, int32_t largest, int32_t *weight,
                        double *error);

#endif
