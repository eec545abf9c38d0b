/* SPDX-License-Identifier: MIT
 * The GPU kernel of a stencil, around the body of the filter that includes this. Each pixel that a block looks at comes
 * through the load program once, into shared memory, channel by channel; the body sees one channel at a time, or with PIXELS
 * all of them.
 *   number[0]   channels to filter; the rest (alpha) is copied */
#include "kernels/gpu/tile.h"

BLOCK_MEMORY(BLOCK)
SHARED(float, tile, TILE_NUMBERS(RADIUS));
#include "kernels/gpu/tile_pixel.h"

BODY;
#ifndef PIXELS
FN float filtered(int center, int k, int colors, BODY_BLOCK P) {
    return k < colors ? body(center, P) : tile[center];
}
#endif

KERNEL(KERNEL_NAME, 32, 8) {
    BEGIN
    int channels = in_channels_known, rows = TILE_ROWS(channels), plane = TILE_WIDTH * (rows + 2 * RADIUS);
    int left = BLOCK_X * TILE_COLUMNS, top = L.from_y + BLOCK_Y * rows;
    for (int i = THREAD_Y * TILE_COLUMNS + THREAD_X; i < plane; i += TILE_THREADS) {
        int x = left - RADIUS + i % TILE_WIDTH, y = top - RADIUS + i / TILE_WIDTH, inside = 1;
        if (x < L.width + RADIUS && y < L.to_y + RADIUS) { /* rows further down may not be there */
            vec4 v = CALL(fetch_around, x, y, inside);
            tile_put(i, plane, channels, v);
        }
    }
    BARRIER;
    int x = left + THREAD_X;
#ifndef PIXELS
    int colors = L.number[0];
#endif
    BODY_BLOCK P = BLOCK_AT(BLOCK, BLOCK_ADDRESS(L.block));
    for (int row = THREAD_Y; row < rows; row += TILE_THREAD_ROWS) {
        int center = (row + RADIUS) * TILE_WIDTH + THREAD_X + RADIUS;
        if (x < L.width && top + row < L.to_y) {
#ifdef PIXELS
            vec4 v = body(center, plane, channels, P);
#else
            vec4 v = rgba(filtered(center, 0, colors, P), 0.0f, 0.0f, 0.0f);
            if (channels > 1)
                v.y = filtered(center + plane, 1, colors, P);
            if (channels > 2)
                v.z = filtered(center + 2 * plane, 2, colors, P);
            if (channels > 3)
                v.w = filtered(center + 3 * plane, 3, colors, P);
#endif
            CALL(deliver, x, top + row, v);
        }
    }
    FINISH
}
