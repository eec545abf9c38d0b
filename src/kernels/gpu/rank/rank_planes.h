/* SPDX-License-Identifier: MIT
 * How kernel and host size blocks of medians by bits. */
#ifndef KERNELS_GPU_RANK_PLANES_H
#define KERNELS_GPU_RANK_PLANES_H

/* A word is 8 pixels across, 32 columns apart, and 4 down. */
#define RANK_PLANES_COLUMNS 256
/* Words of the result that a thread makes, as registers have room for; threads that share a word; the block's rows of
 * words. */
#define RANK_PLANES_OUTPUTS(radius) ((radius) > 3 ? 1 : 2)
#define RANK_PLANES_PARTS(radius) ((radius) > 6 ? 2 : 1)
#define RANK_PLANES_ROWS(radius) (8 * RANK_PLANES_OUTPUTS(radius) / RANK_PLANES_PARTS(radius))

#endif
