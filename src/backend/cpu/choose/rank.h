/* SPDX-License-Identifier: MIT
 * How the CPU makes a median: a ladder, of which the first that fits is taken. Nothing else chooses. */
#ifndef BACKEND_CPU_CHOOSE_RANK_H
#define BACKEND_CPU_CHOOSE_RANK_H
#include "base/ladder.h"
#include "kernels/cpu/kernels.h"
#include "weft/image.h"

/* All that the choice depends on. */
struct cpu_rank_case {
    int64_t radius; /* 1 at least, cut where that makes no difference */
    weft_border border;
    enum weft_row_type type;
    int64_t bits_radius; /* of the instruction set: up to which its kernel by bits is faster for that type */
};

enum cpu_rank_kernel { CPU_RANK_NETWORK, CPU_RANK_BITS, CPU_RANK_HISTOGRAM, CPU_RANK_BLOCK };
#define CPU_RANK_NETWORK_RADIUS 2

const struct weft_rung *weft_cpu_choose_rank(const struct cpu_rank_case *rank);

#endif
