/* SPDX-License-Identifier: MIT
 * The ladder of stencils: weighted sums of whole numbers, else their bodies in f32. */
#include "backend/cpu/choose/stencil.h"

/* A constant outside may be no whole number. */
static bool fits_fixed(const void *facts) {
    const struct cpu_stencil_case *s = facts;
    bool whole = s->type == WEFT_U8 || (s->type == WEFT_U16 && s->fits_u16);
    return s->image && s->has_fixed && whole && s->sums && s->border != WEFT_BORDER_CONSTANT && !s->apart;
}

static const struct weft_rung rungs[] = {
    {CPU_STENCIL_FIXED, "weigh_taps_fixed, weigh_lengths_fixed", "weighted sums of bytes or 16 bits, in whole numbers", fits_fixed},
    {CPU_STENCIL_F32, "weft_body", "all else, in f32", weft_always_fits},
};

const struct weft_rung *weft_cpu_choose_stencil(const struct cpu_stencil_case *stencil) {
    return weft_first_that_fits(rungs, stencil);
}
