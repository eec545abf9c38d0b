/* SPDX-License-Identifier: MIT
 * Sizes of resample_bytes.gpu, for the kernel and the host. */
#ifndef KERNELS_GPU_RESAMPLE_BYTES_H
#define KERNELS_GPU_RESAMPLE_BYTES_H

#define RESAMPLE_BYTES_WARPS 4 /* of a block, side by side */
#define RESAMPLE_BYTES_MADE 16 /* outputs of a tile along each axis */
#define RESAMPLE_BYTES_PART 16 /* pixels of the input; a tile needs PARTS of these along an axis: 1 to double, else 3 */
/* Rows of the input from a tile to the one below. */
#define RESAMPLE_BYTES_ADVANCE(parts) ((parts) == 1 ? 8 : 32)
/* Words that a thread has of a tile's weights along an axis, by fours: of parts 0 and 1 the upper bytes, then the lower
 * ones; of the last part both; what is added to sums of the thread's two outputs, and whether a lower byte is not 0. */
#define RESAMPLE_BYTES_QUADS(parts) ((parts) == 1 ? 2 : 4)
/* Which output along x is row m of a matrix: a thread has four side by side. And which pixel is byte i of a word of a part, in
 * thread t of four: along x in the order as stored, along y in the order in which threads have the sums of 8 rows. */
#define RESAMPLE_BYTES_COLUMN(m) ((m) % 8 / 2 * 4 + (m) / 8 * 2 + (m) % 2)
#define RESAMPLE_BYTES_ALONG(t, i) (4 * (t) + (i))
#define RESAMPLE_BYTES_BELOW(t, i) (2 * (t) + (i) % 2 + (i) / 2 * 8)
/* What is added to bytes between the axes, so that sums from -128 to 384 have no sign. */
#define RESAMPLE_BYTES_MIDDLE 128

#endif
