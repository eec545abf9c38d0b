/* SPDX-License-Identifier: MIT
 * The ladder of kernels for axes that are both enlarged, or both reduced, by whole numbers: by tensor cores where bytes are at one
 * end, else by sums of products. */
#include "backend/gpu/choose/multirate.h"
#include "kernels/gpu/tile/tile.h"

static bool enlarges(const struct gpu_multirate_axis *axis) {
    return axis->period >= 2 && axis->period <= INTERPOLATE_STEPS && axis->advance == 1 && axis->outputs >= 2 * axis->period;
}
static bool reduces(const struct gpu_multirate_axis *axis) {
    return axis->period == 1 && axis->advance >= 2 && axis->advance <= DECIMATE_STEPS;
}
bool weft_gpu_enlarges(const struct gpu_multirate_case *m) { return enlarges(&m->x) && enlarges(&m->y); }
bool weft_gpu_reduces(const struct gpu_multirate_case *m) { return reduces(&m->x) && reduces(&m->y); }

/* A form has weights of 0 behind an axis's own; where they are many, the general way takes less. */
static int32_t first_of(const int32_t *forms, int32_t forms_count, int32_t count) {
    for (int32_t i = 0; i < forms_count; i++)
        if (forms[i] >= count)
            return 3 * count > 2 * forms[i] ? forms[i] : 0;
    return 0;
}

int32_t weft_gpu_interpolate_form(const struct gpu_multirate_case *m) {
    static const int32_t taps[] = {9};
    return first_of(taps, 1, m->x.count > m->y.count ? m->x.count : m->y.count);
}

static int32_t reached(const struct gpu_multirate_axis *axis) { return (axis->count + axis->advance - 1) / axis->advance; }
int32_t weft_gpu_decimate_form(const struct gpu_multirate_case *m) {
    static const int32_t active[] = {9, 10};
    return first_of(active, 2, reached(&m->x) > reached(&m->y) ? reached(&m->x) : reached(&m->y));
}

static bool fits_interpolate_bytes(const void *facts) {
    const struct gpu_multirate_case *m = facts;
    return weft_gpu_enlarges(m) && m->bytes;
}
static bool fits_interpolate(const void *facts) { return weft_gpu_enlarges(facts) && weft_gpu_interpolate_form(facts) > 0; }
static bool fits_decimate_bytes(const void *facts) {
    const struct gpu_multirate_case *m = facts;
    return weft_gpu_reduces(m) && m->bytes;
}
static bool fits_decimate(const void *facts) { return weft_gpu_reduces(facts) && weft_gpu_decimate_form(facts) > 0; }

static const struct weft_rung rungs[] = {
    {GPU_MULTIRATE_INTERPOLATE_BYTES, "interpolate_bytes", "means of floats, enlarged by whole numbers to bytes, by tensor cores",
     fits_interpolate_bytes},
    {GPU_MULTIRATE_INTERPOLATE, "interpolate", "enlarged by whole numbers, 7 to 9 weights", fits_interpolate},
    {GPU_MULTIRATE_DECIMATE_BYTES, "decimate_bytes", "means of bytes, reduced by whole numbers to floats, by tensor cores",
     fits_decimate_bytes},
    {GPU_MULTIRATE_DECIMATE, "decimate", "reduced by whole numbers, a pixel reaches 7 to 10 outputs", fits_decimate},
    {GPU_MULTIRATE_NONE, "", "not by whole numbers, or few weights", weft_always_fits},
};

const struct weft_rung *weft_gpu_choose_multirate(const struct gpu_multirate_case *multirate) {
    return weft_first_that_fits(rungs, multirate);
}
