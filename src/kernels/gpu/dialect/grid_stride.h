/* SPDX-License-Identifier: MIT
 * All rows from L.from_y on of image 0, whose format the compiler knows, shared out among all threads of a launch in units of whole
 * pixels (counters.h). A unit holds its components as stored, in 32-bit words; once loops over them are unrolled, the compiler
 * knows which component is where.
 *
 *   COMPONENT, PLANES          constants of the kernel: TYPE_* and the channels
 *   uint unit_bits(u, i)       component i of a unit
 *   WALK(take, take_some)      take(u) for each unit that lies in memory as it is read, take_some(u, n) for those of which n
 *                              pixels are there, and for all of images that lie on no multiples of 16 bytes; macros
 *
 * A thread finds its next unit by additions, and loads several units before it needs the first. */
#ifndef KERNELS_GPU_GRID_STRIDE_H
#define KERNELS_GPU_GRID_STRIDE_H
#include "kernels/gpu/reduce/counters.h"
#include "kernels/gpu/dialect/wide.h"

#define COMPONENT_BYTES (COMPONENT == TYPE_U8 ? 1 : COMPONENT == TYPE_F32 ? 4 : 2)
#define UNIT_COMPONENTS (UNIT_BYTES(PLANES) / COMPONENT_BYTES)
#define UNIT_PIXELS (UNIT_COMPONENTS / PLANES)
/* Units of three channels are three loads each. */
#define UNITS_AT_ONCE (PLANES == 3 ? 1 : UNITS_UNDER_WAY)

struct unit {
    uvec4 a, b, c;
};
FN uint word_at(uvec4 v, int k) { return k == 0 ? v.x : k == 1 ? v.y : k == 2 ? v.z : v.w; }
FN void set_word_at(INOUT(uvec4) v, int k, uint x) {
    if (k == 0)
        v.x = x;
    else if (k == 1)
        v.y = x;
    else if (k == 2)
        v.z = x;
    else
        v.w = x;
}
FN uint unit_word(unit u, int i) { return i < 4 ? word_at(u.a, i) : i < 8 ? word_at(u.b, i - 4) : word_at(u.c, i - 8); }
FN uint unit_bits(unit u, int i) {
    if (COMPONENT == TYPE_U8)
        return unit_word(u, i >> 2) >> (8 * (i & 3)) & 255u;
    return COMPONENT == TYPE_F32 ? unit_word(u, i) : unit_word(u, i >> 1) >> (16 * (i & 1)) & 65535u;
}

FN unit unit_read(address row, int i) {
    unit u;
    u.a = read_u32x4(row, PLANES == 3 ? 3 * i : i);
    u.b = u.c = words(0u, 0u, 0u, 0u);
    if (PLANES == 3) {
        u.b = read_u32x4(row, 3 * i + 1);
        u.c = read_u32x4(row, 3 * i + 2);
    }
    return u;
}
/* Component by component; those of `count` and beyond are not there. */
FN_FAR unit unit_read_some(address row, int i, int count) {
    unit u;
    u.a = u.b = u.c = words(0u, 0u, 0u, 0u);
    UNROLL for (int k = 0; k < UNIT_COMPONENTS; k++) {
        uint bits = k < count ? read_bits(row, i * UNIT_COMPONENTS + k, COMPONENT) : 0u;
        int at = k * COMPONENT_BYTES / 4;
        bits = bits << (8 * (k * COMPONENT_BYTES & 3));
        if (at < 4)
            set_word_at(u.a, at, word_at(u.a, at) | bits);
        else if (at < 8)
            set_word_at(u.b, at - 4, word_at(u.b, at - 4) | bits);
        else
            set_word_at(u.c, at - 8, word_at(u.c, at - 8) | bits);
    }
    return u;
}

/* A thread's way through `rows` rows of `across` units each: where it is, what it steps by, and the units still to come. */
struct way {
    int row, column, across, down_step, across_step, left;
};
FN way way_of(int thread, int threads, int across, int rows) {
    way w;
    int total = across * rows, width = across > 0 ? across : 1;
    w.left = thread < total ? (total - thread - 1) / threads + 1 : 0;
    w.across = across;
    w.row = thread / width;
    w.column = thread - w.row * width;
    w.down_step = threads / width;
    w.across_step = threads - w.down_step * width;
    return w;
}
FN void way_on(INOUT(way) w) {
    w.row = w.row + w.down_step;
    w.column = w.column + w.across_step;
    if (w.column >= w.across) {
        w.column = w.column - w.across;
        w.row = w.row + 1;
    }
    w.left = w.left - 1;
}

#define WALK(take, take_some)                                                                                          \
    {                                                                                                                  \
        long_int pitch = L.image[0].pitch;                                                                             \
        address first = row_of(L.image[0].first, pitch, L.from_y);                                                     \
        int width = L.in_width, rows = L.to_y - L.from_y, across = (width + UNIT_PIXELS - 1) / UNIT_PIXELS;            \
        int whole = lies_on(first, pitch, 16) ? width / UNIT_PIXELS : 0;                                               \
        int thread = BLOCK_X * WALK_THREADS + THREAD_X, threads = BLOCKS_X * WALK_THREADS;                             \
        way w = way_of(thread, threads, whole, rows);                                                                  \
        while (w.left >= UNITS_AT_ONCE) {                                                                              \
            unit u[UNITS_UNDER_WAY];                                                                                   \
            UNROLL for (int i = 0; i < UNITS_AT_ONCE; i++) {                                                           \
                u[i] = unit_read(row_of(first, pitch, w.row), w.column);                                               \
                way_on(w);                                                                                             \
            }                                                                                                          \
            UNROLL for (int i = 0; i < UNITS_AT_ONCE; i++) { take(u[i]) }                                              \
        }                                                                                                              \
        while (w.left > 0) {                                                                                           \
            unit u = unit_read(row_of(first, pitch, w.row), w.column);                                                 \
            way_on(w);                                                                                                 \
            take(u)                                                                                                    \
        }                                                                                                              \
        w = way_of(thread, threads, across - whole, rows);                                                             \
        while (w.left > 0) {                                                                                           \
            int column = w.column + whole, n = min(UNIT_PIXELS, width - column * UNIT_PIXELS);                         \
            unit u = unit_read_some(row_of(first, pitch, w.row), column, n * PLANES);                                  \
            way_on(w);                                                                                                 \
            take_some(u, n)                                                                                            \
        }                                                                                                              \
    }

#endif
