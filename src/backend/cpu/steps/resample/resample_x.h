/* SPDX-License-Identifier: MIT
 * What a step of resampling along x knows. Outputs whose taps all lie inside the image go through one of these forms, the few
 * others one by one. The axis's table decides which form it is:
 *
 *   phases  weights come again every `period` outputs, `advance` pixels further (ratios of small numbers): the row is
 *           taken apart into every advance-th pixel, so that each phase is a plain sum of shifted rows
 *   grow    they come again one pixel further and the period is long: blocks of outputs have the same inputs
 *   dot     many taps: each output is a vector product by itself
 *   gather  anything else: a few taps at places read from a list */
#ifndef CPU_RESAMPLE_X_H
#define CPU_RESAMPLE_X_H
#include "backend/cpu/choose/resample.h"
#include "backend/cpu/steps/resample/resample.h"

struct resample_x {
    struct resample_table table;
    float *scale;   /* of the border value, per row; NULL for 1 */
    int32_t *place; /* table.first of the outputs from table.low to table.high, after them */
    enum cpu_resample_form form;
    const char *why; /* it is that */
    int64_t low, high; /* outputs that the form is for: part of table.low .. table.high */
    int32_t period, advance;
    float *weight; /* gather, grow: the weights of each tap side by side, `stride` apart */
    size_t stride;
};

/* The weights of output x. */
static inline const float *weft_resample_weights(const struct resample_x *data, int64_t x) {
    return data->table.weight + (size_t)x * data->table.stride;
}

/* resample_form.c: chooses the form for data->table and makes what it needs; false without memory. */
bool weft_resample_choose(struct resample_x *data);

#endif
