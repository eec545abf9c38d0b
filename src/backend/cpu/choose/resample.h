/* SPDX-License-Identifier: MIT
 * How the CPU resamples along a row: a ladder, of which the first that fits is taken. Nothing else chooses. */
#ifndef BACKEND_CPU_CHOOSE_RESAMPLE_H
#define BACKEND_CPU_CHOOSE_RESAMPLE_H
#include "base/ladder.h"

/* All that the choice depends on. */
struct cpu_resample_case {
    bool ratio;              /* outputs are in order; `period` outputs later the weights are the same, `advance` pixels further */
    int32_t period, advance;
    int64_t count;           /* how many outputs this holds for */
    int32_t taps;            /* weights of an output */
};

enum cpu_resample_form { CPU_RESAMPLE_GATHER, CPU_RESAMPLE_DOT, CPU_RESAMPLE_PHASES, CPU_RESAMPLE_GROW };
#define CPU_RESAMPLE_MOST_PHASES 64 /* of period and advance */

const struct weft_rung *weft_cpu_choose_resample(const struct cpu_resample_case *resample);

#endif
