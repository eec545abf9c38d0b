/* SPDX-License-Identifier: MIT
 * Kernels whose blocks have a thread for each column of a strip: getting pixels in unrolled loops, and a tile of
 * numbers in shared memory in which threads then go along rows, four pixels each. PLANES: the kernel's channels, at
 * least. */
#ifndef KERNELS_GPU_STRIP_H
#define KERNELS_GPU_STRIP_H
#include "kernels/gpu/weigh.h"

#define STRIP_COLUMNS 256
/* Column c of a tile's row: every fourth column side by side, and these four groups in different banks, so that neither
 * threads with neighbouring columns nor threads four columns apart get in each other's way. */
#define STRIP_PITCH 288
FN int strip_at(int c) { return (c & 3) * (STRIP_PITCH / 4) + (c >> 2); }

#if defined(GLSL)
#define strip_fetch fetch
#else
#if !defined(PLAIN)
/* The programs' interpreter once, not in every turn of an unrolled loop. */
FN_CALL vec4 strip_run(const gpu_launch &L, int x, int y) {
    thread_state S;
    return CALL(fetch, x, y);
}
#endif
LFN(vec4, strip_fetch, int x, int y) {
#if !defined(PLAIN)
    if (L.load_count > 0)
        return strip_run(L, x, y);
#endif
    address row = L.image[0].first + address(long_int(y) * L.image[0].pitch);
    return read_pixel(row, x, L.in_type, least(L.in_channels, PLANES));
}
#endif

/* The pixel of a column that is inside, or -1, in a row that is anywhere; `outside` where there is none. */
LFN(vec4, strip_pixel, int column, int row, float outside) {
    int row_there = border_place(row, L.in_height, border_known);
    vec4 v = same_in_all(outside);
    if (column >= 0 && row_there >= 0)
        v = CALL(strip_fetch, column, row_there);
    return v;
}

#endif
