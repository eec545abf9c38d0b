/* SPDX-License-Identifier: MIT
 * Which GPU kernel a resampling gets: a ladder of kernels, of which the first that fits is taken. Nothing else chooses. */
#ifndef BACKEND_GPU_CHOOSE_RESAMPLE_H
#define BACKEND_GPU_CHOOSE_RESAMPLE_H
#include "base/ladder.h"

/* All that the choice depends on. Forms of kernels are 0 where none takes these axes. */
struct gpu_resample_case {
    bool identity_x, identity_y; /* the axis changes nothing */
    bool moves;                  /* each output is a pixel of the input as it is */
    int32_t byte_parts;          /* the form of `resample_bytes`: bytes as stored, tensor cores, and room for the sums */
    bool multirate;              /* by whole numbers (choose/multirate.h) */
    int32_t halving, doubling;   /* the forms of `halve` and `doubling` */
    int32_t down, up;            /* those of `resample_down` and `resample_up`: outputs in order, of pixels inside */
};

enum gpu_resample_kernel {
    GPU_RESAMPLE_NOTHING,
    GPU_RESAMPLE_MOVE,
    GPU_RESAMPLE_BYTES,
    GPU_RESAMPLE_MULTIRATE,
    GPU_RESAMPLE_HALVE,
    GPU_RESAMPLE_DOUBLE,
    GPU_RESAMPLE_DOWN,
    GPU_RESAMPLE_UP,
    GPU_RESAMPLE_LINE,
    GPU_RESAMPLE_LINES
};

const struct weft_rung *weft_gpu_choose_resample(const struct gpu_resample_case *resample);

/* Along one axis: whether threads share the sums (`weigh_share`) since one for each would leave the device idle, or each has
 * its own (`weigh_line`). */
bool weft_gpu_shares_sums(int64_t outputs, int32_t weights, int32_t multiprocessors);

#endif
