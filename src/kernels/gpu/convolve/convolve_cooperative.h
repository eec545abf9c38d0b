/* SPDX-License-Identifier: MIT
 * Sizes and layouts of convolve_cooperative.gpu, for kernels and the host. */
#ifndef KERNELS_GPU_CONVOLVE_COOPERATIVE_H
#define KERNELS_GPU_CONVOLVE_COOPERATIVE_H
#include "kernels/gpu/convolve/convolve_line_matrix.h"

#define COOPERATIVE_STEP 16 /* rows and columns of a matrix; places along the axis that are taken in at a time */
#define COOPERATIVE_WARPS 4 /* of a block, each with 16 lines */
#define COOPERATIVE_BLOCKS(reach) (2 * (reach) / COOPERATIVE_STEP + 1) /* of outputs that 16 places reach */
#define COOPERATIVE_MOST_BLOCKS 9
#define COOPERATIVE_SCALE 1024.0f /* of the weights, so that small ones have all their bits as half floats */
/* Rows that a block filters along; pixels of a row that one filters down. */
#define COOPERATIVE_ROWS(planes) ((planes) == 1 ? 64 : 16)
#define COOPERATIVE_PIXELS(planes) ((planes) == 1 ? 64 : 16)

#endif
