/* SPDX-License-Identifier: MIT
 * The ladder of kernels of point programs: pixels that only move as bytes, bytes of bytes, component by component, by tables; all
 * else pixel by pixel. */
#include "backend/gpu/choose/point.h"

static bool fits_bytes(const void *facts) {
    const struct gpu_point_case *p = facts;
    return p->filters > 0 && p->one_image && p->bytes && p->apart;
}

static bool fits_moves(const void *facts) { return ((const struct gpu_point_case *)facts)->moves; }

static const struct weft_rung rungs[] = {
    {GPU_POINT_MOVES, "point_moves", "pixels of one format that only move: 16 bytes a thread", fits_moves},
    {GPU_POINT_BYTES, "point_bytes", "bytes of bytes, component by component: a table of 256", fits_bytes},
    {GPU_POINT_ANY, "point", "point filters alone, pixel by pixel", weft_always_fits},
};

const struct weft_rung *weft_gpu_choose_point(const struct gpu_point_case *point) { return weft_first_that_fits(rungs, point); }
