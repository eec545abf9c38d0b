/* SPDX-License-Identifier: MIT
 * The GPU kernel of a warp, around the body of the filter that includes this: the nearest pixel, or the mean of the
 * four around the place over those that count, 0 where none does; of several places the mean over those.
 *
 * Where rows of the result run down the input, neighboring threads take pixels one below the other, so that what they
 * read lies side by side there; shared memory turns the pixels back before they are written. */
#define READS_INPUT_ONLY
#include "kernels/gpu/tile/tile.h"

#ifdef SEVERAL
#define WARP_SEVERAL true
#else
#define WARP_SEVERAL false
#endif
#define WARP_STRIDE (TILE_COLUMNS + 1) /* odd: no bank conflicts along rows or columns */
BLOCK_MEMORY(BLOCK)
SHARED(float, tile, WARP_STRIDE *WARP_NUMBERS);
SHARED(int, tile_is_steep, 1);
#include "kernels/gpu/tile/tile_pixel.h"

BODY;

/* Places far outside, and NaN, stay within an int. */
FN float within_reason(float v) { return is_nan(v) || v < -1e9f ? -1e9f : v > 1e9f ? 1e9f : v; }

/* x, y and weight of place k of count. */
LFN(vec4, place_of, BODY_BLOCK P, int x, int y, int k, int count) {
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
LFN(vec4, warped, BODY_BLOCK P, int x, int y) {
    vec4 from = CALL(place_of, P, x, y, 0, 1);
    PRECISE float left = floor(from.x);
    PRECISE float above = floor(from.y);
    PRECISE float right_share = from.x - left; /* exact, as adding 0.5 is not */
    PRECISE float below_share = from.y - above;
    int x_from = to_int(left) + (right_share >= 0.5f ? 1 : 0), y_from = to_int(above) + (below_share >= 0.5f ? 1 : 0);
    int inside = 1;
    return CALL(fetch_around, x_from, y_from, inside);
}
#else
/* A pixel that has no weight is not there: 0 times what is infinite is no number. Whole numbers are finite. */
#define FINITE (LOADS_PLAIN && (source_type == TYPE_U8 || source_type == TYPE_U16))
FN vec4 add_pixel(vec4 sums, float weight, vec4 v, bool finite) {
    bool counts = finite || weight != 0.0f;
    sums.x += weight * (counts ? v.x : 0.0f);
    sums.y += weight * (counts ? v.y : 0.0f);
    sums.z += weight * (counts ? v.z : 0.0f);
    sums.w += weight * (counts ? v.w : 0.0f);
    return sums;
}

/* What pixel n of the four around a place counts: left and right above, then below. */
FN float share_of(int n, float right, float below) {
    float across = (n & 1) != 0 ? right : 1.0f - right;
    return across * (n > 1 ? below : 1.0f - below);
}

/* Whether each pixel of an image is read as a whole, and a pixel of it that is inside. */
LFN0(bool, reads_whole_pixels) {
    return !LOADS_PLAIN || source_channels != 4 ||
           lies_on(L.image[SOURCE_IMAGE].first, L.image[SOURCE_IMAGE].pitch, 4 * bytes_of(source_type));
}
LFN(vec4, fetch_whole, int x, int y) {
    if (!LOADS_PLAIN)
        return CALL(fetch, x, y);
    vec4 v = read_one(row_of(L.image[SOURCE_IMAGE].first, L.image[SOURCE_IMAGE].pitch, y), x, source_type, source_channels, true);
    return CALL(take_in, v);
}

LFN(vec4, warped, BODY_BLOCK P, int x, int y) {
    vec4 sums = rgba(0.0f, 0.0f, 0.0f, 0.0f);
    float weights = 0.0f;
    bool whole = CALL0(reads_whole_pixels);
    int count = 1;
#ifdef SEVERAL
    place source = PLACE_AT(0, 0, L.in_width, L.in_height);
    count = places_of(source, P);
#endif
    for (int k = 0; k < count; k++) {
        vec4 from = CALL(place_of, P, x, y, k, count);
        float left = floor(from.x), above = floor(from.y);
        float right_share = from.x - left, below_share = from.y - above;
        int column = to_int(left), row = to_int(above);
        bool near = whole;
#ifdef SEVERAL
        near = near && (right_share > 0.0f || below_share > 0.0f); /* many places are pixels */
#endif
        if (near && column >= 0 && row >= 0 && column + 1 < L.in_width && row + 1 < L.in_height) {
            vec4 v[4];
            UNROLL for (int n = 0; n < 4; n++)
                v[n] = CALL(fetch_whole, column + (n & 1), row + (n >> 1));
            UNROLL for (int n = 0; n < 4; n++) {
                float weight = share_of(n, right_share, below_share) * from.z;
                weights += weight;
                sums = add_pixel(sums, weight, v[n], FINITE);
            }
        } else {
            UNROLL for (int n = 0; n < 4; n++) {
                int inside = 1;
                float weight = share_of(n, right_share, below_share);
                if (weight > 0.0f) {
                    vec4 v = CALL(fetch_around, column + (n & 1), row + (n >> 1), inside);
                    weight = inside != 0 ? weight * from.z : 0.0f;
                    weights += weight;
                    sums = add_pixel(sums, weight, v, FINITE);
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
    BODY_BLOCK P = BLOCK_AT(BLOCK, BLOCK_ADDRESS(L.block));
    int channels = in_channels_known, rows = WARP_ROWS(channels, WARP_SEVERAL), plane = WARP_STRIDE * rows;
    int left = BLOCK_X * TILE_COLUMNS, top = L.from_y + BLOCK_Y * rows, thread = THREAD_Y * TILE_COLUMNS + THREAD_X;
    if (thread == 0) {
        vec4 begin = CALL(place_of, P, left, top, 0, 1);
        vec4 end = CALL(place_of, P, min(left + TILE_COLUMNS, L.width) - 1, top, 0, 1);
        tile_is_steep[0] = abs(end.y - begin.y) > abs(end.x - begin.x) ? 1 : 0;
    }
    BARRIER;
    bool steep = tile_is_steep[0] != 0;
    ROLLED for (int i = thread; i < TILE_COLUMNS * rows; i += TILE_THREADS) {
        int column = steep ? i / rows : i % TILE_COLUMNS, row = steep ? i % rows : i / TILE_COLUMNS;
        if (left + column < L.width && top + row < L.to_y) {
            vec4 v = CALL(warped, P, left + column, top + row);
            int at = row * WARP_STRIDE + column;
            if (steep)
                tile_put(at, plane, channels, v);
            else
                CALL(deliver, left + column, top + row, v);
        }
    }
    BARRIER;
    if (!steep)
        top = L.to_y;
    ROLLED for (int row = THREAD_Y; row < rows; row += TILE_THREAD_ROWS) {
        int x = left + THREAD_X, at = row * WARP_STRIDE + THREAD_X;
        if (x < L.width && top + row < L.to_y) {
            vec4 v = tile_pixel(at, plane, channels);
            CALL(deliver, x, top + row, v);
        }
    }
    FINISH
}
