/* SPDX-License-Identifier: MIT
 * Which GPU kernel a window filter gets: a ladder, of which the first that fits is taken. Nothing else chooses. */
#ifndef BACKEND_GPU_CHOOSE_WINDOW_H
#define BACKEND_GPU_CHOOSE_WINDOW_H
#include "base/ladder.h"
#include "weft/image.h"

/* All that the choice depends on. */
struct gpu_window_case {
    int32_t radius_x, radius_y;
    int32_t channels;
    bool by_distance;    /* the weights are a product of one by distance and one by values: the build has a kernel of bytes of it */
    bool direct_bytes;   /* bytes are read and written as stored */
    weft_border border;
    bool border_is_byte; /* what stands for places outside is a byte's value */
    /* of the device */
    bool has_mma_floats;
    int32_t launch_bytes; /* of shared memory that a launch may have */
};

enum gpu_window_kernel { GPU_WINDOW_BYTES, GPU_WINDOW_ANY };

const struct weft_rung *weft_gpu_choose_window(const struct gpu_window_case *window);

/* Threads of a block that makes means of squares (kernels/gpu/window/squares.h), on a device with such blocks at most. */
int32_t weft_gpu_squares_threads(int32_t block_threads, int32_t block_bytes);

#endif
