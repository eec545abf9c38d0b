/* SPDX-License-Identifier: MIT
 * Boxes of any size in two launches: `box_down` sums up columns, `box_along` those sums along rows, into means. The sums
 * between them are transposed: of BOX_TURNED rows, those of a column lie side by side, so that threads that go along as many
 * rows read them together. Such rows begin at the launch's first one; the last group may have fewer.
 *
 * A step's values are loaded one step ahead. At the edges of images all addresses are found first and then read together: few
 * blocks are at the edges, but a launch takes as long as its slowest block. */
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
/* border_place by products instead of branches and divisions, for places near the image: below + turn i and above + turn i are
 * what stands for place i on either side. */
struct line_edges {
    int below, above, turn;
};
FN line_edges edges_of(int n, int border) {
    line_edges e;
    bool mirrors = border == BORDER_MIRROR || border == BORDER_SYMMETRIC, wraps = border == BORDER_WRAP;
    e.turn = mirrors ? -1 : wraps ? 1 : 0;
    e.below = border == BORDER_SYMMETRIC ? -1 : wraps ? n : border == BORDER_CONSTANT || border == BORDER_SHRINK ? -1 : 0;
    e.above = border == BORDER_MIRROR      ? 2 * n - 2
              : border == BORDER_SYMMETRIC ? 2 * n - 1
              : wraps                      ? -n
              : border == BORDER_REPLICATE ? n - 1
                                           : -1;
    return e;
}
/* Whether it holds for all of places first .. last. */
FN bool are_near(int first, int last, int n) { return first > -n && last <= 2 * n - 2; }
FN int near_place(line_edges e, int i, int n) { return i < 0 ? e.below + e.turn * i : i >= n ? e.above + e.turn * i : i; }
#endif

#endif
