/* SPDX-License-Identifier: MIT
 * Which GPU kernel a resampling by whole numbers gets, if one: a ladder, of which the first that fits is taken. Nothing else
 * chooses. */
#ifndef BACKEND_GPU_CHOOSE_MULTIRATE_H
#define BACKEND_GPU_CHOOSE_MULTIRATE_H
#include "base/ladder.h"

/* Output i of an axis begins `advance` pixels further than output i - `period` and has its weights. A period of 0: no output has
 * the weights of an earlier one. */
struct gpu_multirate_axis {
    int32_t period, advance;
    int32_t count; /* weights of an output */
    int32_t outputs;
};

/* All that the choice depends on. */
struct gpu_multirate_case {
    struct gpu_multirate_axis x, y;
    /* Where both axes are enlarged, or reduced: means of floats that become bytes, or of bytes that become floats, on a device with
     * tensor cores for these, and of no more pixels than the kernel has room for. */
    bool bytes;
};

enum gpu_multirate_kernel {
    GPU_MULTIRATE_INTERPOLATE_BYTES,
    GPU_MULTIRATE_INTERPOLATE,
    GPU_MULTIRATE_DECIMATE_BYTES,
    GPU_MULTIRATE_DECIMATE,
    GPU_MULTIRATE_NONE
};

bool weft_gpu_enlarges(const struct gpu_multirate_case *multirate);
bool weft_gpu_reduces(const struct gpu_multirate_case *multirate);
const struct weft_rung *weft_gpu_choose_multirate(const struct gpu_multirate_case *multirate);

/* The forms of `interpolate`, by weights of an output, and of `decimate`, by outputs that a pixel reaches: the least that does; 0
 * where none does, or the general way takes less. */
int32_t weft_gpu_interpolate_form(const struct gpu_multirate_case *multirate);
int32_t weft_gpu_decimate_form(const struct gpu_multirate_case *multirate);

#endif
