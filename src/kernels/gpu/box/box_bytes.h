/* SPDX-License-Identifier: MIT
 * Sizes of box_bytes.gpu, for kernels and the host. */
#ifndef KERNELS_GPU_BOX_BYTES_H
#define KERNELS_GPU_BOX_BYTES_H

#define BOX_BYTES_COLUMNS 2048 /* of a block, what lies on both sides of what it makes among them */
#define BOX_BYTES_ROWS 4       /* of a step */
#define BOX_BYTES_RUN 36       /* bytes of a row that a thread makes: whole pixels of 1 to 4 channels */
#define BOX_BYTES_BY_CELLS 24  /* the radius from which on windows' first sums are made of those of cells */
#define BOX_BYTES_WINDOW 16384 /* pixels of a window whose mean is exact as a product with 1 / pixels in f32 */
/* Pixels of a window whose mean is exact in the second byte of a product of 64 bits, the lower half left out, of the sum, which
 * is at most 255 n, and 2^40 / n, rounded up: 255 n * n < 2^40. */
#define BOX_BYTES_LARGEST 65535
#define BOX_BYTES_RADIUS_Y 128 /* 257 bytes of 255 sum to 16 bits */

#endif
