/* SPDX-License-Identifier: MIT
 * The guided filter of an image of bytes by itself, in two launches. `guided_fit` makes of the sums of pixels and of their products
 * with the guide in each window the line of the guide that fits the image there; `guided_show` makes means of these lines and puts
 * the image in. A line a (g - 1/2) + b is two halves in a word, a channel's in a plane of its own (and a fourth channel's mean).
 *
 * A block is 32 threads with GUIDED_OWN columns each, of which they keep sums of rows while they walk down, adding the row below
 * the window and taking away the one above it, and then sum up along the row through shared memory. Windows are sums up to a
 * thread's own columns, so those of the first threads are not whole, and those threads make nothing. */
#ifndef KERNELS_GPU_GUIDED_H
#define KERNELS_GPU_GUIDED_H

#define GUIDED_RADIUS 32 /* at most */
#define GUIDED_OWN 8
#define GUIDED_IDLE(radius) ((2 * (radius) + GUIDED_OWN - 1) / GUIDED_OWN) /* threads that make nothing */
#define GUIDED_MADE(radius) (GUIDED_OWN * (32 - GUIDED_IDLE(radius)))      /* columns of a block */
/* Columns of a plane of lines: that of pixel x is number x + radius + GUIDED_BEFORE(radius), so that windows end at multiples of
 * GUIDED_OWN. Those of no pixel are 0. */
#define GUIDED_BEFORE(radius) (GUIDED_OWN * GUIDED_IDLE(radius) - 2 * (radius))
#define GUIDED_COLUMNS(width, radius) (((width) + 2 * (radius) + GUIDED_OWN - 1) / GUIDED_OWN * GUIDED_OWN + GUIDED_OWN)

#endif
