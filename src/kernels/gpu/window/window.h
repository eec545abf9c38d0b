/* SPDX-License-Identifier: MIT
 * The GPU kernel of a window, around the body of the filter that includes this. The neighbourhood is gone through in
 * pieces (window_launch.h); a tile of shared memory has the pixels that a piece of any of the
 * block's pixels looks at, each read through the load program once for all of them.
 *
 * A thread makes WINDOW_STEPS pixels one below the other. Neighbors' shares are worked out once for a piece and block.
 *
 * Sums are made piece by piece and then added up: thousands of terms one by one would lose digits. */
#include "kernels/gpu/tile/tile.h"
#include "kernels/gpu/dialect/bits.h"

/* As many blocks as fit without registers in memory: some compute while others wait. */
#if defined(FORMAT_CHANNELS)
#undef BLOCKS_PER_SM
#if FORMAT_CHANNELS == 1
#define BLOCKS_PER_SM 5
#else
#define BLOCKS_PER_SM 3
#endif
#endif

BLOCK_MEMORY(BLOCK)
#if defined(GLSL)
#define WINDOW_FEW true
#else
#define WINDOW_FEW false
#endif
#if defined(FORMAT_CHANNELS)
SHARED(float, tile, FORMAT_CHANNELS * WINDOW_PLANE(FORMAT_CHANNELS, WINDOW_FEW));
#else
SHARED(float, tile, WINDOW_MOST_NUMBERS(WINDOW_FEW));
#endif
#include "kernels/gpu/tile/tile_pixel.h"

SHARED(float, shares, WINDOW_SHARES);
/* For each column of a piece: the first neighbor with a share, plus 256 times the neighbor after the last one with a share. */
SHARED(int, ends, WINDOW_COLUMNS(1));

SHARE;
BODY;

#define STEPS WINDOW_MOST_STEPS
#define STEPS_OF(channels) WINDOW_STEPS(channels, WINDOW_FEW)
#define TILE_PLANE(channels) WINDOW_PLANE(channels, WINDOW_FEW)
/* Pixels that a thread asks memory for before it needs the first of them. */
#if defined(GLSL) || defined(PLAIN_FORM)
#define WINDOW_AT_ONCE 4
#else
#define WINDOW_AT_ONCE 1
#endif

/* The shares of the neighbors from dx, dy on, column by column of a piece. */
LFN(void, fill_shares, int dx, int dy, BODY_BLOCK P) {
    int rows = L.window.rows;
    for (int i = THREAD_Y * TILE_COLUMNS + THREAD_X; i < L.window.columns * rows; i += TILE_THREADS)
        shares[i] = share(to_float(dx + i / rows), to_float(dy + i % rows), P);
}
/* Neighbors at the ends of a column that do not count are left out. */
LFN0(void, find_ends) {
    int column = THREAD_Y * TILE_COLUMNS + THREAD_X, rows = L.window.rows;
    if (column < L.window.columns) {
        int from = 0, past = rows;
        while (from < past && shares[column * rows + past - 1] == 0.0f)
            past = past - 1;
        while (from < past && shares[column * rows + from] == 0.0f)
            from = from + 1;
        ends[column] = from | past << 8;
    }
}

/* A pixel on its way: its own colors, and the sums so far. */
struct window_pixel {
    vec4 center, sums;
    float weights;
};
FN void add_neighbor(int channels, float part, vec4 neighbor, BODY_BLOCK P, INOUT(window_pixel) pixel) {
    float weight = part * weigh(channels, pixel.center, neighbor, P);
    pixel.weights += weight;
    pixel.sums.x += weight * neighbor.x;
    if (channels > 1)
        pixel.sums.y += weight * neighbor.y;
    if (channels > 2)
        pixel.sums.z += weight * neighbor.z;
    if (channels > 3)
        pixel.sums.w += weight * neighbor.w;
}

/* Adds `rows` neighbors of a column of a piece, one below the other, the first at tile[i] and its share at shares[k], to the
 * sums of each of the pixels; a neighbor is read once for all pixels. Those within a column that do not count are
 * multiplied by 0: with a branch around each compilers divide again for every other one. */
LFN(void, add_rows, int channels, int rows, int i, int k, BODY_BLOCK P, INOUT_ARRAY(window_pixel, pixel, STEPS)) {
    vec4 near[STEPS + 3];
    UNROLL for (int j = 0; j < STEPS_OF(channels) - 1 + rows; j++)
        near[j] = tile_pixel(i + j * WINDOW_PITCH(channels), TILE_PLANE(channels), channels);
    UNROLL for (int row = 0; row < rows; row++) {
        float part = shares[k + row];
        UNROLL for (int s = 0; s < STEPS_OF(channels); s++)
            add_neighbor(channels, part, near[row + s], P, pixel[s]);
    }
}
/* The same for one neighbor whose row is inside the image for only some of the pixels. */
LFN(void, add_inside, int channels, int y, int i, int k, BODY_BLOCK P, INOUT_ARRAY(window_pixel, pixel, STEPS)) {
    UNROLL for (int s = 0; s < STEPS_OF(channels); s++) {
        if (y + s >= 0 && y + s < L.in_height)
            add_neighbor(channels, shares[k], tile_pixel(i + s * WINDOW_PITCH(channels), TILE_PLANE(channels), channels), P,
                         pixel[s]);
    }
}

/* Adds a piece of columns dx .. end - 1 and rows dy .. bottom - 1 to the pixels x, y and below. */
LFN(void, add_piece, int channels, int x, int y, int dx, int end, int dy, int bottom, BODY_BLOCK P,
    INOUT_ARRAY(window_pixel, pixel, STEPS)) {
    int first = THREAD_Y * STEPS_OF(channels) * WINDOW_PITCH(channels) + THREAD_X; /* of the piece's neighbors */
    bool shrink = border_known == BORDER_SHRINK;
    window_pixel part[STEPS];
    UNROLL for (int s = 0; s < STEPS_OF(channels); s++) { /* what is known to be 0 costs nothing */
        vec4 c = pixel[s].center;
        part[s].center =
            rgba(c.x, channels > 1 ? c.y : 0.0f, channels > 2 ? c.z : 0.0f, channels > 3 ? c.w : 0.0f);
        part[s].sums = rgba(0.0f, 0.0f, 0.0f, 0.0f);
        part[s].weights = 0.0f;
    }
    int low = shrink && x + dx < 0 ? -x - dx : 0, high = (shrink && x + end > L.width ? L.width - x : end) - dx;
    for (int column = low; column < high; column++) {
        int from = ends[column] & 255, left = min(ends[column] >> 8, bottom - dy) - from;
        int i = first + from * WINDOW_PITCH(channels) + column, k = column * L.window.rows + from;
        if (shrink) {
            for (int row = 0; row < left; row++)
                CALL(add_inside, channels, y + dy + from + row, i + row * WINDOW_PITCH(channels), k + row, P, part);
            left = 0;
        }
        for (; left >= 4; left -= 4) {
            CALL(add_rows, channels, 4, i, k, P, part);
            i += 4 * WINDOW_PITCH(channels);
            k += 4;
        }
        if (left >= 2) {
            CALL(add_rows, channels, 2, i, k, P, part);
            i += 2 * WINDOW_PITCH(channels);
            k += 2;
        }
        if ((left & 1) == 1)
            CALL(add_rows, channels, 1, i, k, P, part);
    }
    UNROLL for (int s = 0; s < STEPS_OF(channels); s++) {
        pixel[s].weights += part[s].weights;
        pixel[s].sums.x += part[s].sums.x;
        pixel[s].sums.y += part[s].sums.y;
        pixel[s].sums.z += part[s].sums.z;
        pixel[s].sums.w += part[s].sums.w;
    }
}

/* Fills the tile with the pixels from left, top on; several at a time, so that memory is asked for all of them first. */
LFN(void, fill_tile, int channels, int left, int top, int right, int bottom) {
    int width = TILE_COLUMNS - 1 + L.window.columns, rows = WINDOW_ROWS(channels, WINDOW_FEW) - 1 + L.window.rows;
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
    int channels = in_channels_known, steps = STEPS_OF(channels);
    int left = BLOCK_X * TILE_COLUMNS, top = L.from_y + BLOCK_Y * WINDOW_ROWS(channels, WINDOW_FEW);
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
    for (int dy = -L.radius_y; dy <= L.radius_y; dy += L.window.rows)
        for (int dx = -L.radius_x; dx <= L.radius_x; dx += L.window.columns) {
            int end = min(dx + L.window.columns, L.radius_x + 1), bottom = min(dy + L.window.rows, L.radius_y + 1);
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
