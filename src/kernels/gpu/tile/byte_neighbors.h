/* SPDX-License-Identifier: MIT
 * Kernels that look at few bytes around each, two in an instruction (packed.h), in registers alone; and how the host
 * sizes their blocks. A thread has 16 bytes of a row and goes down, two rows a step.
 *
 * A register has two of the thread's bytes in its halves: numbers e and e + LANES, where a neighbor is PLANES registers
 * on, or, where pixels are words, the even and the odd ones of a word. Beyond the thread's own are those of its
 * neighbors, which it reads itself. PLANES and RADIUS are the kernel's. */
#ifndef KERNELS_GPU_BYTE_NEIGHBORS_H
#define KERNELS_GPU_BYTE_NEIGHBORS_H

/* Bytes of a row that a block makes, and rows that a thread does, four of which are one below the other. */
#define FEW_BYTES 512
#define FEW_ROWS(radius) ((radius) == 1 ? 8 : 16)

#if defined(GLSL) || defined(__CUDACC__)
#include "kernels/gpu/dialect/packed.h"

/* The byte that stands in where nothing counts. */
#if !defined(FEW_OUTSIDE)
#define FEW_OUTSIDE 0u
#endif
#define LANES 8                                      /* registers of the thread's own bytes */
#define STEP (PLANES == 4 ? 2 : PLANES)              /* registers from a pixel to the next */
#define APART (PLANES == 4 ? 2 * RADIUS : RADIUS)    /* words, or bytes of a channel, on both sides */
#define BESIDE (PLANES == 4 ? 4 * RADIUS : RADIUS * PLANES) /* registers of the neighbors' bytes */
#define COUNT (LANES + BESIDE)
#define WIDE (LANES + 2 * RADIUS * STEP)
/* For arrays, at most. */
#define MOST_COUNT (LANES + 8)
#define MOST_WIDE (LANES + 12)
#define MOST_PLACES 12
#define PLACES (PLANES == 4 ? 2 * RADIUS : 2 * RADIUS * PLANES)

/* Where a thread reads and writes. `inside`: every row that it needs is there, all of its bytes and of those beside
 * them. */
struct few_bytes {
    int i, top, bottom, last; /* the first byte; rows to be made; the last one that they need, where it is inside */
    bool inside, whole, words_whole, out_whole;
};
LFN(few_bytes, begin_few_bytes, INOUT_ARRAY(int, place_of, MOST_PLACES)) {
    few_bytes f;
    int bytes = PACKED_IN_BYTES;
    f.i = (BLOCK_X * 32 + THREAD_X) * 16;
    f.top = L.from_y + (BLOCK_Y * 4 + THREAD_Y) * FEW_ROWS(RADIUS);
    f.bottom = f.i < bytes ? min(f.top + FEW_ROWS(RADIUS), L.to_y) : f.top;
    f.last = f.bottom - 1 + RADIUS;
    f.whole = PACKED_IN_WHOLE(16);
    f.words_whole = PACKED_IN_WHOLE(4);
    f.out_whole = PACKED_OUT_WHOLE(16);
    f.inside = f.whole && f.out_whole && f.i + 16 <= bytes && f.top >= RADIUS && f.last < L.in_height &&
               f.top >= L.image[STORED_IMAGE].from_y && f.bottom <= L.image[STORED_IMAGE].to_y;
    UNROLL for (int k = 0; k < MOST_PLACES; k++) {
        int distance = PLANES == 4 ? 4 * k : k, half_of = PLACES / 2, pixel = PLANES == 4 ? 4 : 1;
        int place_wanted = k < half_of ? f.i - pixel - distance : f.i + 16 + distance - pixel * half_of;
        if (k < PLACES) {
            place_of[k] = place_wanted;
            if (place_wanted < 0 || place_wanted >= bytes)
                place_of[k] = packed_place(place_wanted, L.in_width, PLANES, border_known);
            f.inside = f.inside && place_of[k] >= 0;
        }
    }
    return f;
}

/* True if all threads of the block that have rows to make are inside the image. */
LFN0(bool, block_lies_inside) {
    int image = STORED_IMAGE, bytes = PACKED_IN_BYTES, end = (BLOCK_X + 1) * FEW_BYTES;
    int top = L.from_y + BLOCK_Y * 4 * FEW_ROWS(RADIUS), bottom = min(top + 4 * FEW_ROWS(RADIUS), L.to_y);
    return (end <= bytes || bytes % 16 == 0) && PACKED_IN_WHOLE(16) && PACKED_OUT_WHOLE(16) && top >= RADIUS &&
           bottom - 1 + RADIUS < L.in_height && top >= L.image[image].from_y && bottom <= L.image[image].to_y &&
           ((border_known != BORDER_CONSTANT && border_known != BORDER_SHRINK) || (BLOCK_X > 0 && end < bytes));
}

/* A row as it is read: the thread's bytes, then those, or pixels, beside them: nearest first, those before, those
 * after. */
LFN(void, read_row, few_bytes f, int y, INOUT_ARRAY(int, place_of, MOST_PLACES),
    INOUT_ARRAY(uint, raw, 4 + MOST_PLACES)) {
    uint outside = 0u;
    int at = min(y, f.last);
    if (!f.inside) {
        outside = PACKED_OUTSIDE(FEW_OUTSIDE) * 0x01010101u;
        at = CALL(packed_row, y, RADIUS);
    }
    address row = CALL(packed_input, at);
    if (!f.inside && at < 0) {
        UNROLL for (int k = 0; k < 4 + PLACES; k++)
            raw[k] = outside;
    } else {
        uvec4 w;
        if (f.inside)
            w = read_u32x4(row, f.i >> 4);
        else
            w = CALL(packed_piece, row, f.i, f.whole, outside & 255u);
        raw[0] = w.x;
        raw[1] = w.y;
        raw[2] = w.z;
        raw[3] = w.w;
        UNROLL for (int k = 0; k < PLACES; k++) {
            if (f.inside) {
                raw[4 + k] = PLANES == 4 ? read_u32(row, place_of[k] >> 2) : read_u8(row, place_of[k]);
            } else {
                int from = max(place_of[k], 0);
                raw[4 + k] = PLANES == 4 ? read_four(row, from, TYPE_U8, f.words_whole).x : read_u8(row, from);
                raw[4 + k] = place_of[k] < 0 ? outside : raw[4 + k];
            }
        }
    }
}

/* Its registers. */
FN void spread_row(INOUT_ARRAY(uint, raw, 4 + MOST_PLACES), INOUT_ARRAY(uint, v, MOST_COUNT)) {
    UNROLL for (int e = 0; e < LANES; e++) {
        if (PLANES == 4)
            v[e] = (e & 1) != 0 ? odd_lanes(raw[e >> 1]) : even_lanes(raw[e >> 1]);
        else
            v[e] = lanes_of_bytes_at(raw[e >> 2], raw[2 + (e >> 2)], e & 3);
    }
    UNROLL for (int k = 0; k < MOST_COUNT - LANES; k++) {
        if (k < BESIDE && PLANES == 4)
            v[LANES + k] = (k & 1) != 0 ? odd_lanes(raw[4 + (k >> 1)]) : even_lanes(raw[4 + (k >> 1)]);
        else if (k < BESIDE)
            v[LANES + k] = lanes_of_bytes_at(raw[4 + BESIDE + k], raw[4 + k], 0);
    }
}

/* Registers of the row from RADIUS pixels before the thread's on. */
FN void widen(INOUT_ARRAY(uint, v, MOST_COUNT), INOUT_ARRAY(uint, wide, MOST_WIDE)) {
    UNROLL for (int e = 0; e < LANES; e++)
        wide[RADIUS * STEP + e] = v[e];
    UNROLL for (int k = 0; k < 6; k++) {
        if (PLANES == 4 && k < 2 * RADIUS) {
            wide[2 * RADIUS - 2 * (k >> 1) - 2 + (k & 1)] = v[LANES + k];
            wide[2 * RADIUS + LANES + k] = v[LANES + 2 * RADIUS + k];
        } else if (k < BESIDE && PLANES != 4) {
            wide[BESIDE - 1 - k] = next_lanes(v[LANES + k], v[LANES - 1 - k]);
            wide[BESIDE + LANES + k] = next_lanes(v[k], v[LANES + k]);
        }
    }
}

LFN(void, write_row, few_bytes f, int y, INOUT_ARRAY(uint, v, LANES)) {
    address row;
    uvec4 w;
    if (PLANES == 4) {
        w = words(bytes_of_lanes(v[0], v[1]), bytes_of_lanes(v[2], v[3]), bytes_of_lanes(v[4], v[5]),
                  bytes_of_lanes(v[6], v[7]));
    } else {
        uint a = bytes_of_lanes(v[0], v[1]), b = bytes_of_lanes(v[2], v[3]), c = bytes_of_lanes(v[4], v[5]),
             d = bytes_of_lanes(v[6], v[7]);
        w = words(lower_halves(a, b), lower_halves(c, d), upper_halves(a, b), upper_halves(c, d));
    }
    bool wanted = CALL(packed_result, y, row);
    if (y < f.bottom && f.inside)
        write_u32x4(row, f.i >> 4, w);
    else if (y < f.bottom && wanted)
        write_packed_piece(row, f.i, PACKED_OUT_BYTES, f.out_whole, w);
}

/* In CUDA the loop exists twice, so that blocks inside need no tests for edges. */
#if defined(GLSL)
#define DOWN_THE_ROWS(function, f, place_of)                                                                           \
    if (CALL0(block_lies_inside)) {                                                                                    \
        f.inside = true;                                                                                               \
        if (f.top < f.bottom)                                                                                          \
            CALL(function, f, place_of);                                                                               \
    } else {                                                                                                           \
        CALL(function, f, place_of);                                                                                   \
    }
#else
#define DOWN_THE_ROWS(function, f, place_of)                                                                           \
    if (f.inside) {                                                                                                    \
        f.inside = true;                                                                                               \
        CALL(function, f, place_of);                                                                                   \
    } else {                                                                                                           \
        f.inside = false;                                                                                              \
        CALL(function, f, place_of);                                                                                   \
    }
#endif
#endif

#endif
