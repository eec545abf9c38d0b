/* SPDX-License-Identifier: MIT
 * Boxes of floats, in two launches whose cost hardly depends on the radius. They only add and never subtract, so f32 is exact
 * enough, and an infinity stays within its windows.
 *
 * Along an axis, windows of BOX_CELL neighboring places are made together. They share whole cells, whose sums are known; the places
 * that the first windows have before these cells are added backwards from there, those that the last windows have behind them
 * forwards. The cells' grid is such that windows' ends fall on it: with a window of 2 r + 1 places, windows end at e + k, e a
 * multiple of BOX_CELL and k = 0 .. BOX_CELL - 1, and BOX_CELL - 1 places before their common cells, and BOX_EXTRA(r) more, belong
 * to the first of them.
 *
 * `box_rows` makes sums along rows, and of these the sums of cells down columns, which lie behind the rows of its result;
 * `box_columns` goes down columns. Cells and places have the same grid whatever rows a launch makes. */
#ifndef KERNELS_GPU_BOX_VALUES_H
#define KERNELS_GPU_BOX_VALUES_H

#define BOX_CELL 16
#define BOX_EXTRA(radius) ((2 * (radius) + 2) % BOX_CELL)
#define BOX_CELLS(radius) ((2 * (radius) + 2) / BOX_CELL - 1) /* in common */
#define BOX_LEAST_RADIUS (BOX_CELL / 2 - 1)

#define BOX_ROWS_THREADS 512
#define BOX_ROWS_COLUMNS 2176 /* pixels that a block of box_rows reads of a row, at most */
#define BOX_ROWS_BYTES 41216  /* of shared memory that such a block has, no less */

#define BOX_COLUMNS_THREADS 128 /* each with four numbers of a row */
#define BOX_COLUMNS_CELLS 2     /* of rows, that a block of box_columns makes */

#endif
