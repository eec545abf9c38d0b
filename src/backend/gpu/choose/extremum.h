/* SPDX-License-Identifier: MIT
 * Which GPU kernel a dilation or erosion gets: a ladder of kernels, of which the first that fits is taken. Nothing else chooses. */
#ifndef BACKEND_GPU_CHOOSE_EXTREMUM_H
#define BACKEND_GPU_CHOOSE_EXTREMUM_H
#include "base/ladder.h"

/* All that the choice depends on. */
struct gpu_extremum_case {
    int32_t x, y; /* radii, cut where that makes no difference; one of them at least is not 0 */
    int32_t channels;
    bool direct_bytes;   /* bytes are read and written as stored */
    bool direct_f32;     /* f32 likewise */
    bool fits_registers; /* these are enough for threads that keep rows in registers */
    bool border_is_byte; /* what stands for places outside is a byte's value */
    bool few_registers;  /* kernels are Vulkan's (struct gpu_limits) */
};

enum gpu_extremum_kernel {
    GPU_EXTREMUM_SMALL,
    GPU_EXTREMUM_BYTES,
    GPU_EXTREMUM_WALK_BYTES,
    GPU_EXTREMUM_REGISTERS,
    GPU_EXTREMUM_VALUES,
    GPU_EXTREMUM_WALK_VALUES,
    GPU_EXTREMUM_TILE,
    GPU_EXTREMUM_LINES
};

const struct weft_rung *weft_gpu_choose_extremum(const struct gpu_extremum_case *extremum);

/* Rows of a block of `extremum`. */
int32_t weft_gpu_extremum_tile_rows(int32_t channels);

#endif
