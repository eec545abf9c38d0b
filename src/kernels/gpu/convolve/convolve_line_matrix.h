/* SPDX-License-Identifier: MIT
 * Sizes and names of convolve_line_matrix.gpu, for kernels and the host. */
#ifndef KERNELS_GPU_CONVOLVE_LINE_MATRIX_H
#define KERNELS_GPU_CONVOLVE_LINE_MATRIX_H

#define LINE_MATRIX_STEP 16 /* places along the axis that a warp takes in, and finishes, at a time */
#define LINE_MATRIX_WARPS 4 /* of a block, side by side across the axis */
/* Lines that a warp filters: along rows, of images of so many channels, rows; down columns, numbers of a row. */
#define LINE_MATRIX_ROWS(planes) ((planes) == 1 ? 32 : 8)
#define LINE_MATRIX_NUMBERS 32

/* A type between the axes, in images of f32: of each two numbers, both rounded to half floats in the first word, and what
 * they are off, as half floats too, in the second. That is 22 bits of each, ready for products of half floats. */
#define TYPE_PARTS 6

#endif
