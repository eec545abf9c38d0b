/* SPDX-License-Identifier: MIT
 * Sizes of box_pieces.gpu, box_prefix.gpu and box_prefix_wide.gpu, for kernels and the host. The first makes sums of columns over
 * pieces of BOX_PIECE_ROWS rows, from the launch's first row on, whole ones only: each with those of the pieces before it in its
 * group of BOX_PIECES, 16 bits a number. They lie where the piece's first row would be, in an image whose rows have an eighth of
 * the bytes. */
#ifndef KERNELS_GPU_BOX_PREFIX_SIZES_H
#define KERNELS_GPU_BOX_PREFIX_SIZES_H

#define BOX_PIECE_ROWS 16
#define BOX_PIECES 8 /* 128 rows of 255 sum to 15 bits */
#define BOX_PIECE_THREADS 128
#define BOX_PIECE_BYTES 8 /* of a row, of a thread */

#define BOX_PREFIX_THREADS 256
#define BOX_PREFIX_WIDE_THREADS 512
#define BOX_PREFIX_BYTES 16 /* of a row, of a thread */
#define BOX_PREFIX_COLUMNS(threads) ((threads) * BOX_PREFIX_BYTES)
/* Pixels of a window whose mean is exact in the third byte of a product of 64 bits, the lower half left out, of the sum and
 * 2^48 / n, rounded up: 255.5 n * n < 2^48. */
#define BOX_PREFIX_LARGEST 1048575
#define BOX_PREFIX_LEAST 257 /* 2^40 / n is to fit 32 bits */

#endif
