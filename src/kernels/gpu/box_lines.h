/* SPDX-License-Identifier: MIT
 * Boxes of any size in two launches: `box_down` sums up columns, `box_along` those sums along rows, into means. What lies
 * between them is turned: of BOX_TURNED rows, the sums of a column lie side by side, so that threads that go along as many
 * rows read them together. Such rows begin at the launch's first one; the last ones may be fewer, and take so much less. */
#ifndef KERNELS_GPU_BOX_LINES_H
#define KERNELS_GPU_BOX_LINES_H

#define BOX_TURNED 8
#define BOX_LINES_THREADS 256
/* Pixels of a row that a thread of `box_down` sums up. */
#define BOX_DOWN_PIXELS(planes) ((planes) == 1 ? 4 : 1)
/* Runs of a row that a block of `box_along` makes side by side; a thread has one row and channel of a run. */
#define BOX_RUNS(planes) (BOX_LINES_THREADS / BOX_TURNED / (planes))

#endif
