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

/* Of plain forms 4 blocks fit, some of which compute while others wait for memory. */
#if defined(PLAIN_FORM)
#undef RESIDENT
#define RESIDENT 4
#endif

BLOCK_MEMORY(BLOCK)
SHARED(float, tile, WINDOW_NUMBERS);
#include "kernels/gpu/tile_pixel.h"

SHARED(float, shares, WINDOW_SHARES);
/* Of a piece's rows: the first neighbor that has a share, and 256 times the one after the last. */
SHARED(int, ends, WINDOW_PIECE_ROWS(1));

SHARE;
BODY;

#define STEPS WINDOW_MOST_STEPS
#define TILE_PLANE(channels) (WINDOW_NUMBERS / (channels))
/* Pixels that a thread asks memory for before it needs the first of them. */
#if defined(GLSL) || defined(PLAIN_FORM)
#define WINDOW_AT_ONCE 4
#else
#define WINDOW_AT_ONCE 1
#endif

/* The shares of the neighbors from dx, dy on, row by row of a piece. */
LFN(void, fill_shares, int dx, int dy, BODY_BLOCK P) {
    int columns = L.number[0];
    for (int i = THREAD_Y * TILE_COLUMNS + THREAD_X; i < columns * L.number[1]; i += TILE_THREADS)
        shares[i] = share(to_float(dx + i % columns), to_float(dy + i / columns), P);
}
/* Neighbors at the ends of a row that do not count are left out. */
LFN0(void, find_ends) {
    int row = THREAD_Y * TILE_COLUMNS + THREAD_X, columns = L.number[0];
    if (row < L.number[1]) {
        int from = 0, past = columns;
        while (from < past && shares[row * columns + past - 1] == 0.0f)
            past = past - 1;
        while (from < past && shares[row * columns + from] == 0.0f)
            from = from + 1;
        ends[row] = from | past << 8;
    }
}

/* A pixel on its way: its own colors, and the sums so far. */
struct window_pixel {
    vec4 center, sums;
    float weights;
};

/* Adds the neighbors from .. past - 1 of a row of a piece, the row's first at tile[i] and its share at shares[k], to the sums
 * of each of the pixels. Which of them see the row: bit s of `counts`. Neighbors within a row that do not count are multiplied
 * by 0: with a branch around each compilers divide again for every other one. */
LFN(void, add_row, int channels, int i, int k, int from, int past, int counts, BODY_BLOCK P,
    INOUT_ARRAY(window_pixel, pixel, STEPS)) {
    vec4 row[STEPS];
    float row_weights[STEPS];
    UNROLL for (int s = 0; s < WINDOW_STEPS(channels); s++) {
        row[s] = rgba(0.0f, 0.0f, 0.0f, 0.0f);
        row_weights[s] = 0.0f;
    }
    for (int n = from; n < past; n++) {
        float part = shares[k + n];
        UNROLL for (int s = 0; s < WINDOW_STEPS(channels); s++) {
            vec4 neighbor = tile_pixel(i + n + s * WINDOW_PITCH(channels), TILE_PLANE(channels), channels);
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

/* Adds a piece of columns dx .. end - 1 and rows dy .. bottom - 1 to the pixels x, y and below. */
LFN(void, add_piece, int channels, int x, int y, int dx, int end, int dy, int bottom, BODY_BLOCK P,
    INOUT_ARRAY(window_pixel, pixel, STEPS)) {
    int first = THREAD_Y * WINDOW_STEPS(channels) * WINDOW_PITCH(channels) + THREAD_X; /* of the piece's neighbors */
    bool shrink = border_known == BORDER_SHRINK;
    UNROLL for (int s = 0; s < WINDOW_STEPS(channels); s++) { /* what is known to be 0 costs nothing */
        vec4 c = pixel[s].center;
        pixel[s].center =
            rgba(c.x, channels > 1 ? c.y : 0.0f, channels > 2 ? c.z : 0.0f, channels > 3 ? c.w : 0.0f);
    }
    int low = shrink && x + dx < 0 ? -x : dx, high = shrink && x + end > L.width ? L.width - x : end;
    for (int row = 0; row < bottom - dy; row++) {
        int counts = 0, at = ends[row];
        UNROLL for (int s = 0; s < WINDOW_STEPS(channels); s++)
            counts |= !shrink || (y + s + dy + row >= 0 && y + s + dy + row < L.in_height) ? 1 << s : 0;
        CALL(add_row, channels, first + row * WINDOW_PITCH(channels), row * L.number[0], max(at & 255, low - dx),
             min(at >> 8, high - dx), counts, P, pixel);
    }
}

/* Fills the tile with the pixels from left, top on; several at a time, so that memory is asked for all of them first. */
LFN(void, fill_tile, int channels, int left, int top, int right, int bottom) {
    int width = TILE_COLUMNS - 1 + L.number[0], rows = WINDOW_ROWS(channels) - 1 + L.number[1];
    int thread = THREAD_Y * TILE_COLUMNS + THREAD_X, x = thread % width, y = thread / width;
    int across = TILE_THREADS % width, down = TILE_THREADS / width;
    while (y < rows) {
        vec4 v[WINDOW_AT_ONCE];
        int at[WINDOW_AT_ONCE];
        UNROLL for (int k = 0; k < WINDOW_AT_ONCE; k++) {
            int inside = 1;
            at[k] = y < rows ? y * WINDOW_PITCH(channels) + x : -1;
            v[k] = rgba(0.0f, 0.0f, 0.0f, 0.0f);
            if (y < rows && left + x < right && top + y < bottom) /* rows further down may not be there */
                v[k] = CALL(fetch_around, left + x, top + y, inside);
            x = x + across;
            y = y + down + (x >= width ? 1 : 0);
            x = x >= width ? x - width : x;
        }
        UNROLL for (int k = 0; k < WINDOW_AT_ONCE; k++) {
            if (at[k] >= 0)
                tile_put(at[k], TILE_PLANE(channels), channels, v[k]);
        }
    }
}

KERNEL(KERNEL_NAME, 32, 8) {
    BEGIN
    int channels = in_channels_known, steps = WINDOW_STEPS(channels);
    int left = BLOCK_X * TILE_COLUMNS, top = L.from_y + BLOCK_Y * WINDOW_ROWS(channels);
    int x = left + THREAD_X, y = top + THREAD_Y * steps;
    BLOCK P = BLOCK_AT(BLOCK, BLOCK_ADDRESS(L.block)); /* its own: what is written cannot change it */
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
            CALL(fill_shares, dx, dy, P);
            BARRIER;
            CALL0(find_ends);
            CALL(fill_tile, channels, left + dx, top + dy, L.width - 1 + end, L.to_y - 1 + bottom);
            BARRIER;
            if (wanted) {
                if (channels == 1)
                    CALL(add_piece, 1, x, y, dx, end, dy, bottom, P, pixel);
                else if (channels == 2)
                    CALL(add_piece, 2, x, y, dx, end, dy, bottom, P, pixel);
                else if (channels == 3)
                    CALL(add_piece, 3, x, y, dx, end, dy, bottom, P, pixel);
                else
                    CALL(add_piece, 4, x, y, dx, end, dy, bottom, P, pixel);
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
