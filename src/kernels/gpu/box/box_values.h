/* SPDX-License-Identifier: MIT
 * Boxes of numbers that are not whole, in two launches whose cost hardly depends on the radius and that only add: nothing is
 * taken away again, so f32 will do, and what is infinite stays within its windows.
 *
 * Along an axis, windows of BOX_CELL neighboring places are made together. What all of them have in common is whole cells, whose
 * sums are there; what the first ones have before that is added up from there backwards, what the last ones have behind it
 * forwards. The cells' grid is such that windows' ends fall on it: with a window of 2 r + 1 places, windows end at e + k, e a
 * multiple of BOX_CELL and k = 0 .. BOX_CELL - 1, and BOX_CELL - 1 places before their common cells, and BOX_EXTRA(r)
 * more, belong to the first of them.
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

#define BOX_COLUMNS_THREADS 128 /* each with four numbers of a row */
#define BOX_COLUMNS_CELLS 2     /* of rows, that a block of box_columns makes */

#endif
