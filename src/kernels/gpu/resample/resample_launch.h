/* SPDX-License-Identifier: MIT
 * Launch data of resamplings. Each output of an axis begins at a pixel of the input and has so many weights; of the
 * tables weights along y, and those of one axis alone, lie output by output, an output's weights one behind the
 * other. */
#ifndef KERNELS_GPU_RESAMPLE_LAUNCH_H
#define KERNELS_GPU_RESAMPLE_LAUNCH_H
#include "kernels/gpu/dialect/launch_types.h"

struct resample_launch {
    /* where each column and each row begins: ints. move: the column and the row that it is */
    address first_x, first_y;
    /* along x, those of all columns' first pixel first, in rows of `columns` */
    address weights_x;
    address weights_y; /* along y, output by output */
    address first, weights; /* weigh_line, weigh_share: of the axis */
    /* weigh_line, weigh_share: for every line across a factor of the border value: what the axis before made of it;
     * none: 1 */
    address factors;
    /* resample_down: for each row of the input, and some below, ACTIVE weights, the row of the result that it
     * finishes or -1, and the slot of that. resample_up: for each row of the result TAPS weights and the last row of
     * the input that it needs */
    address rows;
    /* for each row of the result the first row of the input, the last one, and, of resample_down, that which
     * finishes it: three ints */
    address spans;
    /* resample_bytes: the weights of each kind of tile, RESAMPLE_BYTES_QUADS for each of 32 threads */
    address bands_x, bands_y;
    /* resample_bytes: for each tile along x its first column of the input, its kind, and whether one of its block
     * has lower bytes */
    address tiles_x;
    /* resample_bytes: for each tile along y its kind, then for each row of the result its first row of the input */
    address tiles_y;
    int made; /* columns of the result that a block makes, a multiple of 4 */
    int count_x; /* weights of an output along x */
    int columns; /* of a row of weights_x */
    /* from this column of the result on, before that one, weights are the launch's. Reducing: column x begins at 2 x
     * - ACTIVE + 1, and weight_x are the 2 ACTIVE weights of them all. Enlarging: column x begins at (x + 1) / 2 -
     * TAPS / 2, and weight_x are the weights of even ones, weight_y those of odd ones */
    int even_x, even_end_x;
    int even_y, even_end_y; /* halve, doubling: the same of rows; of halve weights are weight_y */
    int count_y; /* weights of an output along y; of resample_bytes: rows that must be there */
    int down; /* weigh_line, weigh_share: 1: along y, 0: along x */
    int count; /* weigh_line, weigh_share: weights of an output */
    int added; /* resample_bytes: to sums along x, for the middle and to round; of means half a step of the result */
    int first_row; /* resample_bytes: of the input of tile 0, may be above the image */
    int shift; /* resample_bytes: bits of sums along both axes behind the point */
    int tiles; /* resample_bytes: along y */
};
#undef LAUNCH_OF
#define LAUNCH_OF resample

#endif
