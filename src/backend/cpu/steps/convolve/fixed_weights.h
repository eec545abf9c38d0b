/* SPDX-License-Identifier: MIT
 * Weights in whole numbers, with a bound on what that costs. */
#ifndef CPU_FIXED_WEIGHTS_H
#define CPU_FIXED_WEIGHTS_H
#include "filter/filter.h"
#include "kernels/cpu/kernels.h"

/* The largest error of a u8 pixel, in steps of 1/255, before rounding: its distance from the sum with the exact weights. */
#define WEFT_FIXED_ERROR 0.05

/* Fills x and y for a convolution of u8, first along y, that keeps to WEFT_FIXED_ERROR. *fits is false where there is
 * none: weights below 0, not symmetric, too many, or not of sum 1. Then, and after failures, nothing is to be freed;
 * otherwise the weights of both are, by weft_free. */
weft_status weft_fixed_weights(const struct weft_taps *x_taps, const struct weft_taps *y_taps,
                               struct weft_fixed_weights *x, struct weft_fixed_weights *y, bool *fits,
                               weft_error *error);

#endif
