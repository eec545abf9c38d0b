/* SPDX-License-Identifier: MIT
 * The ladder of code paths of stencils. With radius 1 and images as stored, threads walk down columns; bytes are added in whole
 * numbers where the weights allow it. All else uses tiles. */
#include "backend/gpu/choose/stencil.h"
#include "kernels/gpu/dialect/code_path.h"
#include "kernels/gpu/dialect/launch.h"
#include "kernels/gpu/tile/tile.h"

/* The formats that stencils walk over (kernels/gpu/stencil/walk.h): bytes, or floats to floats or bytes. */
static bool walks_over(const struct gpu_stencil_case *s) {
    if (s->source != s->channels) /* luminance, which becomes bytes */
        return s->channels == 1 && s->source >= 3 && s->stored == TYPE_U8 && (s->type == TYPE_U8 || s->type == TYPE_F32);
    if (s->channels == 2 || s->stored == TYPE_U16 || s->stored == TYPE_F16)
        return false;
    return s->type == TYPE_U8 ? s->stored == TYPE_U8 : s->type == TYPE_F32 && (s->stored == TYPE_U8 || s->channels != 3);
}

static bool fits_walking(const void *facts) {
    const struct gpu_stencil_case *s = facts;
    return s->radius == 1 && s->apart && s->alone && !s->loads && s->stored_channels == s->channels &&
           s->width >= WALK_PIXELS(s->type, s->source, s->channels, s->few_registers) && walks_over(s);
}
static bool fits_whole(const void *facts) {
    const struct gpu_stencil_case *s = facts;
    int32_t words = WALK_WHOLE_WORDS(s->source, s->channels, s->few_registers);
    return fits_walking(s) && s->type == TYPE_U8 && s->linear && (!s->luminance || (s->length && s->source == 4)) &&
           s->width * s->source >= 4 * words;
}

static const struct weft_rung rungs[] = {
    {STENCIL_WHOLE, "stencil", "bytes as stored, weights that allow whole numbers: walks down, four bytes in a word", fits_whole},
    {STENCIL_WALKING, "stencil", "bytes or f32 as stored, radius 1: walks down", fits_walking},
    {STENCIL_BY_TILE, "stencil", "all else, by tiles", weft_always_fits},
};

const struct weft_rung *weft_gpu_choose_stencil(const struct gpu_stencil_case *stencil) {
    return weft_first_that_fits(rungs, stencil);
}
