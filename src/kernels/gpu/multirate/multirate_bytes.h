/* SPDX-License-Identifier: MIT
 * Sizes of decimate_bytes.gpu and interpolate_bytes.gpu, for kernels and the host. */
#ifndef KERNELS_GPU_MULTIRATE_BYTES_H
#define KERNELS_GPU_MULTIRATE_BYTES_H

#define MULTIRATE_BYTES_WARPS 4 /* of a block, side by side */
#define MULTIRATE_BYTES_STEPS 8 /* the most that an axis is reduced or enlarged by, */
#define MULTIRATE_BYTES_LEAST_STEP 3 /* and the least: of fewer rows an iteration most of a matrix would be empty */

/* Reducing: outputs that a warp makes, side by side, a tile; outputs down columns that a row reaches, at most. What a tile needs
 * is read in pieces, each of a matrix or two of 32 pixels, which begin on multiples of DECIMATE_BYTES_ALIGNMENT. */
#define DECIMATE_BYTES_MADE 16
#define DECIMATE_BYTES_ACTIVE 9
#define DECIMATE_BYTES_MATRICES(planes) ((planes) == 1 ? 2 : 1)
#define DECIMATE_BYTES_PIECE(planes) (32 * DECIMATE_BYTES_MATRICES(planes))
#define DECIMATE_BYTES_PIECES(planes) ((planes) == 1 ? 4 : 7)
#define DECIMATE_BYTES_ALIGNMENT 16
/* Which pixel of a piece byte i of word `half` of a matrix and a channel is, of thread t of four. */
#define DECIMATE_BYTES_PLACE(planes, matrix, half, t, i)                                                               \
    ((planes) == 1   ? 16 * (t) + 8 * (matrix) + 4 * (half) + (i)                                                      \
     : (planes) == 3 ? 8 * (t) + 4 * (half) + (i)                                                                      \
                     : 16 * (half) + 4 * (t) + (i))
/* Numbers of a tile in a table: which weights it has, the factor of its sums, and where each piece begins. */
#define DECIMATE_BYTES_WEIGHTS 0
#define DECIMATE_BYTES_FACTOR 1
#define DECIMATE_BYTES_BEGIN 2
#define DECIMATE_BYTES_TILE 12

/* Enlarging: matrices of 16 outputs that make a span, whose pixels need at most so many columns of the input; spans of a warp,
 * side by side; rows of the input that are summed along x at a time; and which pixel of a span row m of a matrix is. A thread has
 * two of each matrix, all of which lie side by side, whole words. */
#define INTERPOLATE_BYTES_MATRICES 2
#define INTERPOLATE_BYTES_SPAN (16 * INTERPOLATE_BYTES_MATRICES)
#define INTERPOLATE_BYTES_PLACES 16
#define INTERPOLATE_BYTES_SPANS(planes) ((planes) == 1 ? 2 : 1)
#define INTERPOLATE_BYTES_ROWS 8
#define INTERPOLATE_BYTES_PIXEL(matrix, m) (2 * INTERPOLATE_BYTES_MATRICES * ((m) % 8) + 2 * (matrix) + (m) / 8)

#endif
