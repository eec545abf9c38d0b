/* SPDX-License-Identifier: MIT
 * Downsampling of rows of bytes and upsampling to bytes, along x: the parameters of the kernels of multirate.c. */
#ifndef KERNELS_MULTIRATE_H
#define KERNELS_MULTIRATE_H
#include <stdint.h>

/* The weights of struct weft_decimation for products of 16 bits and vectors of 32 bytes. A lane of 16 bytes is 4 * halves taps
 * of `outputs` outputs, in two parts: of each, four places have two taps each. Where there are two halves, which all places
 * but those of three and four channels may be, what two places have of an output and channel is added up in the end. */
struct weft_decimation_u16 {
    int32_t outputs, halves;
    int32_t count;         /* lanes, one after the other: 4 * halves taps each */
    uint8_t place[2][16];  /* which of 16 bytes of pixels goes where, as u16; 128 and above: 0 */
    int16_t *weights;      /* count times both parts' 8 */
};

/* Outputs `step` pixels apart, all of the same weights, which are whole numbers of 16 bits. Vectors have 16 places for four
 * taps each: the first or, where outputs are more than 4 pixels apart, each half of a vector has a place for every output of
 * a block, channel by channel; the second half is for the four taps that follow. */
struct weft_decimation {
    int32_t channels, step;
    int32_t halves;       /* 1 or 2 */
    int32_t count;        /* vectors of weights: 4 * halves taps each */
    int32_t from, to;     /* those whose high bytes are not all 0 */
    uint8_t place[64];    /* which of 64 bytes of pixels goes where */
    int8_t *weights;      /* count times 64 low bytes and 64 high ones */
    float factor;         /* times which a sum is the result */
    struct weft_decimation_u16 u16;
};
#define WEFT_DECIMATION_STEP 8    /* the largest */
#define WEFT_INTERPOLATION_STEP 8 /* the same */

/* The same output by output, for vectors of 32 bytes: output i * step + j begins with coarse pixel first[j] + i, and has weights
 * j. */
struct weft_interpolation_phases {
    int32_t step;                              /* outputs for a coarse pixel */
    int32_t first[WEFT_INTERPOLATION_STEP];
    int32_t *weights;                          /* of each phase its pairs of taps, two of 16 bits each */
    uint8_t (*interleaved)[16];                      /* of each 16 bytes of outputs, from which byte of 16 of each phase one comes;
                                                  128: from none. Of one and two channels */
};

/* Components of a row of bytes, 16 at a time: of component c + k of a block, which tap it begins with, by `place`, and what
 * weights its pairs of taps have. After `period` blocks they come again, `advance` components of the coarse row further. */
struct weft_interpolation {
    int32_t channels, pairs, period, advance;
    int32_t start, shift;
    int32_t span;    /* the largest place and 1 */
    int32_t *first;   /* of each block of a period, in components of the coarse row */
    int32_t *place;   /* period times 16 */
    int32_t *weights; /* period times pairs times 16, two of 16 bits each */
    struct weft_interpolation_phases phases;
};
#define WEFT_INTERPOLATION_FRACTION 7 /* bits of coarse numbers below a step */

#endif
