/* SPDX-License-Identifier: MIT
 * Sums of 5 to 15 columns along a row of 16-bit numbers, for AVX-512: to make each sum by itself takes as many loads as columns,
 * all but one of which cross a cache line. Here a vector is loaded once; sums of 2, 4 and 8 columns are made of one another, and
 * elements further along the row are permuted out of two vectors. */
#ifndef KERNELS_BOX_FEW_AVX512_H
#define KERNELS_BOX_FEW_AVX512_H
#include <string.h>
#include "kernels/cpu/isa/fixed.h"

#define BOX_FEW_LEAST 5
#define BOX_FEW_MOST 15
/* Elements that are read from the first of a block on. */
#define BOX_FEW_READ (4 * FIXED_LANES)

/* Blocks that follow one another, the first of which is made: of columns, and sums of two and of four. */
struct box_blocks {
    fixed one[4], two[3], four[2];
};

/* Elements `away` behind the first block's. */
FIXED_INLINE fixed box_away(const fixed *blocks, const int away) {
    static const int16_t places[FIXED_LANES] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                                16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};
    const int block = away / FIXED_LANES, rest = away % FIXED_LANES;
    return rest == 0 ? blocks[block]
                     : _mm512_permutex2var_epi16(blocks[block], fixed_add(fixed_load(places), fixed_all((int16_t)rest)),
                                                 blocks[block + 1]);
}

/* Moves on by a block: `line` is where the new first block begins. */
FIXED_INLINE void box_few_go_on(struct box_blocks *b, const int16_t *line, const int stride) {
    for (int i = 0; i < 3; i++)
        b->one[i] = b->one[i + 1];
    b->one[3] = fixed_load(line + 3 * FIXED_LANES);
    b->two[0] = b->two[1], b->two[1] = b->two[2], b->four[0] = b->four[1];
    b->two[2] = fixed_add(b->one[2], box_away(b->one + 2, stride));
    b->four[1] = fixed_add(b->two[1], box_away(b->two + 1, 2 * stride));
}

FIXED_INLINE void box_few_begin(struct box_blocks *b, const int16_t *line, const int stride) {
    for (int i = 0; i < 4; i++)
        b->one[i] = fixed_load(line + i * FIXED_LANES);
    for (int i = 0; i < 3; i++)
        b->two[i] = fixed_add(b->one[i], box_away(b->one + i, stride));
    for (int i = 0; i < 2; i++)
        b->four[i] = fixed_add(b->two[i], box_away(b->two + i, 2 * stride));
}

/* The sums of the first block, of an odd number of columns from BOX_FEW_LEAST to BOX_FEW_MOST. */
FIXED_INLINE fixed box_few_sums(const struct box_blocks *b, const int window, const int stride) {
    int done = 4;
    fixed sum = b->four[0];
    for (; window - done >= 4; done += 4)
        sum = fixed_add(sum, box_away(b->four, done * stride));
    if (window & 2)
        sum = fixed_add(sum, box_away(b->two, done * stride)), done += 2;
    return fixed_add(sum, box_away(b->one, done * stride));
}
#endif
