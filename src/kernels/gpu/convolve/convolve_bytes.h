/* SPDX-License-Identifier: MIT
 * Sizes of convolve_bytes.gpu, for kernels and the host. */
#ifndef KERNELS_GPU_CONVOLVE_BYTES_H
#define KERNELS_GPU_CONVOLVE_BYTES_H

#define CONVOLVE_BYTES_WARPS 4   /* of a block, side by side */
#define CONVOLVE_BYTES_SQUARE 16 /* pixels, and rows, that are filtered at a time */
/* Squares of a warp, side by side; what its registers hold. Even for one channel. */
#define CONVOLVE_BYTES_GROUPS(planes, slabs) ((planes) == 1 ? ((slabs) > 3 ? 4 : 2) : (planes) == 3 ? 2 : 1)
#define CONVOLVE_BYTES_REACH(slabs) (CONVOLVE_BYTES_SQUARE / 2 * ((slabs) - 1)) /* the largest radius */
/* Which output of a square row m of the first matrix is; which row of a square column k of the second one is. */
#define CONVOLVE_BYTES_PLACE(m) (4 * ((m) % 8 / 2) + (m) % 2 + 2 * ((m) / 8))
#define CONVOLVE_BYTES_ROW(k) (2 * ((k) / 4) + (k) % 2 + 8 * ((k) % 4 / 2))
#define CONVOLVE_BYTES_LARGEST 65407 /* a weight: its upper byte, rounded, is a byte */
/* A float whose last bit is 1: added to whole numbers below 4194304 it has them in its last bits. */
#define CONVOLVE_BYTES_WHOLE 0x4b400000

#endif
