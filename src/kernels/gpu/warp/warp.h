/* SPDX-License-Identifier: MIT
 * The GPU kernel of a warp, around the body of the filter that includes this: the nearest pixel, or the mean of the
 * four around the place over those that count, 0 where none does; of several places the mean over those.
 *
 * Where rows of the result run down the input, neighboring threads take pixels one below the other, so that what they
 * read lies side by side there; shared memory turns the pixels back before they are written. Elsewhere 32 threads take rows that
 * follow one another, which read much the same, and of bytes write them themselves, so that they wait for no others. */
#define READS_INPUT_ONLY
#include "kernels/gpu/tile/tile.h"
#include "kernels/gpu/warp/warp_bytes.h"
#if defined(FORMAT_TYPE) && FORMAT_TYPE == TYPE_U8 && !SPREAD && !defined(SEVERAL)
#undef BLOCKS_PER_SM
#if FORMAT_CHANNELS == 3 || defined(FEW_REGISTERS)
#define BLOCKS_PER_SM 4 /* of three channels 48 registers do not suffice; four pixels at once need more than two do */
#else
#define BLOCKS_PER_SM 5 /* 48 registers suffice */
#endif
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

#include "kernels/gpu/warp/warp_frame.h"

#ifdef NEAREST
LFN(vec4, warped, BODY_BLOCK P, warp_frame F, bool whole, int x, int y) {
    vec4 from = place_of(P, F, x, y, 0, 1);
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
    long_int pitch = L.image[SOURCE_IMAGE].pitch;
    return !LOADS_PLAIN || (pitch > 0 && pitch < long_int(0x7fffffff) &&
                            (source_channels != 4 || lies_on(L.image[SOURCE_IMAGE].first, pitch, 4 * bytes_of(source_type))));
}
LFN(vec4, fetch_whole, int x, int y) {
    if (!LOADS_PLAIN)
        return CALL(fetch, x, y);
    address row = L.image[SOURCE_IMAGE].first + address(uint(y)) * address(uint(L.image[SOURCE_IMAGE].pitch));
    vec4 v = read_one(row, x, source_type, source_channels, true);
    return CALL(take_in, v);
}

/* Whether numbers of 16 bits are mixed as the steps that they are, which are made shares of full scale once. */
#define MIXES_STEPS (LOADS_PLAIN && !LOADS_CONVERTED && source_type == TYPE_U16 && source_channels < 4)
LFN(vec4, fetch_steps, int x, int y) {
    address row = L.image[SOURCE_IMAGE].first + address(uint(y)) * address(uint(L.image[SOURCE_IMAGE].pitch));
    uvec4 w = read_bits_of_pixel(row, x, source_type, source_channels, false);
    return rgba(to_float(int(w.x)), to_float(int(w.y)), to_float(int(w.z)), 0.0f);
}

/* The sum of the four around a place, by their weights, and the sum of those of them that count: slow, and by any border. */
LFN(vec4, four_around, vec4 from, INOUT(float) weights) {
    vec4 sums = rgba(0.0f, 0.0f, 0.0f, 0.0f);
    from.x = CALL(within_reason, from.x);
    from.y = CALL(within_reason, from.y);
    float left = floor(from.x), above = floor(from.y);
    float right_share = from.x - left, below_share = from.y - above;
    weights = 0.0f;
    ROLLED for (int n = 0; n < 4; n++) {
        int inside = 1;
        float weight = share_of(n, right_share, below_share);
        if (weight > 0.0f) {
            vec4 v = CALL(fetch_around, to_int(left) + (n & 1), to_int(above) + (n >> 1), inside);
            weight = inside != 0 ? weight * from.z : 0.0f;
            weights += weight;
            sums = add_pixel(sums, weight, v, FINITE);
        }
    }
    return sums;
}
/* The same of a place all around which is inside: its weights sum to 1. */
LFN(vec4, four_inside, vec4 from) {
    float right_share, below_share;
    int column = int(pixel_of(from.x, right_share) - BYTES_BEFORE), row = int(pixel_of(from.y, below_share) - BYTES_BEFORE);
    vec4 v[4], sums = rgba(0.0f, 0.0f, 0.0f, 0.0f);
    UNROLL for (int n = 0; n < 4; n++)
        v[n] = MIXES_STEPS ? CALL(fetch_steps, column + (n & 1), row + (n >> 1))
                           : CALL(fetch_whole, column + (n & 1), row + (n >> 1));
    UNROLL for (int n = 0; n < 4; n++)
        sums = add_pixel(sums, share_of(n, right_share, below_share), v[n], FINITE);
    return MIXES_STEPS ? scale_pixel(sums, 1.0f / 65535.0f) : sums;
}

/* Adds what lies around a place. */
LFN(void, add_place, warp_frame F, vec4 from, bool whole, INOUT(vec4) sums, INOUT(float) weights) {
    if (whole && lies_before(from.x, F.right) && lies_before(from.y, F.bottom)) {
        vec4 v = CALL(four_inside, from);
        sums = add_pixel(sums, from.z, v, FINITE);
        weights += from.z;
    } else if (lies_outside(from, F, border_known)) {
        float weight = border_known == BORDER_CONSTANT ? from.z : 0.0f;
        vec4 v = CALL0(pixel_outside);
        sums = add_pixel(sums, weight, v, false);
        weights += weight;
    } else {
        float weight;
        vec4 v = CALL(four_around, from, weight);
        sums = add_pixels(sums, v);
        weights += weight;
    }
}
#if SPREAD
#include "kernels/gpu/warp/warp_spread.h"
#endif
FN vec4 mean_of(vec4 sums, float weights) {
    float share = weights > 0.0f ? 1.0f / weights : 0.0f;
    return rgba(sums.x * share, sums.y * share, sums.z * share, sums.w * share);
}

#if defined(SEVERAL)
LFN(vec4, warped, BODY_BLOCK P, warp_frame F, bool whole, int x, int y) {
    vec4 sums = rgba(0.0f, 0.0f, 0.0f, 0.0f);
    float weights = 0.0f;
    place source = PLACE_AT(0, 0, F.in_width, F.in_height);
    int count = places_of(source, P);
    for (int k = 0; k < count; k++) {
        vec4 from = place_of(P, F, x, y, k, count);
#if SPREAD
        CALL(add_spread, F, from, whole, sums);
        weights += from.z;
#else
        bool is_pixel = from.x == floor(from.x) && from.y == floor(from.y); /* many places are */
        CALL(add_place, F, from, whole && !is_pixel, sums, weights);
#endif
    }
    if (SPREAD != 0 && count == 1)
        return sums;
    return mean_of(sums, weights);
}
#else
/* The pixel of one place. */
LFN(vec4, pixel_at, warp_frame F, vec4 from) {
    if (lies_outside(from, F, border_known))
        return CALL0(pixel_outside);
    float weights;
    vec4 sums = CALL(four_around, from, weights);
    return mean_of(sums, weights);
}
#endif
#endif

/* Row y of the image that is stored where no program stores, and bytes from a row to one so many rows down. */
#define WARP_STORED L.image[STORES_PLAIN ? STORED_IMAGE : 0]
#define STORED_ROW(y) row_of(WARP_STORED.first, WARP_STORED.pitch, y)
#define STORED_DOWN(rows) address(long_int(rows) * WARP_STORED.pitch)

/* A pixel to where it is written, `row` being its row of the image that is stored, or to the tile. */
LFN(void, put_warped, warp_frame F, int x, int y, address row, bool steep, int at, int plane, vec4 v) {
    if (WARPS_BYTES) {
        tile[at] = CALL(bytes_of_pixel, v);
    } else if (steep) {
        tile_put(at, plane, in_channels_known, v);
    } else if (x < F.width && y >= F.stored_from && y < F.stored_to) {
        if (STORES_PLAIN) {
            vec4 stored = CALL(hand_out, v);
            write_one(row, x, stored_type, stored_channels, F.whole, stored);
        } else {
            CALL(deliver, x, y, v);
        }
    }
}

/* As many pixels as this, so far apart. `near`: places inside may be mixed in a short way. */
#if defined(NEAREST) || defined(SEVERAL)
#define WARPS_AT_ONCE 1
LFN(void, warp_pixels, BODY_BLOCK P, warp_frame F, bool near, int x, int y, int across, int down, address row, bool steep,
    int at, int at_step, int plane) {
    vec4 v = CALL(warped, P, F, near, x, y);
    CALL(put_warped, F, x, y, row, steep, at, plane, v);
}
#else
#if BYTES_AT_ONCE > 2
#define WARPS_AT_ONCE (WARPS_BYTES ? BYTES_AT_ONCE : 2)
#else
#define WARPS_AT_ONCE 2
#endif
LFN(void, warp_pixels, BODY_BLOCK P, warp_frame F, bool near, int x, int y, int across, int down, address row, bool steep,
    int at, int at_step, int plane) {
    float from_x[BYTES_AT_ONCE], from_y[BYTES_AT_ONCE];
    UNROLL for (int n = 0; n < WARPS_AT_ONCE; n++) {
        vec4 from = place_of(P, F, x + n * across, y + n * down, 0, 1);
        near = near && lies_before(from.x, F.right) && lies_before(from.y, F.bottom);
        from_x[n] = from.x;
        from_y[n] = from.y;
    }
    if (near && WARPS_BYTES) {
        uint v[BYTES_AT_ONCE];
        CALL(mixed_bytes, F.first, from_x, from_y, v);
        UNROLL for (int n = 0; n < WARPS_AT_ONCE; n++)
            tile[at + n * at_step] = v[n];
    } else if (near) {
        vec4 v[BYTES_AT_ONCE];
        UNROLL for (int n = 0; n < WARPS_AT_ONCE; n++)
            v[n] = CALL(four_inside, rgba(from_x[n], from_y[n], 1.0f, 0.0f));
        UNROLL for (int n = 0; n < WARPS_AT_ONCE; n++)
            CALL(put_warped, F, x + n * across, y + n * down, row + STORED_DOWN(n * down), steep, at + n * at_step, plane, v[n]);
    } else {
        ROLLED for (int n = 0; n < WARPS_AT_ONCE; n++) {
            vec4 v = CALL(pixel_at, F, rgba(from_x[0], from_y[0], 1.0f, 0.0f));
            CALL(put_warped, F, x + n * across, y + n * down, row + STORED_DOWN(n * down), steep, at + n * at_step, plane, v);
            UNROLL for (int m = 0; m + 1 < WARPS_AT_ONCE; m++) {
                from_x[m] = from_x[m + 1];
                from_y[m] = from_y[m + 1];
            }
        }
    }
}
#endif

/* A wait for all who write to the tile and read from it: of bytes of a map that is not steep that are the 32 threads of a row. */
#if defined(__CUDA_ARCH__)
#define TILE_BARRIER                                                                                                   \
    if (WARPS_BYTES && !WARP_SEVERAL && !steep)                                                                        \
        __syncwarp();                                                                                                  \
    else                                                                                                               \
        BARRIER
#else
#define TILE_BARRIER BARRIER
#endif
/* All pixels of a thread in a tile, one below the other, or side by side where the map is steep. */
LFN(void, warp_tile, BODY_BLOCK P, warp_frame F, bool near, int left, int top, bool steep, int steps, int plane) {
    int rows = TILE_THREAD_ROWS * steps, thread = THREAD_Y * TILE_COLUMNS + THREAD_X;
    int column = steep ? thread / rows : THREAD_X, row = steep ? thread % rows : THREAD_Y * steps;
    int across = steep ? TILE_THREADS / rows : 0, down = steep ? 0 : 1;
    int x = left + column, y = top + row, at = row * WARP_STRIDE + column, at_step = down * WARP_STRIDE + across;
    address row_there = STORED_ROW(y);
    ROLLED for (int k = 0; k < steps; k += WARPS_AT_ONCE) {
        CALL(warp_pixels, P, F, near, x, y, across, down, row_there, steep, at, at_step, plane);
        row_there += STORED_DOWN(WARPS_AT_ONCE * down);
        x += WARPS_AT_ONCE * across;
        y += WARPS_AT_ONCE * down;
        at += WARPS_AT_ONCE * at_step;
    }
}

KERNEL(KERNEL_NAME, 32, 8) {
    BEGIN
    BODY_BLOCK P = BLOCK_ONCE(BLOCK, BLOCK_ADDRESS(L.block));
    int channels = in_channels_known, steps = WARP_STEPS(WARPS_BYTES && !WARP_SEVERAL ? 1 : channels, WARP_SEVERAL);
    int rows = TILE_THREAD_ROWS * steps, plane = WARP_STRIDE * rows;
    int left = BLOCK_X * TILE_COLUMNS, top = L.from_y + BLOCK_Y * L.walk, thread = THREAD_Y * TILE_COLUMNS + THREAD_X;
    warp_frame F;
    F.width = kept(L.width);
    F.height = kept(L.height);
    F.in_width = kept(L.in_width);
    F.in_height = kept(L.in_height);
    F.right = uint(kept(int(room_of(F.in_width, WARP_BEHIND))));
    F.bottom = uint(kept(int(room_of(F.in_height, WARP_BELOW))));
    F.first = CALL0(first_of_bytes);
    if (thread < 2) {
        int x = thread == 0 ? left : min(left + TILE_COLUMNS, F.width) - 1;
        vec4 from = place_of(P, F, x, top, 0, 1);
        tile_ends[2 * thread] = from.x;
        tile_ends[2 * thread + 1] = from.y;
    }
    BARRIER;
    bool near = WARPS_NEAR;
    bool steep = abs(tile_ends[3] - tile_ends[1]) > abs(tile_ends[2] - tile_ends[0]);
    int end = min(top + L.walk, L.to_y);
    F.stored_from = STORES_PLAIN ? WARP_STORED.from_y : 0;
    F.stored_to = STORES_PLAIN ? min(end, WARP_STORED.to_y) : end;
    F.whole = STORES_PLAIN && lies_on(WARP_STORED.first, WARP_STORED.pitch, 4 * bytes_of(stored_type));
    /* What a thread takes out of the tile: four pixels of bytes in a row; there are as many threads as such fours, or more. */
    int out_x = WARPS_BYTES ? (thread & (TILE_COLUMNS / 4 - 1)) * 4 : THREAD_X;
    int out_y = WARPS_BYTES ? thread / (TILE_COLUMNS / 4) : THREAD_Y, out_at = out_y * WARP_STRIDE + out_x;
    address out_row = STORED_ROW(top + out_y);
    bool takes = (!WARPS_BYTES || out_y < rows) && left + out_x < F.width;
    ROLLED for (; top < end; top += rows) {
#if defined(__CUDA_ARCH__) /* code for each */
        if (steep)
            CALL(warp_tile, P, F, near, left, top, true, steps, plane);
        else
            CALL(warp_tile, P, F, near, left, top, false, steps, plane);
#else /* other compilers take long */
        CALL(warp_tile, P, F, near, left, top, steep, steps, plane);
#endif
        TILE_BARRIER;
        if (WARPS_BYTES) {
            if (takes && top + out_y >= F.stored_from && top + out_y < F.stored_to)
                write_byte_pixels(out_row, left + out_x, F.width, in_channels_known, PACKED_OUT_WHOLE(4),
                                  PACKED_OUT_WHOLE(in_channels_known == 4 ? 16 : 4),
                                  words(tile[out_at], tile[out_at + 1], tile[out_at + 2], tile[out_at + 3]));
            out_row += STORED_DOWN(rows);
        } else if (steep) {
            ROLLED for (int y = out_y; y < rows; y += TILE_THREAD_ROWS) {
                vec4 v = tile_pixel(y * WARP_STRIDE + out_x, plane, channels);
                if (takes && top + y >= F.stored_from && top + y < F.stored_to)
                    CALL(deliver, left + out_x, top + y, v);
            }
        }
        TILE_BARRIER;
    }
    FINISH
}
