/* SPDX-License-Identifier: MIT
 * Launch data of reducing and enlarging by whole numbers. Outputs begin at start + (phase + output) / steps, or
 * start + output * steps. */
#ifndef KERNELS_GPU_MULTIRATE_LAUNCH_H
#define KERNELS_GPU_MULTIRATE_LAUNCH_H
#include "kernels/gpu/dialect/launch_types.h"

struct multirate_launch {
    /* interpolate: TAPS weights for each place in the period; interpolate_bytes: `rows` of them. decimate: along x,
     * for each place k of a step the weights of pixels k, step + k, .. of an output: 4 DECIMATE_QUADS(ACTIVE).
     * decimate_bytes: along y, for each row of a step the weights of the rows of the result that it reaches, the
     * first one first */
    address weights_x, weights_y;
    /* weights along x as threads have them on the left. decimate_bytes: of each kind of tile, for each piece and
     * matrix, the upper bytes, four words for each of 32 threads, then the lower ones. interpolate_bytes: for each
     * phase that a span may begin at, for each of its matrices (INTERPOLATE_BYTES_PIXEL) the upper parts, likewise,
     * then what is left */
    address matrices_x;
    /* interpolate_bytes: weights along y, on the right: for each of 8 places two words of upper parts and two of
     * what is left */
    address matrices_y;
    address tiles; /* decimate_bytes: of each tile DECIMATE_BYTES_TILE numbers */
    address added; /* decimate_bytes, border=constant: for each output what is added to its sum for pixels outside */
    int steps_x, steps_y; /* by how much an axis is reduced or enlarged, 2 or more */
    int phase_x, phase_y; /* enlarging: of output 0 in its period */
    int start_x, start_y; /* where output 0 begins */
    int made, sharers; /* decimate: columns of the result that a block makes, and threads that share one */
    int rows; /* weights of an output along y that are not 0 because there are fewer: rows that must be there */
    int pieces; /* decimate_bytes: that a tile needs, at most */
};
#undef LAUNCH_OF
#define LAUNCH_OF multirate

#endif
