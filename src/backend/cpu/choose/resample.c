/* SPDX-License-Identifier: MIT
 * The ladder of resamplings along a row, by figures measured with AVX-512 and checked with SSE. */
#include "backend/cpu/choose/resample.h"

#define SHORTEST_PHASE 24 /* outputs of a phase; fewer do not repay splitting the row into phases */
#define MOST_APART 16     /* pixels split into phases for one output */
#define GROW_PERIOD 16    /* the least period for which `grow` is faster than `phases` */
#define DOT_TAPS 6

static bool fits_grow(const void *facts) {
    const struct cpu_resample_case *r = facts;
    return r->ratio && r->period >= GROW_PERIOD && r->advance == 1;
}
static bool fits_phases(const void *facts) {
    const struct cpu_resample_case *r = facts;
    return r->ratio && r->period <= CPU_RESAMPLE_MOST_PHASES && r->advance <= CPU_RESAMPLE_MOST_PHASES &&
           r->advance <= MOST_APART * r->period && r->count / r->period >= SHORTEST_PHASE;
}
static bool fits_dot(const void *facts) { return ((const struct cpu_resample_case *)facts)->taps >= DOT_TAPS; }

static const struct weft_rung rungs[] = {
    {CPU_RESAMPLE_GROW, "resample_grow", "along x: enlarged 16 times and more", fits_grow},
    {CPU_RESAMPLE_PHASES, "weigh_rows", "along x: by a ratio of small numbers, phase by phase", fits_phases},
    {CPU_RESAMPLE_DOT, "resample_dot", "along x: 6 weights and more, output by output", fits_dot},
    {CPU_RESAMPLE_GATHER, "resample_gather", "along x: few weights, many outputs at a time", weft_always_fits},
};

const struct weft_rung *weft_cpu_choose_resample(const struct cpu_resample_case *resample) {
    return weft_first_that_fits(rungs, resample);
}
