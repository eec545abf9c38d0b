/* SPDX-License-Identifier: MIT
 * The GPU kernel of a warp, around the body of the filter that includes this: the nearest pixel, or the mean of the
 * four around the place over those that count, 0 where none does; of several places the mean over those.
 *
 * Where rows of the result run down the input, neighbouring threads take pixels one below the other, so that what they
 * read lies side by side there; shared memory turns the pixels back before they are written. */
#include "kernels/gpu/tile/tile.h"

#define WARP_STRIDE (TILE_COLUMNS + 1) /* odd: no bank conflicts along rows or columns */
BLOCK_MEMORY(BLOCK)
SHARED(float, tile, WARP_STRIDE *TILE_OF(0, 1) / TILE_COLUMNS);
#include "kernels/gpu/tile/tile_pixel.h"

BODY;

/* Places far outside, and NaN, stay within an int. */
FN float within_reason(float v) { return is_nan(v) || v < -1e9f ? -1e9f : v > 1e9f ? 1e9f : v; }

/* x, y and weight of place k of count. */
LFN(vec4, place_of, int x, int y, int k, int count) {
    BODY_BLOCK P = BLOCK_AT(BLOCK, BLOCK_ADDRESS(L.block));
    place at = PLACE_AT(x, y, L.width, L.height);
    place source = PLACE_AT(0, 0, L.in_width, L.in_height);
#ifdef SEVERAL
    vec4 from = body(at, source, k, count, P);
    float weight = from.z;
#else
    vec2 from = body(at, source, P);
    float weight = 1.0f;
#endif
    return rgba(within_reason(from.x), within_reason(from.y), weight, 0.0f);
}

#ifdef NEAREST
LFN(vec4, warped, int x, int y) {
    vec4 from = CALL(place_of, x, y, 0, 1);
    PRECISE float left = floor(from.x);
    PRECISE float above = floor(from.y);
    PRECISE float right_share = from.x - left; /* exact, as adding 0.5 is not */
    PRECISE float below_share = from.y - above;
    int x_from = to_int(left) + (right_share >= 0.5f ? 1 : 0), y_from = to_int(above) + (below_share >= 0.5f ? 1 : 0);
    int inside = 1;
    return CALL(fetch_around, x_from, y_from, inside);
}
#else
LFN(vec4, warped, int x, int y) {
    vec4 sums = rgba(0.0f, 0.0f, 0.0f, 0.0f);
    float weights = 0.0f;
    int count = 1;
#ifdef SEVERAL
    BODY_BLOCK P = BLOCK_AT(BLOCK, BLOCK_ADDRESS(L.block));
    place source = PLACE_AT(0, 0, L.in_width, L.in_height);
    count = places_of(source, P);
#endif
    for (int k = 0; k < count; k++) {
        vec4 from = CALL(place_of, x, y, k, count);
        float left = floor(from.x), above = floor(from.y);
        float right_share = from.x - left, below_share = from.y - above;
        UNROLL for (int n = 0; n < 4; n++) {
            int right = n & 1, below = n >> 1, inside = 1;
            float weight = right != 0 ? right_share : 1.0f - right_share;
            weight *= below != 0 ? below_share : 1.0f - below_share;
            if (weight > 0.0f) {
                vec4 v = CALL(fetch_around, to_int(left) + right, to_int(above) + below, inside);
                if (inside != 0) {
                    weight *= from.z;
                    weights += weight;
                    sums.x += weight * v.x;
                    sums.y += weight * v.y;
                    sums.z += weight * v.z;
                    sums.w += weight * v.w;
                }
            }
        }
    }
    float share = weights > 0.0f ? 1.0f / weights : 0.0f;
    return rgba(sums.x * share, sums.y * share, sums.z * share, sums.w * share);
}
#endif

KERNEL(KERNEL_NAME, 32, 8) {
    BEGIN
    int channels = in_channels_known, rows = TILE_ROWS(channels), plane = WARP_STRIDE * rows;
    int left = BLOCK_X * TILE_COLUMNS, top = L.from_y + BLOCK_Y * rows, thread = THREAD_Y * TILE_COLUMNS + THREAD_X;
    vec4 begin = CALL(place_of, left, top, 0, 1), end = CALL(place_of, min(left + TILE_COLUMNS, L.width) - 1, top, 0, 1);
    bool steep = abs(end.y - begin.y) > abs(end.x - begin.x);
    for (int i = thread; i < TILE_COLUMNS * rows; i += TILE_THREADS) {
        int column = steep ? i / rows : i % TILE_COLUMNS, row = steep ? i % rows : i / TILE_COLUMNS;
        if (left + column < L.width && top + row < L.to_y) {
            vec4 v = CALL(warped, left + column, top + row);
            int at = row * WARP_STRIDE + column;
            tile_put(at, plane, channels, v);
        }
    }
    BARRIER;
    for (int row = THREAD_Y; row < rows; row += TILE_THREAD_ROWS) {
        int x = left + THREAD_X, at = row * WARP_STRIDE + THREAD_X;
        if (x < L.width && top + row < L.to_y) {
            vec4 v = tile_pixel(at, plane, channels);
            CALL(deliver, x, top + row, v);
        }
    }
    FINISH
}
