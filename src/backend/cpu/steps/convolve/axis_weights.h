/* SPDX-License-Identifier: MIT
 * The weights of a separable convolution along one axis. */
#ifndef CPU_AXIS_WEIGHTS_H
#define CPU_AXIS_WEIGHTS_H
#include "filter/filter.h"

struct axis_weights {
    int32_t radius;
    bool halved;    /* along a row, symmetric weights: radius + 1 of them, from the centre */
    float *weights; /* otherwise 2 radius + 1 */
    double *full;   /* 2 radius + 1 of them */
};

/* The weights of a separable or box filter; to be cleared in any case. */
weft_status weft_axis_weights_make(const struct weft_filter *filter, const void *block, enum weft_direction direction,
                                   struct axis_weights *w, weft_error *error);
void weft_axis_weights_clear(struct axis_weights *w);
/* 1 / the weight of what is inside the image around place `at` of an axis of `size` pixels. */
float weft_inside_weight(const struct axis_weights *w, int64_t at, int64_t size);

#endif
