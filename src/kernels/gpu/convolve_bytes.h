/* SPDX-License-Identifier: MIT
 * Sizes of convolve_bytes.gpu, for kernels and the host. */
#ifndef KERNELS_GPU_CONVOLVE_BYTES_H
#define KERNELS_GPU_CONVOLVE_BYTES_H

#define CONVOLVE_BYTES_WARPS 4   /* of a block, side by side */
#define CONVOLVE_BYTES_SQUARE 16 /* pixels, and rows, that are filtered at a time */
/* Squares of a warp, side by side; what its registers hold. Even for one channel. */
#define CONVOLVE_BYTES_GROUPS(planes, slabs) ((planes) == 1 ? ((slabs) > 3 ? 4 : 2) : (planes) == 3 && (slabs) < 4 ? 2 : 1)
#define CONVOLVE_BYTES_REACH(slabs) (CONVOLVE_BYTES_SQUARE / 2 * ((slabs) - 1)) /* the largest radius */
#define CONVOLVE_BYTES_LARGEST 65407 /* a weight: its upper byte, rounded, is a byte */

#endif
