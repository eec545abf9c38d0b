/* SPDX-License-Identifier: MIT
 * What lies beyond an image's edges, said once more and simply, for tests that compute bytes themselves. */
#ifndef EDGES_H
#define EDGES_H
#include "check.h"

enum border { REPLICATE, MIRROR, SYMMETRIC, WRAP, CONSTANT, SHRINK, BORDERS };
static const char *const borders[] = {"replicate", "mirror", "symmetric", "wrap", "constant", "shrink"};

/* Where place i of a line of n is; -1 outside. */
static inline int place_of(int i, int n, enum border border) {
    int turn = border == MIRROR ? 2 * n - 2 : border == SYMMETRIC ? 2 * n : n;
    if (i >= 0 && i < n)
        return i;
    if (border >= CONSTANT)
        return -1;
    if (border == REPLICATE || turn == 0)
        return i < 0 ? 0 : n - 1;
    i = (i % turn + turn) % turn;
    return i < n ? i : border == MIRROR ? turn - i : turn - 1 - i;
}

/* Whether channel `c` of the pixel at x, y is what it must be; says what it is otherwise. */
static inline bool is_expected(const char *text, int width, int height, int channels, int c, int x, int y, int found,
                               int expected) {
    if (found != expected)
        fprintf(stderr, "%s, %dx%d, %d channels: channel %d at %d, %d is %d, not %d\n", text, width, height, channels,
                c, x, y, found, expected);
    return found == expected;
}

#endif
