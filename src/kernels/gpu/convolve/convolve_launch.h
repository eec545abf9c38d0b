/* SPDX-License-Identifier: MIT
 * Launch data of separable filters. */
#ifndef KERNELS_GPU_CONVOLVE_LAUNCH_H
#define KERNELS_GPU_CONVOLVE_LAUNCH_H
#include "kernels/gpu/dialect/launch_types.h"

struct convolve_launch {
    address weights_x, weights_y; /* convolve_matrix: 2 radius_x + 1 and 2 radius_y + 1 */
    /* of kernels along one axis. convolve_line_matrix, convolve_cooperative: 2 (radius_x or radius_y) + 1.
     * convolve_line: `count`: 0, those of the filter, and 0 for the outputs behind a thread's first */
    address weights;
    /* separable: of border=shrink a factor for each column and each row, where it `shrinks` */
    address factors_x, factors_y;
    address factors; /* convolve_line: a factor for every output; none: 1 */
    /* convolve_bytes: the band matrices as threads have them: for each axis and byte of the weights, for each slab
     * rows g and g + 8, 32 words, one for each thread. Of the first axis rows are outputs in the order in which
     * bytes are to lie in the end (CONVOLVE_BYTES_PLACE); of the second columns are in the order of the sums
     * (CONVOLVE_BYTES_ROW). convolve_cooperative: of half floats, each two parts: of the outputs that 16 places
     * reach, from the first ones on */
    address matrices;
    int down; /* convolve_line: 1: along y, 0: along x */
    int count; /* convolve_line: weights, a multiple of MADE */
    int before; /* convolve_line: where the first of them lies, before the output's own place: a multiple of 4 */
    int radius; /* convolve_line: the filter's */
    int radius_x, radius_y; /* separable: the filter's, which may be less than RADIUS */
    int shrinks; /* separable: 1: there are factors */
    int row_numbers; /* convolve_line_matrix, down columns: numbers of a row that a block takes */
    /* convolve_bytes: half a step, and the mean of what is left out, in 65536ths; of a box what is added to a
     * window's sum, and CONVOLVE_BYTES_WHOLE */
    int rounding;
    float part; /* convolve_bytes, of a box: a window's weight */
};
#undef LAUNCH_OF
#define LAUNCH_OF convolve

#endif
