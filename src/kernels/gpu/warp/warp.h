/* SPDX-License-Identifier: MIT
 * The GPU kernel of a warp, around the body of the filter that includes this: the nearest pixel, or the mean of the
 * four around the place over those that count, 0 where none does; of several places the mean over those.
 *
 * Where rows of the result run down the input, neighboring threads take pixels one below the other, so that what they
 * read lies side by side there; shared memory turns the pixels back before they are written. */
#define READS_INPUT_ONLY
#include "kernels/gpu/tile/tile.h"
#include "kernels/gpu/warp/warp_bytes.h"
#if defined(FORMAT_TYPE) && FORMAT_TYPE == TYPE_U8 && !SPREAD && !defined(SEVERAL)
#undef BLOCKS_PER_SM
#define BLOCKS_PER_SM 5 /* 48 registers suffice */
#endif

#if defined(SEVERAL) && !SPREAD
#define WARP_SEVERAL true
#else
#define WARP_SEVERAL false
#endif
#define WARP_STRIDE (TILE_COLUMNS + 1) /* odd: no bank conflicts along rows or columns */
BLOCK_MEMORY(BLOCK)
SHARED(uint, tile, WARP_STRIDE *WARP_NUMBERS); /* bits of numbers, or four bytes */
SHARED(float, tile_ends, 4);
#define TILE_BITS(v) bits_of_uint(v)
#define TILE_NUMBER(v) float_of_uint(v)
#include "kernels/gpu/tile/tile_pixel.h"

BODY;

/* Places far outside, and NaN, stay within an int. */
#ifdef WITHIN
LFN0(float, farthest) { return WITHIN_OF(L.in_width, L.in_height); }
#else
LFN0(float, farthest) { return 1e9f; }
#endif
LFN(float, within_reason, float v) {
    float far = CALL0(farthest);
    return is_nan(v) || v < -far ? -far : v > far ? far : v;
}

/* x, y and weight of place k of count. */
LFN(vec4, place_of, BODY_BLOCK P, int x, int y, int k, int count) {
    place at = PLACE_AT(x, y, L.width, L.height);
    place source = PLACE_AT(0, 0, L.in_width, L.in_height);
#ifdef SEVERAL
    return body(at, source, k, count, P);
#else
    vec2 from = body(at, source, P);
    return rgba(from.x, from.y, 1.0f, 0.0f);
#endif
}

/* Whether a place is from 0 on and before `margin` of the last pixels of a line. Of floats from 0 on, the bits are in order; those
 * of NaN, and of what is less, are larger. */
FN bool lies_before(float v, int size, int margin) { return bits_of_uint(v) < bits_of_uint(to_float(max(size - margin, 0))); }

#ifdef NEAREST
LFN(vec4, warped, BODY_BLOCK P, int x, int y) {
    vec4 from = CALL(place_of, P, x, y, 0, 1);
    from.x = CALL(within_reason, from.x);
    from.y = CALL(within_reason, from.y);
    PRECISE float left = floor(from.x);
    PRECISE float above = floor(from.y);
    PRECISE float right_share = from.x - left; /* exact, as adding 0.5 is not */
    PRECISE float below_share = from.y - above;
    int x_from = to_int(left) + (right_share >= 0.5f ? 1 : 0), y_from = to_int(above) + (below_share >= 0.5f ? 1 : 0);
    int inside = 1;
    return CALL(fetch_around, x_from, y_from, inside);
}
#else
/* A pixel that has no weight is not there: 0 times infinity is NaN. Integers are finite. */
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

/* Adds what lies around a place. */
LFN(void, add_place, vec4 from, bool whole, INOUT(vec4) sums, INOUT(float) weights) {
    if (whole && lies_before(from.x, L.in_width, 1) && lies_before(from.y, L.in_height, 1)) {
        int column = to_int(from.x), row = to_int(from.y);
        float right_share = from.x - to_float(column), below_share = from.y - to_float(row);
        vec4 v[4];
        UNROLL for (int n = 0; n < 4; n++)
            v[n] = CALL(fetch_whole, column + (n & 1), row + (n >> 1));
        UNROLL for (int n = 0; n < 4; n++) {
            float weight = share_of(n, right_share, below_share) * from.z;
            weights += weight;
            sums = add_pixel(sums, weight, v[n], FINITE);
        }
    } else {
        from.x = CALL(within_reason, from.x);
        from.y = CALL(within_reason, from.y);
        float left = floor(from.x), above = floor(from.y);
        float right_share = from.x - left, below_share = from.y - above;
        UNROLL for (int n = 0; n < 4; n++) {
            int inside = 1;
            float weight = share_of(n, right_share, below_share);
            if (weight > 0.0f) {
                vec4 v = CALL(fetch_around, to_int(left) + (n & 1), to_int(above) + (n >> 1), inside);
                weight = inside != 0 ? weight * from.z : 0.0f;
                weights += weight;
                sums = add_pixel(sums, weight, v, FINITE);
            }
        }
    }
}
#if SPREAD
#include "kernels/gpu/warp/warp_spread.h"
#endif
FN vec4 mean_of(vec4 sums, float weights) {
    float share = weights > 0.0f ? 1.0f / weights : 0.0f;
    return rgba(sums.x * share, sums.y * share, sums.z * share, sums.w * share);
}

LFN(vec4, warped, BODY_BLOCK P, int x, int y) {
    vec4 sums = rgba(0.0f, 0.0f, 0.0f, 0.0f);
    float weights = 0.0f;
    bool whole = CALL0(reads_whole_pixels);
#ifdef SEVERAL
    place source = PLACE_AT(0, 0, L.in_width, L.in_height);
    int count = places_of(source, P);
    for (int k = 0; k < count; k++) {
        vec4 from = CALL(place_of, P, x, y, k, count);
#if SPREAD
        CALL(add_spread, from, whole, sums, weights);
#else
        bool is_pixel = from.x == floor(from.x) && from.y == floor(from.y); /* many places are */
        CALL(add_place, from, whole && !is_pixel, sums, weights);
#endif
    }
    if (SPREAD != 0 && count == 1)
        return sums;
#else
    vec4 from = CALL(place_of, P, x, y, 0, 1);
    CALL(add_place, from, whole, sums, weights);
#endif
    return mean_of(sums, weights);
}
#endif

/* As many pixels of bytes as this, so far apart, into the tile as they are stored. */
#if defined(NEAREST) || defined(SEVERAL)
#define WARPS_APART true
LFN(void, warp_bytes, BODY_BLOCK P, bool near, int x, int y, int across, int down, int at, int at_step) {
    vec4 v = CALL(warped, P, x, y);
    tile[at] = CALL(bytes_of_pixel, v);
}
#else
#define WARPS_APART false
LFN(void, warp_bytes, BODY_BLOCK P, bool near, int x, int y, int across, int down, int at, int at_step) {
    float from_x[BYTES_AT_ONCE], from_y[BYTES_AT_ONCE];
    UNROLL for (int n = 0; n < BYTES_AT_ONCE; n++) {
        vec4 from = CALL(place_of, P, x + n * across, y + n * down, 0, 1);
        near = near && lies_before(from.x, L.in_width, BYTES_MARGIN) && lies_before(from.y, L.in_height, 1);
        from_x[n] = from.x;
        from_y[n] = from.y;
    }
    if (near) {
        uint v[BYTES_AT_ONCE];
        CALL(mixed_bytes, from_x, from_y, v);
        UNROLL for (int n = 0; n < BYTES_AT_ONCE; n++)
            tile[at + n * at_step] = v[n];
    } else {
        ROLLED for (int n = 0; n < BYTES_AT_ONCE; n++) {
            vec4 v = CALL(warped, P, x + n * across, y + n * down);
            tile[at + n * at_step] = CALL(bytes_of_pixel, v);
        }
    }
}
#endif

KERNEL(KERNEL_NAME, 32, 8) {
    BEGIN
    BODY_BLOCK P = BLOCK_ONCE(BLOCK, BLOCK_ADDRESS(L.block));
    int channels = in_channels_known, steps = WARP_STEPS(WARPS_BYTES && !WARP_SEVERAL ? 1 : channels, WARP_SEVERAL);
    int rows = TILE_THREAD_ROWS * steps, plane = WARP_STRIDE * rows;
    int left = BLOCK_X * TILE_COLUMNS, top = L.from_y + BLOCK_Y * L.walk, thread = THREAD_Y * TILE_COLUMNS + THREAD_X;
    if (thread < 2) {
        int x = thread == 0 ? left : min(left + TILE_COLUMNS, L.width) - 1;
        vec4 from = CALL(place_of, P, x, top, 0, 1);
        tile_ends[2 * thread] = from.x;
        tile_ends[2 * thread + 1] = from.y;
    }
    BARRIER;
    bool near = WARPS_BYTES && CALL0(mixes_bytes);
    bool steep = abs(tile_ends[3] - tile_ends[1]) > abs(tile_ends[2] - tile_ends[0]);
    int column = steep ? thread / rows : THREAD_X, row = steep ? thread % rows : THREAD_Y;
    int across = steep ? TILE_THREADS / rows : 0, down = steep ? 0 : TILE_THREAD_ROWS;
    int end = min(top + L.walk, L.to_y), at_step = down * WARP_STRIDE + across;
    ROLLED for (; top < end; top += rows) {
        ROLLED for (int k = 0; k < steps; k += WARPS_BYTES && !WARPS_APART ? BYTES_AT_ONCE : 1) {
            int x = left + column + k * across, y = top + row + k * down, at = row * WARP_STRIDE + column + k * at_step;
            if (WARPS_BYTES) {
                CALL(warp_bytes, P, near, x, y, across, down, at, at_step);
            } else if (x < L.width && y < end) {
                vec4 v = CALL(warped, P, x, y);
                if (steep)
                    tile_put(at, plane, channels, v);
                else
                    CALL(deliver, x, y, v);
            }
        }
        BARRIER;
        if (WARPS_BYTES) {
            int x = (thread & (TILE_COLUMNS / 4 - 1)) * 4, y = thread / (TILE_COLUMNS / 4), at = y * WARP_STRIDE + x;
            if (y < rows && left + x < L.width && top + y < end) /* there are as many threads as rows of 4 pixels, or more */
                CALL(deliver_bytes, left + x, top + y, tile[at], tile[at + 1], tile[at + 2], tile[at + 3]);
        } else if (steep) {
            ROLLED for (int y = THREAD_Y; y < rows; y += TILE_THREAD_ROWS) {
                int at = y * WARP_STRIDE + THREAD_X;
                if (left + THREAD_X < L.width && top + y < end) {
                    vec4 v = tile_pixel(at, plane, channels);
                    CALL(deliver, left + THREAD_X, top + y, v);
                }
            }
        }
        BARRIER;
    }
    FINISH
}
