/* SPDX-License-Identifier: MIT
 * How the CPU makes a box filter: a ladder, of which the first that fits is taken. Nothing else chooses. */
#ifndef BACKEND_CPU_CHOOSE_BOX_H
#define BACKEND_CPU_CHOOSE_BOX_H
#include "base/ladder.h"
#include "kernels/cpu/kernels.h"

/* All that the choice depends on. */
struct cpu_box_case {
    int64_t x, y;               /* radii */
    int64_t radius_x, radius_y; /* the same, cut where that makes no difference at the border */
    enum weft_row_type type;
};

enum cpu_box_kernel { CPU_BOX_SEPARABLE, CPU_BOX_F32, CPU_BOX_U16, CPU_BOX_U32, CPU_BOX_U64 };

const struct weft_rung *weft_cpu_choose_box(const struct cpu_box_case *box);

/* What the values of a column sum to at most. */
double weft_cpu_box_column(const struct cpu_box_case *box);

#endif
