/* SPDX-License-Identifier: MIT
 * The ladder of dilations and erosions: squares of 3 x 3, windows of few rows, and van Herk's blocks. */
#include "backend/cpu/choose/extremum.h"

/* What lies outside such borders is inside the window already. */
static bool fits_square(const void *facts) {
    const struct cpu_extremum_case *e = facts;
    return e->x == 1 && e->y == 1 && e->border != WEFT_BORDER_WRAP && e->border != WEFT_BORDER_CONSTANT;
}
static bool fits_direct(const void *facts) { return ((const struct cpu_extremum_case *)facts)->y <= CPU_EXTREMUM_DIRECT_RADIUS; }

static const struct weft_rung rungs[] = {
    {CPU_EXTREMUM_SQUARE, "extremum_square", "3 x 3, with borders that repeat what is inside", fits_square},
    {CPU_EXTREMUM_DIRECT, "extremum_rows, extremum_line", "radius along y up to 2: row by row", fits_direct},
    {CPU_EXTREMUM_BLOCKS, "extremum_fold, extremum_join, extremum_line", "radius along y from 3 on: in blocks of rows",
     weft_always_fits},
};

const struct weft_rung *weft_cpu_choose_extremum(const struct cpu_extremum_case *extremum) {
    return weft_first_that_fits(rungs, extremum);
}
