/* SPDX-License-Identifier: MIT
 * The ladders of downsampling and upsampling bytes along x: in whole numbers where outputs share their weights, else as
 * other resamplings. */
#include "backend/cpu/choose/multirate.h"

#define MOST_PAD (1 << 20)
#define MOST_SPAN 16 /* that a vector holds */

static bool is_decimation(const struct cpu_decimate_case *d) {
    return d->kernels->decimate_bytes && d->type == WEFT_U8 && d->border != WEFT_BORDER_CONSTANT &&
           d->border != WEFT_BORDER_SHRINK && d->step >= 2 && d->step <= WEFT_DECIMATION_STEP &&
           d->taps <= CPU_DECIMATE_TAPS && d->rounds && d->inside && d->pad <= MOST_PAD;
}
static bool fits_decimate_u16(const void *facts) {
    const struct cpu_decimate_case *d = facts;
    return is_decimation(d) && d->kernels->multirate_by_u16;
}
static bool fits_decimate_bytes(const void *facts) { return is_decimation(facts); }

static const struct weft_rung decimate_rungs[] = {
    {CPU_DECIMATE_U16, "decimate_bytes", "bytes, a whole number of pixels for an output: products of 16 bits",
     fits_decimate_u16},
    {CPU_DECIMATE_BYTES, "decimate_bytes", "bytes, a whole number of pixels for an output: products of 8 bits",
     fits_decimate_bytes},
    {CPU_DECIMATE_RESAMPLE, "resample", "all else: as other resamplings", weft_always_fits},
};

const struct weft_rung *weft_cpu_choose_decimate(const struct cpu_decimate_case *decimate) {
    return weft_first_that_fits(decimate_rungs, decimate);
}

/* The kernel reads no pixels outside the image. */
static bool is_interpolation(const struct cpu_interpolate_case *p) {
    return p->kernels->interpolate_bytes && p->type == WEFT_U8 && p->border != WEFT_BORDER_CONSTANT && p->planes &&
           p->step >= 2 && p->step <= WEFT_INTERPOLATION_STEP && p->taps <= CPU_INTERPOLATE_TAPS &&
           p->pixels <= INT32_MAX / 8 && p->rounds;
}
static bool fits_phases(const void *facts) {
    const struct cpu_interpolate_case *p = facts;
    return is_interpolation(p) && p->kernels->multirate_by_u16;
}
static bool fits_periods(const void *facts) {
    const struct cpu_interpolate_case *p = facts;
    return is_interpolation(p) && p->span <= MOST_SPAN;
}

static const struct weft_rung interpolate_rungs[] = {
    {CPU_INTERPOLATE_PHASES, "interpolate_bytes",
     "bytes, a whole number of outputs for a coarse pixel: output by output", fits_phases},
    {CPU_INTERPOLATE_PERIODS, "interpolate_bytes", "bytes, a whole number of outputs for a coarse pixel: 16 at a time",
     fits_periods},
    {CPU_INTERPOLATE_RESAMPLE, "resample", "all else: as other resamplings", weft_always_fits},
};

const struct weft_rung *weft_cpu_choose_interpolate(const struct cpu_interpolate_case *interpolate) {
    return weft_first_that_fits(interpolate_rungs, interpolate);
}
