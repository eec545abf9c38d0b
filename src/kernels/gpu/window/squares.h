/* SPDX-License-Identifier: MIT
 * Means of squares in two launches. `square_means` makes, of every two squares that lie radius pixels apart in a row, the mean of
 * the one in which colors vary less, and how much that is; `square_choose` chooses between two such that lie radius rows apart.
 * Row j of the first's result is that of squares in rows j - radius .. j, so it has radius rows more than the image. Its pixels
 * are colors and how much they vary, in f32; or, where colors go to bytes as they are, two words: their bytes, and as f32 how much
 * they vary (`square_choose_bytes`). */
#ifndef KERNELS_GPU_SQUARES_H
#define KERNELS_GPU_SQUARES_H

/* Threads of square_means, for devices whose blocks have 32 KB of shared memory, and of square_means_wide: a column of the input
 * each. And the bytes of shared memory of such a block: a column's place is one further for each eight, to avoid bank conflicts. */
#define SQUARES_THREADS 192
#define SQUARES_WIDE_THREADS 256
#define SQUARES_SLOT(column) ((column) + ((column) >> 3))
#define SQUARES_BYTES(threads) (16 * SQUARES_ROWS * SQUARES_SLOT(threads))
#define SQUARES_ROWS 8      /* that a block of square_means makes */
#define SQUARES_RADIUS 32   /* at most */
#define SQUARES_RUN(radius) ((radius) < 3 ? 2 : (radius) < 7 ? 4 : 8) /* no more than a square is wide */
#define SQUARES_CHOICES 4   /* rows of TILE_THREAD_ROWS that a block of square_choose makes */

#endif
