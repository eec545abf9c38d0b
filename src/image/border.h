/* SPDX-License-Identifier: MIT
 * Which pixel of a row or column stands for a place outside it. */
#ifndef IMAGE_BORDER_H
#define IMAGE_BORDER_H
#include "weft/image.h"

/* The remainder of a division that rounds down: 0 .. n - 1 for any i. */
static inline int64_t weft_border_modulo(int64_t i, int64_t n) {
    int64_t rest = i % n;
    return rest < 0 ? rest + n : rest;
}

/* The index, 0 .. n - 1, of the pixel that stands for place `i` of a line of n >= 1 pixels; -1 where there is none
 * (constant, shrink). Right for every i, however far outside. */
static inline int64_t weft_border_map(int64_t i, int64_t n, weft_border border) {
    if (i >= 0 && i < n)
        return i;
    switch (border) {
    case WEFT_BORDER_REPLICATE:
        return i < 0 ? 0 : n - 1;
    case WEFT_BORDER_MIRROR: { /* forth and back without repeating either end: a period of 2n - 2 */
        if (n == 1)
            return 0;
        if (i > -n && i < 2 * n - 1) /* near, without a division */
            return i < 0 ? -i : 2 * n - 2 - i;
        int64_t place = weft_border_modulo(i, 2 * n - 2);
        return place < n ? place : 2 * n - 2 - place;
    }
    case WEFT_BORDER_SYMMETRIC: { /* forth and back, both ends twice: a period of 2n */
        if (i >= -n && i < 2 * n)
            return i < 0 ? -1 - i : 2 * n - 1 - i;
        int64_t place = weft_border_modulo(i, 2 * n);
        return place < n ? place : 2 * n - 1 - place;
    }
    case WEFT_BORDER_WRAP:
        return weft_border_modulo(i, n);
    case WEFT_BORDER_CONSTANT:
    case WEFT_BORDER_SHRINK:
        break;
    }
    return -1;
}

#endif
