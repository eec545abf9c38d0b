/* SPDX-License-Identifier: MIT
 * The forms of medians: small sorting networks, bit planes, histograms of 8-bit values, and sorted blocks. */
#ifndef CPU_RANK_H
#define CPU_RANK_H
#include "backend/cpu/steps/halo.h"
#include "base/status.h"
#include "kernels/cpu/rank/rank.h"

struct rank {
    int64_t radius;
    weft_border border;
    int64_t left[3], right[3]; /* columns that stand for those around the first and the last one; -1: none */
    int64_t block_width, block_height; /* of blocks: outputs of one */
};

/* Rows and columns of input that an output needs; blocks have rows of their own. */
void weft_rank_rows(const struct step *step, int i, int64_t y, int64_t *first, int64_t *last);
void weft_rank_columns(const struct step *step, int i, int64_t x0, int64_t x1, int64_t *first, int64_t *end);

extern const struct step_kind weft_rank_bits, weft_rank_histogram, weft_rank_block;
/* Chooses the size of blocks; false when one cannot be counted in 32 bits. */
bool weft_rank_block_choose(struct rank *rank);

#endif
