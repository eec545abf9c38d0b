/* SPDX-License-Identifier: MIT
 * Sizes of convolve_matrix.gpu, for kernels and the host. */
#ifndef KERNELS_GPU_CONVOLVE_MATRIX_H
#define KERNELS_GPU_CONVOLVE_MATRIX_H

#define CONVOLVE_MATRIX_WARPS 8  /* of a block, one below the other */
#define CONVOLVE_MATRIX_ROWS 16  /* of a warp; they begin at multiples of it, so that bands make the same bits */
/* Pixels of a row that a warp takes in, and finishes, at a time: half floats and floats. */
#define CONVOLVE_MATRIX_CHUNK(floats) ((floats) ? 8 : 16)

#endif
