/* SPDX-License-Identifier: MIT
 * Boxes of any size in two launches: `box_down` sums up columns, `box_along` those sums along rows, into means. What lies
 * between them is turned: of BOX_TURNED rows, the sums of a column lie side by side, so that threads that go along as many
 * rows read them together. Such rows begin at the launch's first one; the last ones may be fewer, and take so much less.
 *
 * What a step needs is asked for a step ahead. Where images end, all places are found first and then read together: few blocks
 * are there, but all others wait for the last one. */
#ifndef KERNELS_GPU_BOX_LINES_H
#define KERNELS_GPU_BOX_LINES_H

#define BOX_TURNED 32
#define BOX_STEP 8 /* rows, or pixels of a row, of which sums are made before they are written */
#define BOX_LINES_THREADS 256
/* Pixels of a row that a thread of `box_down` sums up. */
#define BOX_DOWN_PIXELS(planes) ((planes) == 1 ? 4 : 1)
/* Runs of a row that a block of `box_along` makes side by side; a thread has one row and channel of a run. */
#define BOX_RUNS(planes) (BOX_LINES_THREADS / BOX_TURNED / (planes))

#if defined(GLSL) || defined(__CUDACC__)
/* border_place without a division near the image. */
FN int place_near(int i, int n, int border) {
    int at = i;
    if (border == BORDER_REPLICATE)
        at = least(most(i, 0), n - 1);
    else if (border == BORDER_MIRROR)
        at = i < 0 ? -i : i >= n ? 2 * n - 2 - i : i;
    else if (border == BORDER_SYMMETRIC)
        at = i < 0 ? -1 - i : i >= n ? 2 * n - 1 - i : i;
    else if (border == BORDER_WRAP)
        at = i < 0 ? i + n : i >= n ? i - n : i;
    else if (i < 0 || i >= n)
        return -1;
    return at >= 0 && at < n ? at : border_beyond(i, n, border);
}
#endif

#endif
