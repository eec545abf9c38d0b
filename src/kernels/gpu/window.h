/* SPDX-License-Identifier: MIT
 * The GPU kernel of a window, around the body of the filter that includes this. The neighbourhood is gone through in
 * pieces of number[0] columns and number[1] rows; a tile of shared memory has the pixels that a piece of any of the
 * block's pixels looks at, each read through the load program once for all of them.
 *
 * A thread makes WINDOW_STEPS pixels one below the other. Neighbors' shares are worked out once for a piece and block.
 *
 * Sums are made row by row of a piece and then added up: thousands of terms one by one would lose digits.
 * formats u8x1 u8x3 u8x4 f32x1 f32x3 f32x4 */
#include "kernels/gpu/tile.h"
#include "kernels/gpu/bits.h"

BLOCK_MEMORY(BLOCK)
SHARED(float, tile, WINDOW_NUMBERS);
#include "kernels/gpu/tile_pixel.h"

SHARED(float, shares, WINDOW_SHARES);

SHARE;
BODY;

#define STEPS WINDOW_MOST_STEPS

/* The shares of the neighbors from dx, dy on, row by row of a piece. */
LFN(void, fill_shares, int dx, int dy) {
    BODY_BLOCK P = BLOCK_AT(BLOCK, BLOCK_ADDRESS(L.block));
    int columns = L.number[0];
    for (int i = THREAD_Y * TILE_COLUMNS + THREAD_X; i < columns * L.number[1]; i += TILE_THREADS)
        shares[i] = share(to_float(dx + i % columns), to_float(dy + i / columns), P);
}

/* A pixel on its way: its own colors, and the sums so far. */
struct window_pixel {
    vec4 center, sums;
    float weights;
};

/* Adds the neighbors `from` .. last of a row of a piece, the row's first at tile[i] and its share at shares[k], to the sums of
 * each of the pixels. Which of them see the row: bit s of `counts`. */
LFN(void, add_row, int channels, int i, int k, int plane, int from, int last, int counts,
    INOUT_ARRAY(window_pixel, pixel, STEPS)) {
    BODY_BLOCK P = BLOCK_AT(BLOCK, BLOCK_ADDRESS(L.block));
    int width = TILE_COLUMNS - 1 + L.number[0];
    vec4 row[STEPS];
    float row_weights[STEPS];
    UNROLL for (int s = 0; s < WINDOW_STEPS(channels); s++) {
        row[s] = rgba(0.0f, 0.0f, 0.0f, 0.0f);
        row_weights[s] = 0.0f;
    }
    /* Neighbors at the ends that do not count are left out. Within a row they are multiplied by 0: with a branch around
     * each compilers divide again for every other one. */
    while (from <= last && shares[k + last] == 0.0f)
        last = last - 1;
    while (from <= last && shares[k + from] == 0.0f)
        from = from + 1;
    for (int n = from; n <= last; n++) {
        float part = shares[k + n];
        UNROLL for (int s = 0; s < WINDOW_STEPS(channels); s++) {
            vec4 neighbor = tile_pixel(i + n + s * width, plane, channels);
            float weight = part * body(pixel[s].center, neighbor, P);
            row_weights[s] += weight;
            row[s].x += weight * neighbor.x;
            if (channels > 1)
                row[s].y += weight * neighbor.y;
            if (channels > 2)
                row[s].z += weight * neighbor.z;
            if (channels > 3)
                row[s].w += weight * neighbor.w;
        }
    }
    UNROLL for (int s = 0; s < WINDOW_STEPS(channels); s++) {
        if ((counts >> s & 1) != 0) {
            pixel[s].weights += row_weights[s];
            pixel[s].sums.x += row[s].x;
            pixel[s].sums.y += row[s].y;
            pixel[s].sums.z += row[s].z;
            pixel[s].sums.w += row[s].w;
        }
    }
}

/* Adds a piece of columns dx .. end - 1 and rows dy .. bottom - 1 to the pixels x, y and below, the first of which has the
 * piece's first neighbor at tile[first]. */
LFN(void, add_piece, int channels, int x, int y, int first, int dx, int end, int dy, int bottom,
    INOUT_ARRAY(window_pixel, pixel, STEPS)) {
    int width = TILE_COLUMNS - 1 + L.number[0], plane = width * (WINDOW_ROWS(channels) - 1 + L.number[1]);
    bool shrink = border_known == BORDER_SHRINK;
    UNROLL for (int s = 0; s < WINDOW_STEPS(channels); s++) { /* what is known to be 0 costs nothing */
        vec4 c = pixel[s].center;
        pixel[s].center =
            rgba(c.x, channels > 1 ? c.y : 0.0f, channels > 2 ? c.z : 0.0f, channels > 3 ? c.w : 0.0f);
    }
    int low = shrink && x + dx < 0 ? -x : dx, high = shrink && x + end > L.width ? L.width - x : end;
    for (int row = dy; row < bottom; row++) {
        int counts = 0;
        UNROLL for (int s = 0; s < WINDOW_STEPS(channels); s++)
            counts |= !shrink || (y + s + row >= 0 && y + s + row < L.in_height) ? 1 << s : 0;
        CALL(add_row, channels, first + (row - dy) * width, (row - dy) * L.number[0], plane, low - dx, high - 1 - dx, counts,
             pixel);
    }
}

/* Fills the tile with the pixels from left, top on. */
LFN(void, fill_tile, int channels, int left, int top, int right, int bottom) {
    int width = TILE_COLUMNS - 1 + L.number[0], plane = width * (WINDOW_ROWS(channels) - 1 + L.number[1]);
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
    int channels = in_channels_known, steps = WINDOW_STEPS(channels);
    int left = BLOCK_X * TILE_COLUMNS, top = L.from_y + BLOCK_Y * WINDOW_ROWS(channels);
    int x = left + THREAD_X, y = top + THREAD_Y * steps;
    int width = TILE_COLUMNS - 1 + L.number[0], first = THREAD_Y * steps * width + THREAD_X;
    bool wanted = x < L.width && y < L.to_y;
    window_pixel pixel[STEPS];
    UNROLL for (int s = 0; s < STEPS; s++) {
        pixel[s].center = rgba(0.0f, 0.0f, 0.0f, 0.0f);
        pixel[s].sums = pixel[s].center;
        pixel[s].weights = 0.0f;
        if (s < steps && wanted && y + s < L.to_y)
            pixel[s].center = CALL(fetch, x, y + s);
    }
    for (int dy = -L.radius_y; dy <= L.radius_y; dy += L.number[1])
        for (int dx = -L.radius_x; dx <= L.radius_x; dx += L.number[0]) {
            int end = min(dx + L.number[0], L.radius_x + 1), bottom = min(dy + L.number[1], L.radius_y + 1);
            BARRIER;
            CALL(fill_shares, dx, dy);
            CALL(fill_tile, channels, left + dx, top + dy, L.width - 1 + end, L.to_y - 1 + bottom);
            BARRIER;
            if (wanted) {
                if (channels == 1)
                    CALL(add_piece, 1, x, y, first, dx, end, dy, bottom, pixel);
                else if (channels == 2)
                    CALL(add_piece, 2, x, y, first, dx, end, dy, bottom, pixel);
                else if (channels == 3)
                    CALL(add_piece, 3, x, y, first, dx, end, dy, bottom, pixel);
                else
                    CALL(add_piece, 4, x, y, first, dx, end, dy, bottom, pixel);
            }
        }
    UNROLL for (int s = 0; s < STEPS; s++) {
        if (s < steps && wanted && y + s < L.to_y) {
            vec4 sums = pixel[s].sums;
            float weights = pixel[s].weights;
            vec4 mean = rgba(sums.x / weights, sums.y / weights, sums.z / weights, sums.w / weights);
            CALL(deliver, x, y + s, mean);
        }
    }
    FINISH
}
