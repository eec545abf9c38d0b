/* SPDX-License-Identifier: MIT
 * The guided filter of an image of bytes or floats by itself, in two launches. `guided_fit` makes of the sums of pixels and of
 * their products with the guide in each window the line of the guide that fits the image there; `guided_show` makes means of these
 * lines and puts the image in. A line is a g + b, a channel's in a plane of its own (and a fourth channel's mean).
 *
 * Of bytes a and b are two whole numbers in a word, so that sums of lines are exact. a is within GUIDED_SLOPE, since colors have
 * a standard deviation of 1/2 at most and s / 2 / (s s + eps) is largest where s is the root of eps, and b within GUIDED_LEVEL. Of
 * a guide that is the image they are within 0 and 1. Of floats (`guided_fit_floats`, `guided_show_floats`) they are two floats.
 *
 * A thread of a block keeps sums of rows of its own columns while it walks down, adding the row below the window and taking away
 * the one above it, and then sums up along the row through shared memory. Windows are sums up to a thread's own columns, so those
 * of the first threads are not whole, and those threads make nothing. */
#ifndef KERNELS_GPU_GUIDED_H
#define KERNELS_GPU_GUIDED_H

#define GUIDED_STEPS 32000.0 /* of 16 bits with a sign, less than all for what is rounded */
#define GUIDED_SLOPE(eps) (0.25 / sqrt(eps))
#define GUIDED_LEVEL(eps) (1.0 + GUIDED_SLOPE(eps))
#define GUIDED_RADIUS 32 /* at most */
#define GUIDED_OWN 8
#define GUIDED_THREADS 64
/* Of floats: with fewer columns, since sums are in two parts; of a radius of 1 windows are smaller than these. */
#define GUIDED_FLOATS_OWN 4
#define GUIDED_FLOATS_THREADS 64
#define GUIDED_FLOATS_RADIUS 2 /* at least */
#define GUIDED_IDLE(radius, own) ((2 * (radius) + (own) - 1) / (own))                       /* threads that make nothing */
#define GUIDED_MADE(radius, own, threads) ((own) * ((threads) - GUIDED_IDLE(radius, own))) /* columns of a block */
/* Columns of a plane of lines: that of pixel x is number x + radius + GUIDED_BEFORE(radius, own), so that windows end at multiples
 * of `own`. Those of no pixel are 0. */
#define GUIDED_BEFORE(radius, own) ((own) * GUIDED_IDLE(radius, own) - 2 * (radius))
#define GUIDED_COLUMNS(width, radius, own) (((width) + 2 * (radius) + (own) - 1) / (own) * (own) + (own))

#endif
