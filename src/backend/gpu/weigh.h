/* SPDX-License-Identifier: MIT
 * Weighted sums along two axes, one after the other: what separable filters and resamplings are lowered to. */
#ifndef BACKEND_GPU_WEIGH_H
#define BACKEND_GPU_WEIGH_H
#include "backend/gpu/pass.h"

/* Output i of an axis is factor[i] times the sum over k of weight[k] * input[first + k]. */
struct gpu_axis {
    int32_t inputs, outputs, count;
    bool shared; /* the same `count` weights for all outputs, output i beginning at i - radius */
    int32_t radius;
    int32_t *first; /* otherwise, where each begins, */
    float *weight;  /* and count weights of each */
    float *factor;  /* NULL: 1 */
    float *total;   /* border=constant: what each output makes of 1; NULL: `all` of them this */
    float all;
    bool identity; /* output i is input i */
    bool move;     /* each output is one pixel of the input as it is */
    bool ordered;  /* no output begins before the one before it */
};
void weft_gpu_axis_clear(struct gpu_axis *axis);

/* Adds the passes for both axes, x in axes[0]; takes over from them what it needs. Also for axes that change nothing.
 * */
weft_status weft_gpu_weigh(struct gpu_builder *builder, const struct gpu_site *site, struct gpu_axis *axes,
                           weft_error *error);

#endif
