/* SPDX-License-Identifier: MIT
 * The GPU kernel of a window, around the body of the filter that includes this. The neighbourhood is gone through in
 * pieces of number[0] columns and number[1] rows; a tile of shared memory has the pixels that a piece of any of the
 * block's pixels looks at, each read through the load program once for all of them.
 *
 * Sums are made row by row of a piece and then added up: thousands of terms one by one would lose digits.
 * formats u8x1 u8x3 u8x4 f32x1 f32x3 f32x4 */
#include "kernels/gpu/tile.h"

BLOCK_MEMORY(BLOCK)
SHARED(float, tile, WINDOW_NUMBERS);
#include "kernels/gpu/tile_pixel.h"

INSIDE;
BODY;

/* Adds `count` neighbours in a row, the first at tile[i] and dx, dy away, to the sums and the weights' sum. */
LFN(void, add_row, int channels, int i, int plane, int count, int dx, int dy, vec4 center, INOUT(vec4) sums,
    INOUT(float) weights) {
    BODY_BLOCK P = BLOCK_AT(BLOCK, BLOCK_ADDRESS(L.block));
    vec4 row = rgba(0.0f, 0.0f, 0.0f, 0.0f);
    float row_weights = 0.0f;
    for (int k = 0; k < count; k++) {
        vec4 neighbor = tile_pixel(i + k, plane, channels);
        float weight = inside(to_float(dx + k), to_float(dy), P) *
                       body(center, neighbor, to_float(dx + k), to_float(dy), P);
        row_weights += weight;
        row.x += weight * neighbor.x;
        if (channels > 1)
            row.y += weight * neighbor.y;
        if (channels > 2)
            row.z += weight * neighbor.z;
        if (channels > 3)
            row.w += weight * neighbor.w;
    }
    weights += row_weights;
    sums.x += row.x;
    sums.y += row.y;
    sums.z += row.z;
    sums.w += row.w;
}

/* Adds a piece of columns from dx .. end and rows from dy .. bottom. */
LFN(void, add_piece, int channels, int x, int y, int first, int dx, int end, int dy, int bottom, vec4 center,
    INOUT(vec4) sums, INOUT(float) weights) {
    int width = TILE_COLUMNS - 1 + L.number[0], plane = width * (TILE_THREAD_ROWS - 1 + L.number[1]);
    bool shrink = border_known == BORDER_SHRINK;
    /* What is known to be 0 costs nothing. */
    center = rgba(center.x, channels > 1 ? center.y : 0.0f, channels > 2 ? center.z : 0.0f, channels > 3 ? center.w : 0.0f);
    int low = shrink && x + dx < 0 ? -x : dx, high = shrink && x + end > L.width ? L.width - x : end;
    for (int row = dy; row < bottom; row++)
        if (!shrink || (y + row >= 0 && y + row < L.in_height))
            CALL(add_row, channels, first + (row - dy) * width + low - dx, plane, high - low, low, row, center, sums,
                 weights);
}

/* Fills the tile with the pixels from left, top on. */
LFN(void, fill_tile, int left, int top, int right, int bottom) {
    int channels = in_channels_known;
    int width = TILE_COLUMNS - 1 + L.number[0], plane = width * (TILE_THREAD_ROWS - 1 + L.number[1]);
    for (int i = THREAD_Y * TILE_COLUMNS + THREAD_X; i < plane; i += TILE_THREADS) {
        int x = left + i % width, y = top + i / width, inside = 1;
        if (x < right && y < bottom) { /* rows further down may not be there */
            vec4 v = CALL(fetch_around, x, y, inside);
            tile_put(i, plane, channels, v);
        }
    }
}

KERNEL(KERNEL_NAME, 32, 8) {
    BEGIN
    int left = BLOCK_X * TILE_COLUMNS, top = L.from_y + BLOCK_Y * TILE_THREAD_ROWS;
    int x = left + THREAD_X, y = top + THREAD_Y, channels = in_channels_known;
    int width = TILE_COLUMNS - 1 + L.number[0], first = THREAD_Y * width + THREAD_X;
    bool wanted = x < L.width && y < L.to_y;
    vec4 center = rgba(0.0f, 0.0f, 0.0f, 0.0f), sums = center;
    float weights = 0.0f;
    if (wanted)
        center = CALL(fetch, x, y);
    for (int dy = -L.radius_y; dy <= L.radius_y; dy += L.number[1])
        for (int dx = -L.radius_x; dx <= L.radius_x; dx += L.number[0]) {
            int end = min(dx + L.number[0], L.radius_x + 1), bottom = min(dy + L.number[1], L.radius_y + 1);
            BARRIER;
            CALL(fill_tile, left + dx, top + dy, L.width - 1 + end, L.to_y - 1 + bottom);
            BARRIER;
            if (wanted) {
                if (channels == 1)
                    CALL(add_piece, 1, x, y, first, dx, end, dy, bottom, center, sums, weights);
                else if (channels == 2)
                    CALL(add_piece, 2, x, y, first, dx, end, dy, bottom, center, sums, weights);
                else if (channels == 3)
                    CALL(add_piece, 3, x, y, first, dx, end, dy, bottom, center, sums, weights);
                else
                    CALL(add_piece, 4, x, y, first, dx, end, dy, bottom, center, sums, weights);
            }
        }
    if (wanted) {
        vec4 mean = rgba(sums.x / weights, sums.y / weights, sums.z / weights, sums.w / weights);
        CALL(deliver, x, y, mean);
    }
    FINISH
}
