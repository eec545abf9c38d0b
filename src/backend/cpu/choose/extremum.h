/* SPDX-License-Identifier: MIT
 * How the CPU dilates and erodes down the columns: a ladder, of which the first that fits is taken. Nothing else chooses. */
#ifndef BACKEND_CPU_CHOOSE_EXTREMUM_H
#define BACKEND_CPU_CHOOSE_EXTREMUM_H
#include "base/ladder.h"
#include "weft/image.h"

/* All that the choice depends on. */
struct cpu_extremum_case {
    int64_t x, y; /* radii, cut where that makes no difference */
    weft_border border;
};

enum cpu_extremum_kernel { CPU_EXTREMUM_SQUARE, CPU_EXTREMUM_DIRECT, CPU_EXTREMUM_BLOCKS };
#define CPU_EXTREMUM_DIRECT_RADIUS 2 /* by measurement: above, blocks are faster */

const struct weft_rung *weft_cpu_choose_extremum(const struct cpu_extremum_case *extremum);

#endif
