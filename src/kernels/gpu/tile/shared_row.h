/* SPDX-License-Identifier: MIT
 * Rows of numbers, eight of a thread or four of f32 (EIGHT_FLOATS, which a kernel may define first: eight), whatever the
 * channels, and a row of them in shared memory: what resamplings are made of. Integers stay whole numbers of steps until the end
 * (LINE_SCALE).
 *
 *   GROUP                            numbers of a thread
 *   eight                            numbers of a row as stored, in words
 *   CALL(read_eight, row, at, i, whole)  those from number i on, a multiple of GROUP, of a row that is there and begins at `at`;
 *                                    `whole`: they all are, and lie on a multiple of their bytes (CALL0(lies_whole))
 *   CALL(block_lies_whole, from)     whether that is so of all that a block reads from number `from` of rows on. With it as a
 *                                    constant a loop keeps loads in flight; with branches on which threads differ, compilers
 *                                    wait for a load at once
 *   numbers                          their numbers: CALL(numbers_of, eight)
 *   CALL(put_numbers, t, a, b)       those of thread t to the line in shared memory
 *   line_number(i) line_pixel(i)     a number there; a pixel of four channels, or four numbers of others
 *   CALL(deliver_line, x, end, y, v) four pixels of one channel to the result; deliver_pixel: one of several
 *   WALK_STRIP(strip)                all that a kernel's block does: CALL(strip, x0, x1, y0, y1, from, whole_block), which
 *                                    computes rows y0 .. y1 - 1 of columns x0 .. x1 - 1: `made` columns and `walk` rows at
 *                                    most. A row of the input goes into the line from number `from` on; whole_block is a
 *                                    constant
 *
 * A kernel may define first LINE_THREADS, those of a block, 256 else; LINE_QUADS, those that it needs of the line; and LINES, 2,
 * which it uses alternately: the second one begins with quad LINE_QUADS, and thread LINE_GROUPS puts its first numbers.
 *
 * Quads of the line lie alternately in two halves, which are in different banks: threads write two side by side, or one, and
 * read each second one. */
#ifndef KERNELS_GPU_SHARED_ROW_H
#define KERNELS_GPU_SHARED_ROW_H
#define PLANES 4 /* what is not there is not computed */
#include "kernels/gpu/dialect/shared_vectors.h"
#include "kernels/gpu/tile/strip.h"
#include "kernels/gpu/tile/tile.h"
#include "kernels/gpu/dialect/byte_numbers.h"

#ifndef LINE_THREADS
#define LINE_THREADS RESAMPLE_THREADS
#endif
#ifndef LINES
#define LINES 1
#endif
#ifndef LINE_QUADS
#define LINE_QUADS (2 * LINE_THREADS + 8 / LINES)
#endif
#define HALF_LINE (LINES * LINE_QUADS / 2) /* an odd multiple of 4 */
SHARED(quad, line, 2 * HALF_LINE);
#define QUAD_PLACE(q) (((q) & 1) * HALF_LINE + ((q) >> 1))
#define line_number(i) quad_number(line, 4 * QUAD_PLACE((i) >> 2) + ((i) & 3))
#define line_pixel(i) quad_read(line, QUAD_PLACE(i))

struct eight {
    uvec4 a;
#if defined(EIGHT_FLOATS)
    uvec4 b;
#endif
};
struct numbers {
    vec4 a, b;
};
/* Whether numbers are read as stored; the results of a load program are f32. */
#define AS_THEY_LIE (LOADS_PLAIN && source_type != TYPE_VALUES && source_channels == in_channels_known)
#if defined(EIGHT_FLOATS)
#define EIGHTS AS_THEY_LIE
#else
#define EIGHTS (AS_THEY_LIE && source_type != TYPE_F32)
#endif
#define GROUP (EIGHTS ? 8 : 4)
#define LINE_GROUPS (4 * LINE_QUADS / GROUP)
#define IN_STEPS (AS_THEY_LIE && !LOADS_CONVERTED && (source_type == TYPE_U8 || source_type == TYPE_U16))
#define LINE_SCALE (!IN_STEPS ? 1.0f : source_type == TYPE_U8 ? 1.0f / 255.0f : 1.0f / 65535.0f)
#define ROW_NUMBERS (L.in_width * in_channels_known)

LFN0(bool, lies_whole) {
    return AS_THEY_LIE && lies_on(L.image[SOURCE_IMAGE].first, L.image[SOURCE_IMAGE].pitch, source_type == TYPE_U8 ? 8 : 16);
}
/* Threads beyond the end of a row read its last numbers again. */
LFN(bool, block_lies_whole, int from) {
    return CALL0(lies_whole) && (ROW_NUMBERS % GROUP == 0 || from + GROUP * LINE_THREADS <= ROW_NUMBERS);
}
LFN(address, row_begin, int row) { return row_of(L.image[SOURCE_IMAGE].first, L.image[SOURCE_IMAGE].pitch, row); }

/* One by one; the last one stands for those beyond the end of the row. */
LFN(eight, read_eight_singly, int row, address at, int i) {
    eight e;
    uint n[8];
    int last = ROW_NUMBERS - 1, channels = in_channels_known;
    UNROLL for (int k = 0; k < 8; k++)
        n[k] = 0u;
    if (AS_THEY_LIE) {
        UNROLL for (int k = 0; k < 8; k++)
            if (k < GROUP)
                n[k] = read_bits(at, least(i + k, last), source_type);
    } else if (channels == 4) {
        vec4 p = CALL(strip_fetch, least(i >> 2, L.in_width - 1), row);
        UNROLL for (int k = 0; k < 4; k++)
            n[k] = bits_of_uint(component(p, k));
    } else {
        UNROLL for (int k = 0; k < 4; k++) {
            int of_row = least(i + k, last), column = of_row / channels, c = of_row - column * channels;
            vec4 p = CALL(strip_fetch, column, row);
            n[k] = bits_of_uint(c == 0 ? p.x : c == 1 ? p.y : p.z);
        }
    }
    e.a = words(n[0], n[1], n[2], n[3]);
#if defined(EIGHT_FLOATS)
    e.b = words(n[4], n[5], n[6], n[7]);
#endif
    if (AS_THEY_LIE && source_type == TYPE_U8)
        e.a = words(n[0] | n[1] << 8 | n[2] << 16 | n[3] << 24, n[4] | n[5] << 8 | n[6] << 16 | n[7] << 24, 0u, 0u);
    else if (EIGHTS && source_type != TYPE_F32)
        e.a = words(n[0] | n[1] << 16, n[2] | n[3] << 16, n[4] | n[5] << 16, n[6] | n[7] << 16);
    return e;
}
LFN(eight, read_eight, int row, address at, int i, bool whole) {
    eight e;
    if (!whole)
        e = CALL(read_eight_singly, row, at, i);
    else if (source_type == TYPE_U8)
        e.a = read_u32x2(at, i >> 3);
    else
        e.a = read_u32x4(at, source_type == TYPE_F32 ? i >> 2 : i >> 3);
#if defined(EIGHT_FLOATS)
    e.b = e.a;
    if (whole && source_type == TYPE_F32)
        e.b = read_u32x4(at, (i >> 2) + 1);
#endif
    return e;
}

FN vec4 steps_of_bytes(uint w) {
    return rgba(steps_of_byte(w, 0), steps_of_byte(w, 1), steps_of_byte(w, 2), steps_of_byte(w, 3));
}
FN vec4 steps_of_words(uint a, uint b) {
    return rgba(to_float(int(a & 65535u)), to_float(int(a >> 16)), to_float(int(b & 65535u)), to_float(int(b >> 16)));
}
LFN(numbers, numbers_of, eight e) {
    numbers n;
    n.b = same_in_all(0.0f);
    if (!EIGHTS || source_type == TYPE_F32) {
        n.a = numbers_of_four(e.a, TYPE_F32);
#if defined(EIGHT_FLOATS)
        n.b = numbers_of_four(e.b, TYPE_F32);
#endif
    } else if (IN_STEPS && source_type == TYPE_U8) {
        n.a = steps_of_bytes(e.a.x);
        n.b = steps_of_bytes(e.a.y);
    } else if (IN_STEPS) {
        n.a = steps_of_words(e.a.x, e.a.y);
        n.b = steps_of_words(e.a.z, e.a.w);
    } else {
        n.a = numbers_of_four(e.a, source_type);
        n.b = numbers_of_four(source_type == TYPE_U8 ? words(e.a.y, 0u, 0u, 0u) : words(e.a.z, e.a.w, 0u, 0u), source_type);
    }
    if (AS_THEY_LIE && LOADS_CONVERTED && in_channels_known == 4) {
        n.a = CALL(take_in, n.a);
        n.b = CALL(take_in, n.b);
    } else if (AS_THEY_LIE && LOADS_CONVERTED) { /* two channels */
        vec4 p = CALL(take_in, rgba(n.a.x, n.a.y, 0.0f, 0.0f)), q = CALL(take_in, rgba(n.a.z, n.a.w, 0.0f, 0.0f));
        vec4 r = CALL(take_in, rgba(n.b.x, n.b.y, 0.0f, 0.0f)), s = CALL(take_in, rgba(n.b.z, n.b.w, 0.0f, 0.0f));
        n.a = rgba(p.x, p.y, q.x, q.y);
        n.b = rgba(r.x, r.y, s.x, s.y);
    }
    return n;
}

LFN(void, put_numbers, int t, vec4 a, vec4 b) {
    if (EIGHTS) {
        quad_write(line, t, a);
        quad_write(line, HALF_LINE + t, b);
    } else {
        quad_write(line, QUAD_PLACE(t), a);
    }
}

/* Whether the result is bytes that are put into words here. */
#define DELIVERS_BYTES (STORES_PLAIN && !STORES_CONVERTED && stored_type == TYPE_U8 && stored_channels == in_channels_known)
FN uint byte_word(vec4 v) { return placed_bytes(placed_byte(v.x), placed_byte(v.y), placed_byte(v.z), placed_byte(v.w)); }
LFN(bool, deliver_word, int word, int y, vec4 v) {
    int image = STORED_IMAGE;
    bool whole = DELIVERS_BYTES && lies_on(L.image[image].first, L.image[image].pitch, 4);
    if (whole && y >= L.image[image].from_y && y < L.image[image].to_y)
        write_u32(row_of(L.image[image].first, L.image[image].pitch, y), word, byte_word(v));
    return whole;
}
LFN(void, deliver_pixel, int x, int y, vec4 v) {
    bool done = false;
    if (in_channels_known == 4)
        done = CALL(deliver_word, x, y, v);
    if (!done)
        CALL(deliver, x, y, v);
}
/* From column x on, a multiple of 4; those before column `end`. */
LFN(void, deliver_line, int x, int end, int y, vec4 v) {
    bool done = x >= end;
    if (x + 4 <= end)
        done = CALL(deliver_word, x >> 2, y, v);
    if (!done && STORES_PLAIN && stored_channels == 1) {
        four_pixels p = four_of_plane(v);
        CALL(store_four, x, y, p);
    } else if (!done) {
        UNROLL for (int i = 0; i < 4; i++)
            if (x + i < end)
                CALL(deliver, x + i, y, rgba(component(v, i), 0.0f, 0.0f, 0.0f));
    }
}

#define WALK_STRIP(strip)                                                                                              \
    int x0 = BLOCK_X * L.resample.made, x1 = least(x0 + L.resample.made, L.width);                                             \
    int y0 = L.from_y + BLOCK_Y * L.walk, y1 = least(y0 + L.walk, L.to_y);                                   \
    int from = int(read_u32(L.resample.first_x, x0)) * in_channels_known & ~7;                                                 \
    if (CALL(block_lies_whole, from))                                                                                  \
        CALL(strip, x0, x1, y0, y1, from, true);                                                                       \
    else                                                                                                               \
        CALL(strip, x0, x1, y0, y1, from, false);

#endif
