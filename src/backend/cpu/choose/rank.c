/* SPDX-License-Identifier: MIT
 * The ladder of medians: radius 1 and 2 by networks, from 3 on by bits, large ones by histograms or blocks. */
#include "backend/cpu/choose/rank.h"

static bool fits_network(const void *facts) { return ((const struct cpu_rank_case *)facts)->radius <= CPU_RANK_NETWORK_RADIUS; }
static bool fits_bits(const void *facts) {
    const struct cpu_rank_case *rank = facts;
    return rank->border != WEFT_BORDER_SHRINK && rank->radius <= rank->bits_radius;
}
static bool fits_histogram(const void *facts) { /* a side is counted in 16 bits */
    const struct cpu_rank_case *rank = facts;
    return rank->type == WEFT_ROW_U8 && rank->radius < 32768;
}

static const struct weft_rung rungs[] = {
    {CPU_RANK_NETWORK, "rank_network, rank_few", "radius 1 and 2: a network", fits_network},
    {CPU_RANK_BITS, "rank_bits", "middle radii: bit by bit", fits_bits},
    {CPU_RANK_HISTOGRAM, "rank_histogram", "bytes, large radii: histograms that slide", fits_histogram},
    {CPU_RANK_BLOCK, "rank_block", "all else: blocks of sorted values", weft_always_fits},
};

const struct weft_rung *weft_cpu_choose_rank(const struct cpu_rank_case *rank) { return weft_first_that_fits(rungs, rank); }
