/* SPDX-License-Identifier: MIT
 * The ladder of kernels of window filters: bytes as stored with small windows by half floats, two at a time; else tiles. */
#include "backend/gpu/choose/window.h"
#include "kernels/gpu/window/squares.h"
#include "kernels/gpu/window/window_bytes.h"

static bool fits_bytes(const void *facts) {
    const struct gpu_window_case *w = facts;
    return w->by_distance && w->has_mma_floats && (w->channels == 1 || w->channels == 3) &&
           w->launch_bytes >= WINDOW_BYTES_SHARED(w->channels) + WINDOW_BYTES_BESIDE && w->direct_bytes && w->border_is_byte &&
           w->border != WEFT_BORDER_SHRINK && w->radius_x <= WINDOW_BYTES_RADIUS && w->radius_y <= WINDOW_BYTES_RADIUS;
}

static const struct weft_rung rungs[] = {
    {GPU_WINDOW_BYTES, "window_bytes", "bytes of 1 or 3 channels as stored, small windows, weights by distance", fits_bytes},
    {GPU_WINDOW_ANY, "window", "all else", weft_always_fits},
};

const struct weft_rung *weft_gpu_choose_window(const struct gpu_window_case *window) {
    return weft_first_that_fits(rungs, window);
}

int32_t weft_gpu_squares_threads(int32_t block_threads, int32_t block_bytes) {
    bool wide = block_threads >= SQUARES_WIDE_THREADS && block_bytes >= SQUARES_BYTES(SQUARES_WIDE_THREADS);
    return wide ? SQUARES_WIDE_THREADS : SQUARES_THREADS;
}
