/* SPDX-License-Identifier: MIT
 * Which GPU kernel a box filter gets: a ladder of kernels, of which the first that fits is taken. Nothing else chooses. */
#ifndef BACKEND_GPU_CHOOSE_BOX_H
#define BACKEND_GPU_CHOOSE_BOX_H
#include "base/ladder.h"
#include "weft/image.h"

/* All that the choice depends on. */
struct gpu_box_case {
    int64_t x, y;               /* radii */
    int32_t radius_x, radius_y; /* the same, cut where that makes no difference at the border */
    int64_t width, height;
    int32_t channels;
    int32_t steps;      /* 255 or 65535 where values are whole numbers of such steps, else 0 */
    bool direct_bytes;  /* bytes are read and written as stored */
    bool direct_floats; /* f16 or f32, likewise */
    weft_border border;
    bool border_is_byte;  /* what stands for places outside is a byte's value */
    bool border_rounds;   /* or is one when it is rounded */
    bool rounds_down;
    bool at_once;       /* products along both axes fit one launch of `separable` */
    /* of the device */
    bool has_mma_bytes;
    int32_t block_threads;
    int32_t block_bytes; /* of shared memory */
};

enum gpu_box_kernel { GPU_BOX_MMA, GPU_BOX_SEPARABLE, GPU_BOX_PREFIX, GPU_BOX_BYTES, GPU_BOX_VALUES, GPU_BOX_LINES };

const struct weft_rung *weft_gpu_choose_box(const struct gpu_box_case *box);

/* Kernel `box_bytes`: the columns that a block reads on each side of its output, and the bytes of its output, whole pixels. */
int32_t weft_gpu_box_bytes_beside(int32_t radius, int32_t channels);
int32_t weft_gpu_box_bytes_made(int32_t beside, int32_t channels);
/* Kernel `box_prefix`: the same, and the threads of a block. */
int32_t weft_gpu_box_prefix_beside(const struct gpu_box_case *box);
int32_t weft_gpu_box_prefix_made(const struct gpu_box_case *box, int32_t threads);
int32_t weft_gpu_box_prefix_threads(const struct gpu_box_case *box);
/* Kernel `box_rows`: the pixels that a block reads before its output, so that windows end where cells end, and the most pixels
 * that it makes. */
int32_t weft_gpu_box_rows_before(int32_t radius);
int32_t weft_gpu_box_rows_made(int32_t radius);

#endif
