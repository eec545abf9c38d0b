/* SPDX-License-Identifier: MIT
 * The GPU kernel of a window of bytes whose weights go by distance, around the body of the filter that includes this,
 * and how the host sizes its blocks. CUDA alone has it.
 *
 * Two bytes differ by -255 to 255, so a table has what the body makes of each: the weight and the weight times the
 * difference, as two halves of a word. Each thread of a warp has a copy of the table in a bank of shared memory of its
 * own, so that 32 look up 32 words at once. Words are summed by tensor-core products (mma_floats.h), of which the
 * left is what the threads have looked up, two pixels and two neighbors of each, and the right is the neighbors' shares
 * on a diagonal: a thread gets the sums of its own pixels, in f32. So a neighbor takes a place in the table, a look and
 * a quarter of a product.
 *
 * Of three channels the table has the weight alone, for distances to 765. A pixel is a word of the tile, colors and
 * 128, of which bytes are halves as they are, the smallest there are; times a weight of 32768 they are large enough to
 * keep their digits, and the sum of the 128s is that of the weights.
 *
 * A thread makes 8 pixels one below the other, and goes along the columns of the neighborhood; the code of each height
 * is written out, so that bytes of a word are known. A word of one channel is 4 pixels one below the other. A block
 * makes several tiles, one below the other, since its table takes as long as a fifth of one.
 *
 *   radius_x, radius_y   up to WINDOW_BYTES_RADIUS
 *   HEIGHT               the largest radius_y there is code for, since that takes long to compile
 * variant PLANES=1 LAUNCH_BYTES=65408 HEIGHT=5
 * variant PLANES=1 LAUNCH_BYTES=65408 HEIGHT=8
 * variant PLANES=3 LAUNCH_BYTES=98048 HEIGHT=5
 * variant PLANES=3 LAUNCH_BYTES=98048 HEIGHT=8 */
#ifndef KERNELS_GPU_WINDOW_BYTES_H
#define KERNELS_GPU_WINDOW_BYTES_H

#define WINDOW_BYTES_RADIUS 8
#define WINDOW_BYTES_HEIGHT(radius) ((radius) <= 5 ? 5 : WINDOW_BYTES_RADIUS)
#define WINDOW_BYTES_COLUMNS 64
#define WINDOW_BYTES_ROWS 64 /* of a tile */
#define WINDOW_BYTES_TILES 4
/* What the table takes, as in the variants. */
#define WINDOW_BYTES_ENTRIES(planes) ((planes) == 1 ? 511 : 766)
#define WINDOW_BYTES_SHARED(planes) (128 * WINDOW_BYTES_ENTRIES(planes))
#define WINDOW_BYTES_BESIDE 28672 /* what else of shared memory is needed, at most */

#if defined(KERNEL_NAME)
#include "kernels/gpu/dialect/packed.h"
#include "kernels/gpu/mma/mma_floats.h"

BLOCK_MEMORY(BLOCK)
SHARE;
BODY;

#define THREADS 512
#define REACH WINDOW_BYTES_RADIUS
#define SIDE (2 * REACH + 1)
#define STEPS 8 /* pixels of a thread */
#define PITCH (WINDOW_BYTES_COLUMNS + 2 * REACH)
#define TILE_ROWS ((WINDOW_BYTES_ROWS + 2 * REACH) / 4)
#define TILE_WORDS (PITCH * TILE_ROWS * (PLANES == 1 ? 1 : 4))
#define ENTRY 128 /* bytes of an entry of the table: a word for each bank */

static_assert(LAUNCH_BYTES == WINDOW_BYTES_SHARED(PLANES), "a launch asks for what the table takes");
SHARED_BY_LAUNCH(uvec4, table, WINDOW_BYTES_SHARED(PLANES) / 16);
SHARED(uvec4, tile_pieces, TILE_WORDS / 4);
#define tile ((const uint *)tile_pieces)
SHARED(uint, shares, SIDE *SIDE);
SHARED(int, heights, SIDE); /* of each column: how far up or down its neighbors count */

/* Byte k of a word times `by`, and `more`. */
FN uint product_of_byte(uint word, int k, uint by, uint more) {
#if defined(__CUDA_ARCH__)
    return __dp4a(word, by << (8 * k), more);
#else
    return (word >> (8 * k) & 255u) * by + more;
#endif
}
/* What the table has for the difference of pixel `row` of a column and a thread's own, whose `base` is where it would
 * be for a neighbor of 0. */
FN uint look_up(INOUT_ARRAY(uint, column, 6), int row, uint base) {
    uint at = product_of_byte(column[row >> 2], row & 3, uint(ENTRY), base);
    return *(const uint *)((const char *)table + at);
}

LFN(void, fill_table, int t, BODY_BLOCK P) {
    for (int i = t; i < WINDOW_BYTES_SHARED(PLANES) / 16; i += THREADS) {
        float difference = to_float(i / (ENTRY / 16) - (PLANES == 1 ? 255 : 0));
        float weight = body(abs(difference) * (1.0f / 255.0f), P);
        uint both =
            PLANES == 1 ? halves_of(weight, weight * difference) : halves_of(32768.0f * weight, 32768.0f * weight);
        table[i] = words(both, both, both, both);
    }
}
LFN(void, fill_shares, int t, BODY_BLOCK P) {
    for (int i = t; i < SIDE * SIDE; i += THREADS) {
        int dx = i / SIDE - REACH, dy = i % SIDE - REACH;
        bool reached = dx >= -L.radius_x && dx <= L.radius_x && dy >= -L.radius_y && dy <= L.radius_y;
        float part = reached ? share(to_float(dx), to_float(dy), P) : 0.0f;
        shares[i] = halves_of(part, part);
    }
    BARRIER;
    if (t < SIDE) {
        int height = REACH;
        while (height > 0 && shares[t * SIDE + REACH + height] == 0u && shares[t * SIDE + REACH - height] == 0u)
            height = height - 1;
        heights[t] = height;
    }
}

/* Three words are four pixels of three bytes, of which each becomes a word with 128 above its colors. */
FN void pixels_of_three(INOUT(uint) a, INOUT(uint) b, INOUT(uint) c, INOUT(uint) d) {
    d = c >> 8 | 0x80000000u;
    c = b >> 16 | (c & 255u) << 16 | 0x80000000u;
    b = a >> 24 | (b & 65535u) << 8 | 0x80000000u;
    a = (a & 0xffffffu) | 0x80000000u;
}
/* The four bytes of a row from byte i on, a multiple of 4; the row is -1 where there is none. */
LFN(uint, word_at, int row, int i, bool whole, uint outside) {
    if (row < 0)
        return outside * 0x01010101u;
    address from = CALL(packed_input, row);
    if (i >= 0 && i + 4 <= PACKED_IN_BYTES)
        return read_four(from, i, TYPE_U8, whole).x;
    return packed_around(from, i, L.in_width, PLANES, border_known, outside);
}
/* Four words of the tile at a time: four rows of bytes, turned, or four pixels of three bytes. */
LFN(void, fill_tile, int t, int left, int top, bool whole, uint outside) {
    BARRIER; /* the tile before it was looked at */
    for (int i = t; i < TILE_WORDS / 4; i += THREADS) {
        int x = left - REACH + i % (PITCH / 4) * 4, y = top - REACH + i / (PITCH / 4) * (PLANES == 1 ? 4 : 1);
        uint w[4];
        UNROLL for (int k = 0; k < 4; k++) {
            int row = CALL(packed_row, PLANES == 1 ? y + k : y, L.radius_y);
            w[k] = PLANES == 1 || k < 3 ? CALL(word_at, row, PLANES == 1 ? x : 3 * x + 4 * k, whole, outside) : 0u;
        }
        if (PLANES == 1)
            transpose_bytes(w[0], w[1], w[2], w[3]);
        else
            pixels_of_three(w[0], w[1], w[2], w[3]);
        tile_pieces[i] = words(w[0], w[1], w[2], w[3]);
    }
    BARRIER;
}

/* Adds a column of 2 height + 1 neighbors to the sums of a thread's pixels, two of them in each. `at`: where the tile
 * has the column's rows from REACH above the first pixel on; `diagonal`: the part of a word of shares that is this
 * thread's. */
template <int height>
FN void add_column(INOUT_ARRAY(float, sums, STEPS / 2)[4], int at, const uint *part, uint diagonal,
                   INOUT_ARRAY(uint, base, STEPS)) {
    uint column[6];
    UNROLL for (int i = 0; i < 6; i++) column[i] =
        i >= (REACH - height) / 4 && i <= (REACH + STEPS - 1 + height) / 4 ? tile[at + i * PITCH] : 0u;
    UNROLL for (int dy = REACH - height; dy < REACH + height; dy += 2) {
        uint share_a = part[dy] & diagonal, share_b = part[dy + 1] & diagonal;
        UNROLL for (int p = 0; p < STEPS; p += 2) {
            uvec4 found = words(look_up(column, p + dy, base[p]), look_up(column, p + 1 + dy, base[p + 1]),
                                look_up(column, p + dy + 1, base[p]), look_up(column, p + dy + 2, base[p + 1]));
            multiply_add_halves(sums[p / 2], found, share_a, share_b);
        }
    }
    uint share_last = part[REACH + height] & diagonal;
    UNROLL for (int p = 0; p < STEPS; p += 2)
        multiply_add_few_halves(sums[p / 2], look_up(column, p + REACH + height, base[p]),
                                look_up(column, p + 1 + REACH + height, base[p + 1]), share_last);
}

/* The same of colors: sums of two channels, and of the third and of 128. */
FN uint find_weight(uint a, uint b, int lane) {
#if defined(__CUDA_ARCH__)
    uint distance = __vsadu4(a, b);
#else
    uint distance = 0u;
    for (int k = 0; k < 4; k++)
        distance += uint(abs(to_float(int(a >> (8 * k) & 255u) - int(b >> (8 * k) & 255u))));
#endif
    return *(const uint *)((const char *)table + (distance * uint(ENTRY) + uint(4 * lane)));
}
FN uint first_colors(uint color) { return pick_bytes(color, 0u, 0x4140u); }
FN uint last_colors(uint color) { return pick_bytes(color, 0u, 0x4342u); }
template <int height>
FN void add_colors(INOUT_ARRAY(float, first, STEPS / 2)[4], INOUT_ARRAY(float, last, STEPS / 2)[4], int at,
                   const uint *part, uint diagonal, INOUT_ARRAY(uint, own, STEPS), int lane) {
    uint column[STEPS + 2 * REACH];
    UNROLL for (int i = 0; i < STEPS + 2 * REACH; i++) column[i] =
        i >= REACH - height && i < REACH + STEPS + height ? tile[at + i * PITCH] : 0u;
    UNROLL for (int dy = REACH - height; dy <= REACH + height; dy += 2) {
        bool two = dy < REACH + height;
        uint share_a = part[dy] & diagonal, share_b = two ? part[dy + 1] & diagonal : 0u;
        UNROLL for (int p = 0; p < STEPS; p += 2) {
            uint a = column[p + dy], b = column[p + dy + 1], c = two ? column[p + dy + 2] : 0u;
            uint weight_a = find_weight(a, own[p], lane), weight_b = find_weight(b, own[p + 1], lane);
            uint below_a = two ? find_weight(b, own[p], lane) : 0u,
                 below_b = two ? find_weight(c, own[p + 1], lane) : 0u;
            uvec4 v = words(halves_product(weight_a, first_colors(a)), halves_product(weight_b, first_colors(b)),
                            two ? halves_product(below_a, first_colors(b)) : 0u,
                            two ? halves_product(below_b, first_colors(c)) : 0u);
            uvec4 w = words(halves_product(weight_a, last_colors(a)), halves_product(weight_b, last_colors(b)),
                            two ? halves_product(below_a, last_colors(b)) : 0u,
                            two ? halves_product(below_b, last_colors(c)) : 0u);
            if (two) {
                multiply_add_halves(first[p / 2], v, share_a, share_b);
                multiply_add_halves(last[p / 2], w, share_a, share_b);
            } else {
                multiply_add_few_halves(first[p / 2], v.x, v.y, share_a);
                multiply_add_few_halves(last[p / 2], w.x, w.y, share_a);
            }
        }
    }
}

/* CASES(add): the code of a column by its height. */
#define CASE(add, height)                                                                                              \
    case height:                                                                                                       \
        add(height);                                                                                                   \
        break;
#if HEIGHT == 5
#define MORE_CASES(add)
#else
#define MORE_CASES(add) CASE(add, 5) CASE(add, 6) CASE(add, 7)
#endif
#define CASES(add)                                                                                                     \
    switch (heights[dx]) {                                                                                             \
        CASE(add, 0) CASE(add, 1) CASE(add, 2) CASE(add, 3) CASE(add, 4) MORE_CASES(add) default : add(HEIGHT);        \
    }

/* Eight pixels of the tile, the first of which is at `place` but for what lies around, go to `row` and below. */
FN uint byte_of(float mean) { return uint(min(max(mean, 0.0f), 255.0f) + 0.5f); }
LFN(void, make_bytes, int place, int lane, uint diagonal, INOUT_ARRAY(uint, made, STEPS)) {
    float sums[STEPS / 2][4];
    uint base[STEPS], own[2] = {tile[place + REACH / 4 * PITCH + REACH], tile[place + (REACH / 4 + 1) * PITCH + REACH]};
    UNROLL for (int s = 0; s < STEPS; s++) {
        made[s] = own[s >> 2] >> (8 * (s & 3)) & 255u;
        base[s] = uint(4 * lane + 255 * ENTRY) - made[s] * uint(ENTRY);
        sums[s >> 1][2 * (s & 1)] = sums[s >> 1][2 * (s & 1) + 1] = 0.0f;
    }
#define ADD(height) add_column<height>(sums, place + dx, shares + dx * SIDE, diagonal, base)
    for (int dx = REACH - L.radius_x; dx <= REACH + L.radius_x; dx++)
        CASES(ADD)
#undef ADD
    UNROLL for (int s = 0; s < STEPS; s++) made[s] =
        byte_of(to_float(int(made[s])) + sums[s >> 1][2 * (s & 1) + 1] / sums[s >> 1][2 * (s & 1)]);
}
LFN(void, make_colors, int place, int lane, uint diagonal, INOUT_ARRAY(uint, made, STEPS)) {
    float first[STEPS / 2][4], last[STEPS / 2][4];
    UNROLL for (int s = 0; s < STEPS; s++) {
        made[s] = tile[place + (REACH + s) * PITCH + REACH];
        UNROLL for (int k = 0; k < 2; k++) first[s >> 1][2 * (s & 1) + k] = last[s >> 1][2 * (s & 1) + k] = 0.0f;
    }
#define ADD(height) add_colors<height>(first, last, place + dx, shares + dx * SIDE, diagonal, made, lane)
    for (int dx = REACH - L.radius_x; dx <= REACH + L.radius_x; dx++)
        CASES(ADD)
#undef ADD
    UNROLL for (int s = 0; s < STEPS; s++) {
        int i = 2 * (s & 1);
        float by = 128.0f / last[s >> 1][i + 1];
        made[s] = byte_of(first[s >> 1][i] * by) | byte_of(first[s >> 1][i + 1] * by) << 8 |
                  byte_of(last[s >> 1][i] * by) << 16;
    }
}

KERNEL(KERNEL_NAME, 32, 16) {
    BEGIN
    int t = THREAD_Y * 32 + THREAD_X, lane = THREAD_X;
    int left = BLOCK_X * WINDOW_BYTES_COLUMNS, column = t % WINDOW_BYTES_COLUMNS, x = left + column;
    int above = t / WINDOW_BYTES_COLUMNS * STEPS; /* rows of the tile above the thread's first pixel */
    int place = (PLANES == 1 ? above / 4 : above) * PITCH + column;
    bool whole = PACKED_IN_WHOLE(4);
    uint outside = PACKED_OUTSIDE(0u);
    BLOCK P = BLOCK_AT(BLOCK, BLOCK_ADDRESS(L.block));
    CALL(fill_table, t, P);
    CALL(fill_shares, t, P);
    uint diagonal = lane >> 2 == 2 * (lane & 3) ? 0x0000ffffu : lane >> 2 == 2 * (lane & 3) + 1 ? 0xffff0000u : 0u;
    for (int n = 0; n < WINDOW_BYTES_TILES; n++) {
        int top = L.from_y + (BLOCK_Y * WINDOW_BYTES_TILES + n) * WINDOW_BYTES_ROWS, y = top + above;
        if (top >= L.to_y)
            break;
        CALL(fill_tile, t, left, top, whole, outside);
        uint made[STEPS];
        if (PLANES == 1)
            CALL(make_bytes, place, lane, diagonal, made);
        else
            CALL(make_colors, place, lane, diagonal, made);
        int from_y = L.image[STORED_IMAGE].from_y, to_y = min(L.to_y, L.image[STORED_IMAGE].to_y);
        UNROLL for (int s = 0; s < STEPS; s++) {
            if (x < L.width && y + s >= from_y && y + s < to_y) {
                address row = row_of(L.image[STORED_IMAGE].first, L.image[STORED_IMAGE].pitch, y + s);
                UNROLL for (int k = 0; k < PLANES; k++) write_u8(row, PLANES * x + k, made[s] >> (8 * k) & 255u);
            }
        }
    }
    FINISH
}
#endif
#endif
