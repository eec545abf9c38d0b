/* SPDX-License-Identifier: MIT
 * Which GPU kernel a median gets: a ladder of kernels, of which the first that fits is taken. Nothing else chooses. */
#ifndef BACKEND_GPU_CHOOSE_RANK_H
#define BACKEND_GPU_CHOOSE_RANK_H
#include "base/ladder.h"
#include "weft/image.h"

/* All that the choice depends on. */
struct gpu_rank_case {
    int32_t radius; /* along both axes; 1 at least */
    int64_t width, height;
    int32_t channels;
    int32_t steps;          /* 255 or 65535 where values are whole numbers of such steps, else 0 */
    bool direct_bytes;      /* bytes are read and written as stored */
    bool fits_registers;    /* f32 as stored, enough for threads that keep rows in registers */
    weft_border border;
    bool border_is_byte;    /* what stands for places outside is a byte's value */
    /* of the device */
    int32_t loop_iterations; /* after which it stops a thread; 0: never */
    int32_t block_bytes;     /* of shared memory */
};

enum gpu_rank_kernel {
    GPU_RANK_NETWORK_BYTES,
    GPU_RANK_REGISTERS,
    GPU_RANK_NETWORK,
    GPU_RANK_PLANES,
    GPU_RANK_DIGITS,
    GPU_RANK_BINS,
    GPU_RANK_SEARCH
};

const struct weft_rung *weft_gpu_choose_rank(const struct gpu_rank_case *rank);

/* Iterations of loops that a thread of `rank` goes through, which searches. */
double weft_gpu_rank_search_iterations(const struct gpu_rank_case *rank);
/* Kernel `rank_digits`: the rows of a block, few enough that the device does not stop its threads. */
int32_t weft_gpu_rank_digits_chunk(const struct gpu_rank_case *rank);

#endif
