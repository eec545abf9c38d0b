/* SPDX-License-Identifier: MIT
 * Launch data of boxes. */
#ifndef KERNELS_GPU_BOX_LAUNCH_H
#define KERNELS_GPU_BOX_LAUNCH_H
#include "kernels/gpu/dialect/launch_types.h"

struct box_launch {
    int rounds_down; /* 1: means of whole numbers lose their fraction */
    int window; /* pixels in the rectangle */
    float scaled; /* what the sum has been scaled by in all */
    float part; /* 1 / window; box_columns: that / scaled */
    /* columns of bytes that a block reads on each side of what it makes: box_bytes: a multiple of 8; box_prefix:
     * more than the radius, a multiple of 16; box_rows: pixels that it reads before the first one that it makes */
    int beside;
    /* to each sum. box_bytes: 0, or -(window - 1) / 2 where means lose their fraction; box_prefix: half of the
     * window, or 0 where they do */
    int added;
    /* what a block makes. box_bytes, box_prefix: bytes of a row: whole pixels, and a multiple of 16; box_rows:
     * pixels of a row, a multiple of BOX_CELL; box_columns: cells of rows; box_down: rows, a multiple of BOX_TURNED;
     * box_along: pixels of a run, a multiple of BOX_STEP */
    int made;
    int narrow; /* box_bytes: column sums of a block that add up to 16 bits */
    /* the bits of 2^40 / window (box_bytes, of windows beyond BOX_BYTES_WINDOW), or of 2^40 or 2^48 / window
     * (box_prefix), rounded up */
    int reciprocal;
    int mean_byte; /* box_prefix: the byte of the product with it that is the mean */
    int steps; /* 255 or 65535: the filter's input is whole numbers of these steps; 0: it is not */
    /* the border value in whole steps, for whole numbers; of bytes alone (box_bytes, box_prefix) as a byte */
    int outside;
    int outside_large; /* 1: the border value in whole steps does not fit an int */
    float outside_steps; /* the border value in whole steps */
    float scale; /* numbers are scaled by this power of two before they are summed */
    int by_cells; /* box_bytes: 1: windows' sums are made of cells' */
    int row_sums; /* box_rows, box_columns: numbers of a row of sums; behind these lie those of cells */
    /* and numbers of cells that lie in a row: BOX_CELL rows hold all of a cell of rows; a multiple of 4 */
    int row_cells;
    int channels; /* box_columns: of the image */
};
#undef LAUNCH_OF
#define LAUNCH_OF box

#endif
