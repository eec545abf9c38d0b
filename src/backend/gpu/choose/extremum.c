/* SPDX-License-Identifier: MIT
 * The ladder of kernels of dilations and erosions: bytes and f32 as stored take one launch for both axes. Other images take one
 * launch too where windows are small; for large windows there are two passes, along x, then along y. */
#include "backend/gpu/choose/extremum.h"
#include "kernels/gpu/extremum/extremum_bytes.h"

/* The kernel `extremum`: the radius along x of which half of a block's columns are left. */
#define TILE_RADIUS_X 64
int32_t weft_gpu_extremum_tile_rows(int32_t channels) { return channels == 1 ? 8 : 4; }

/* From these radii along y on, blocks go down the image, where they keep what they saw. */
#define WALK_RADIUS_BYTES 32
#define WALK_RADIUS_VALUES 24

/* What windows beyond an edge count is a byte too. */
static bool fits_any_bytes(const struct gpu_extremum_case *e) {
    return e->x <= TILE_RADIUS_X && e->y <= TILE_RADIUS_X && e->border_is_byte && e->channels != 2 && e->direct_bytes;
}
/* Of three channels a word holds parts of pixels: there CUDA's extremum_bytes is 1.6 times as fast; Vulkan's takes 1.7 times as
 * long at radius 1. */
static bool fits_small(const void *facts) {
    const struct gpu_extremum_case *e = facts;
    return fits_any_bytes(e) && (e->channels != 3 || e->few_registers) && e->x == e->y && e->x <= 2;
}
static bool fits_bytes(const void *facts) {
    const struct gpu_extremum_case *e = facts;
    return fits_any_bytes(e) && e->y < WALK_RADIUS_BYTES;
}
static bool fits_walk_bytes(const void *facts) { return fits_any_bytes(facts); }
/* In CUDA extremum_bytes is 1.04 to 1.1 times as fast; in Vulkan it takes 2.2 times as long. */
static bool fits_registers(const void *facts) {
    const struct gpu_extremum_case *e = facts;
    return e->x == 1 && e->y == 1 && e->fits_registers && e->few_registers;
}
/* No fewer than half of what a block reads is made, and enough pixels for a thread. */
static bool fits_any_values(const struct gpu_extremum_case *e) {
    int32_t made = e->x <= TILE_RADIUS_X ? EXTREMUM_MADE(e->x, 4 * e->channels) : 0;
    return e->y <= TILE_RADIUS_X && made >= EXTREMUM_READ / 2 && e->channels != 2 && e->direct_f32;
}
static bool fits_values(const void *facts) {
    const struct gpu_extremum_case *e = facts;
    return fits_any_values(e) && e->y < WALK_RADIUS_VALUES;
}
static bool fits_walk_values(const void *facts) { return fits_any_values(facts); }
/* Half at least of a block's columns are made, and no pixel takes too many reads. */
static bool fits_tile(const void *facts) {
    const struct gpu_extremum_case *e = facts;
    return e->x > 0 && e->y > 0 && e->x <= TILE_RADIUS_X && e->y <= 8 * weft_gpu_extremum_tile_rows(e->channels);
}

static const struct weft_rung rungs[] = {
    {GPU_EXTREMUM_SMALL, "extremum_small", "bytes as stored, squares of radius 1 and 2; of 3 channels in Vulkan", fits_small},
    {GPU_EXTREMUM_BYTES, "extremum_bytes", "bytes as stored, radius along y below 32", fits_bytes},
    {GPU_EXTREMUM_WALK_BYTES, "extremum_walk", "bytes as stored, radius along y from 32 to 64", fits_walk_bytes},
    {GPU_EXTREMUM_REGISTERS, "extremum_registers", "f32 as stored, radius 1, in Vulkan", fits_registers},
    {GPU_EXTREMUM_VALUES, "extremum_bytes", "f32 as stored, radius along y below 24", fits_values},
    {GPU_EXTREMUM_WALK_VALUES, "extremum_walk", "f32 as stored, radius along y from 24 to 64", fits_walk_values},
    {GPU_EXTREMUM_TILE, "extremum", "small windows, both axes at once", fits_tile},
    {GPU_EXTREMUM_LINES, "extremum_line", "all else, axis by axis", weft_always_fits},
};

const struct weft_rung *weft_gpu_choose_extremum(const struct gpu_extremum_case *extremum) {
    return weft_first_that_fits(rungs, extremum);
}
