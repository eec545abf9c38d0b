/* SPDX-License-Identifier: MIT
 * Rows of bytes made coarser, and coarse rows made bytes, along x: what the kernels of multirate.c are told. */
#ifndef KERNELS_MULTIRATE_H
#define KERNELS_MULTIRATE_H
#include <stdint.h>

/* Outputs `step` pixels apart, all of the same weights, which are whole numbers of 16 bits. Vectors have 16 places for four
 * taps each: the first or, where outputs are more than 4 pixels apart, each half of a vector has a place for every output of
 * a block, channel by channel; the second half is for the four taps that follow. */
struct weft_decimation {
    int32_t channels, step;
    int32_t halves;       /* 1 or 2 */
    int32_t count;        /* vectors of weights: 4 * halves taps each */
    int32_t from, to;     /* those whose high bytes are not all 0 */
    uint8_t place[64];    /* of 64 bytes of pixels, which belong where */
    int8_t *weights;      /* count times 64 low bytes and 64 high ones */
    float factor;         /* by which sums are numbers */
};
#define WEFT_DECIMATION_STEP 8 /* the largest */

/* Components of a row of bytes, 16 at a time: of component c + k of a block, which tap it begins with, by `place`, and what
 * weights its pairs of taps have. After `period` blocks they come again, `advance` components of the coarse row further. */
struct weft_interpolation {
    int32_t channels, pairs, period, advance;
    int32_t start, shift;
    int32_t span;    /* the largest place and 1 */
    int32_t *first;   /* of each block of a period, in components of the coarse row */
    int32_t *place;   /* period times 16 */
    int32_t *weights; /* period times pairs times 16, two of 16 bits each */
};
#define WEFT_INTERPOLATION_FRACTION 7 /* bits of coarse numbers below a step */

#endif
