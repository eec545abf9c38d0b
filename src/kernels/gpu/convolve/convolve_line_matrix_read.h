/* SPDX-License-Identifier: MIT
 * How convolve_line_matrix.gpu reads: 16 places of its lines are copied to shared memory, as stored, some steps before they are
 * needed; and how they become matrix fragments. Thread 4 g + t has four places of line g of each tile. A tile is, of one channel, 8
 * rows; of several, a channel of 8 rows; down columns every fourth number of 32. For a file that defines FROM, TO, PLANES, DOWN,
 * TILES, REACH, STEP and IN_FLOATS. */
#ifndef KERNELS_GPU_CONVOLVE_LINE_MATRIX_READ_H
#define KERNELS_GPU_CONVOLVE_LINE_MATRIX_READ_H
#include "kernels/gpu/tile/async_copy.h"
#include "kernels/gpu/mma/mma_floats.h"
#include "kernels/gpu/dialect/pixel_arithmetic.h"

#define BYTES (FROM == TYPE_U8 ? 1 : FROM == TYPE_U16 || FROM == TYPE_F16 ? 2 : 4)
/* Which place the i-th of a thread's four is. For pixels of four channels: as many adjacent pixels as make 16 bytes, next to those
 * of the other threads, so that a warp's loads of a row are coalesced. */
#define TOGETHER (PLANES == 4 ? BYTES == 4 ? 1 : BYTES == 2 ? 2 : 4 : 4)
#define PLACE(i, t) ((i) / TOGETHER * 4 * TOGETHER + TOGETHER * (t) + (i) % TOGETHER)
/* Which output the h-th of a thread's two is, and which four numbers of 32 the g-th line of all tiles is down columns: side by
 * side, or, where one is 16 bytes of the result, beside those of other threads. */
#define SINGLE ((TO == TYPE_F32 || TO == TYPE_PARTS) && (DOWN || PLANES == 4))
#define OUTPUT(g, h) (SINGLE ? (g) + 8 * (h) : 2 * (g) + (h))
#define GROUP(g) (SINGLE ? (g) / 2 + 4 * ((g) & 1) : (g))
#define PLACE_BYTES (LINE_APART * BYTES)
/* The numbers that a thread reads are in runs, which lie side by side in memory. */
#define RUNS (DOWN || PLANES == 1 ? 4 : 4 / TOGETHER)
#define RUN_WORDS (4 * TILES / RUNS * BYTES / 4)
#define RAW (RUNS * RUN_WORDS)
/* Which of them place i of tile j is. */
#define NUMBER(i, j) (PLANES == 1 ? 4 * (j) + (i) : TILES * (i) + (j))
/* Words of matrices: places 2 p and 2 p + 1 of a tile, as half floats. */
#define WORDS (2 * TILES)
#define WORD(j, p) (2 * (j) + (p))
/* Numbers that always have a second part. A color of bytes times alpha is 16 bits, and one times 255. */
#define COLORED (FROM == TYPE_U8 && TO == TYPE_PARTS)
#define SIXTEEN (FROM == TYPE_U16 || COLORED)
#define CONVERTED (LOADS_CONVERTED && (FROM != TYPE_U8 || COLORED))
#define TWO_PARTS (SIXTEEN || FROM == TYPE_PARTS || IN_FLOATS)

FN float power_of_two(int n) { return float_of_uint(uint(n + 127) << 23); } /* -126 to 127 */

struct lines {
    address at[4]; /* rows, or row 0; there the thread's first number */
    bool aligned;  /* runs lie on multiples of what memory is read by */
};
LFN(lines, lines_of, int line) {
    lines from;
    int g = THREAD_X >> 2, t = THREAD_X & 3, image = DOWN ? 0 : SOURCE_IMAGE;
    address first = L.image[image].first;
    long_int pitch = L.image[image].pitch;
    from.aligned = DOWN || lies_on(first, pitch, 16);
    /* Threads beyond the last numbers of a row read its last four. */
    if (DOWN)
        from.at[0] = row_of(first, pitch, PLACE(0, t)) +
                     address(BYTES * least(line + 4 * GROUP(g), (L.width * L.channels - 1) & ~3));
    UNROLL for (int r = 0; !DOWN && r < (PLANES == 1 ? 4 : 1); r++) {
        int row = least(most(line + 8 * r + g, L.from_y), L.to_y - 1); /* other rows need not be there */
        from.at[r] = row_of(first, pitch, row) + address(PLACE(0, t) * PLACE_BYTES);
    }
    return from;
}

/* Steps that are there or under way: each thread's words, in pieces that memory is read by, those of a warp side by side. */
#define STAGES 4
#define PIECE (RUN_WORDS % 4 == 0 ? 4 : RUN_WORDS % 2 == 0 ? 2 : 1)
#define STAGE_WORDS (LINE_MATRIX_WARPS * RAW * 32)
#define RING(stage, word)                                                                                              \
    ((stage) * STAGE_WORDS + THREAD_Y * RAW * 32 + ((word) / PIECE * 32 + THREAD_X) * PIECE + (word) % PIECE)
SHARED(uvec4, ring_words, STAGES *STAGE_WORDS / 4);
#define ring ((uint *)ring_words)

FN void read_run(address at, int r, int stage) {
    UNROLL for (int i = 0; i < RUN_WORDS; i += PIECE)
        copy_ahead(ring[RING(stage, r * RUN_WORDS + i)], at + address(4 * i), 4 * PIECE);
}
/* A step that is there. */
FN void take_step(int stage, INOUT_ARRAY(uint, raw, RAW)) {
    UNROLL for (int i = 0; i < RAW; i += PIECE) {
        if (PIECE == 4) {
            uvec4 w = ring_words[RING(stage, i) / 4];
            raw[i] = w.x;
            raw[(i + 1) % RAW] = w.y;
            raw[(i + 2) % RAW] = w.z;
            raw[(i + 3) % RAW] = w.w;
        } else {
            UNROLL for (int k = 0; k < PIECE; k++)
                raw[i + k] = ring[RING(stage, i + k)];
        }
    }
}

/* Down columns: four rows of four numbers each. */
LFN(void, read_rows, const lines &from, int place, int stage) {
    int before = PLACE(0, THREAD_X & 3), least_y = L.from_y - L.radius_y, most_y = L.to_y - 1 + L.radius_y;
    long_int pitch = L.image[0].pitch;
    if (place >= most(0, least_y) && place + STEP <= least(L.in_height, most_y + 1)) {
        address at = row_of(from.at[0], pitch, place);
        UNROLL for (int r = 0; r < RUNS; r++) {
            read_run(at, r, stage);
            at += address(pitch);
        }
    } else {
        uint outside = L.border_value == 0.0f ? 0u : FROM == TYPE_U16 ? ~0u : FROM == TYPE_F32 ? 0x3f800000u : 0x3c003c00u;
        UNROLL for (int r = 0; r < RUNS; r++) {
            int row = border_place(least(most(place + before + r, least_y), most_y), L.in_height, border_known);
            if (row >= 0)
                read_run(row_of(from.at[0], pitch, row - before), r, stage);
            UNROLL for (int i = 0; i < RUN_WORDS; i++)
                if (row < 0) /* of parts the second word is 0 */
                    ring[RING(stage, r * RUN_WORDS + i)] = FROM == TYPE_PARTS && i % 2 == 1 ? 0u : outside;
        }
    }
}

/* Along rows: four places of each line. */
LFN(void, read_places, const lines &from, int place, int stage) {
    int t = THREAD_X & 3;
    if (from.aligned && place >= 0 && place + STEP <= L.in_width) {
        address along = address(place * PLACE_BYTES);
        UNROLL for (int r = 0; r < RUNS; r++)
            read_run(from.at[PLANES == 1 ? r : 0] + along +
                         address(PLANES == 1 ? 0 : PLACE(r * TOGETHER, 0) * PLACE_BYTES), r, stage);
    } else {
        uint outside = bits_of_number(border_known == BORDER_CONSTANT ? L.border_value : 0.0f, FROM);
        uint raw[RAW];
        UNROLL for (int i = 0; i < RAW; i++)
            raw[i] = 0u;
        UNROLL for (int i = 0; i < 4; i++) {
            int column = border_place(least(place + PLACE(i, t), L.in_width + REACH), L.in_width, border_known);
            UNROLL for (int j = 0; j < TILES; j++) {
                int n = NUMBER(i, j) * BYTES;
                int number = (column - PLACE(0, t)) * LINE_APART + (PLANES == 1 ? 0 : j);
                uint bits = outside;
                if (column >= 0)
                    bits = read_bits(from.at[PLANES == 1 ? j : 0], number, FROM);
                raw[n / 4] |= bits << 8 * (n % 4);
            }
        }
        UNROLL for (int i = 0; i < RAW; i++)
            ring[RING(stage, i)] = raw[i];
    }
}
/* Starts the copies of a step; of a step that is not whole it stores the values itself. */
LFN(void, read_step, const lines &from, int place, int stage) {
    if (DOWN)
        CALL(read_rows, from, place, stage);
    else
        CALL(read_places, from, place, stage);
    SYNC_WARP;
}

/* Places i and i + 1 of tile j, in the lower and the upper half of a word. */
FN uint two_bytes(INOUT_ARRAY(uint, raw, RAW), int i, int j) {
    int a = NUMBER(i, j), b = NUMBER(i + 1, j);
    return pick_bytes(raw[a / 4 % RAW], raw[b / 4 % RAW], uint(a % 4 | (b % 4 + 4) << 8)) & 0x00ff00ffu;
}
FN uint two_halves(INOUT_ARRAY(uint, raw, RAW), int i, int j) {
    int a = NUMBER(i, j), b = NUMBER(i + 1, j);
    if (PLANES == 1)
        return raw[a / 2 % RAW];
    return pick_bytes(raw[a / 2 % RAW], raw[b / 2 % RAW], (a % 2 != 0 ? 0x32u : 0x10u) | (b % 2 != 0 ? 0x7600u : 0x5400u));
}
/* The same for numbers that are stored in two parts. `part`: 0 for the first ones, 1 for the second ones. */
FN uint two_parts(INOUT_ARRAY(uint, raw, RAW), int i, int j, int part) {
    int a = NUMBER(i, j), b = NUMBER(i + 1, j);
    return pick_bytes(raw[((a & ~1) + part) % RAW], raw[((b & ~1) + part) % RAW], a % 2 != 0 ? 0x7632u : 0x5410u);
}

/* Bytes as half floats: by bits that make them 1024, or 4 and 256ths, more. */
FN uint halves_of_bytes(uint two) { return halves_difference(two | 0x64006400u, 0x64006400u); }
FN uint halves_of_256ths(uint two) { return halves_difference(two | 0x44004400u, 0x44004400u); }

/* A color of two places times alpha. Bytes: a whole number of 16 bits. */
FN uint bytes_times_alpha(uint color, uint alpha) {
    return (color & 255u) * (alpha & 255u) | ((color >> 16) * (alpha >> 16)) << 16;
}

/* Both parts of places i and i + 1 of tile j. */
LFN(void, parts_of, INOUT_ARRAY(uint, raw, RAW), int i, int j, float scale, INOUT(uint) upper, INOUT(uint) left) {
    bool color = LOADS_CONVERTED && PLANES == 4 && j < 3;
    left = 0u;
    if (IN_FLOATS) {
        float a = float_of_uint(raw[NUMBER(i, j) % RAW]) * scale, b = float_of_uint(raw[NUMBER(i + 1, j) % RAW]) * scale;
        upper = halves_of(a, b);
        left = halves_left(a, b, upper);
    } else if (FROM == TYPE_PARTS) {
        upper = two_parts(raw, i, j, 0);
        left = two_parts(raw, i, j, 1);
    } else if (FROM == TYPE_F16) {
        uint n = two_halves(raw, i, j), alpha = two_halves(raw, i, 3 % TILES);
        upper = n;
        if (color) {
            upper = halves_product(n, alpha);
            left = product_left(n, alpha, upper);
        }
    } else if (SIXTEEN) {
        uint n = COLORED ? bytes_times_alpha(two_bytes(raw, i, j), color ? two_bytes(raw, i, 3 % TILES) : 0x00ff00ffu)
                         : two_halves(raw, i, j);
        if (FROM == TYPE_U16 && color) {
            times_alpha_256ths(n, two_halves(raw, i, 3 % TILES), upper, left);
        } else {
            upper = halves_of_bytes(n >> 8 & 0x00ff00ffu);
            left = halves_of_256ths(n & 0x00ff00ffu);
        }
    } else {
        upper = halves_of_bytes(two_bytes(raw, i, j));
    }
}
/* What a step read as words of matrices; floats times `scale`. */
LFN(void, numbers_of_raw, INOUT_ARRAY(uint, raw, RAW), float scale, INOUT_ARRAY(uint, upper, WORDS),
    INOUT_ARRAY(uint, left, WORDS)) {
    UNROLL for (int j = 0; j < TILES; j++)
        UNROLL for (int p = 0; p < 2; p++)
            CALL(parts_of, raw, 2 * p, j, scale, upper[WORD(j, p)], left[WORD(j, p)]);
}

/* Floats: multiplies colors by alpha, and gives the largest magnitude. */
LFN(float, largest_of, INOUT_ARRAY(uint, raw, RAW)) {
    float largest = 0.0f;
    UNROLL for (int i = 0; i < 4; i++)
        UNROLL for (int j = 0; j < TILES; j++) {
            int n = NUMBER(i, j) % RAW;
            if (LOADS_CONVERTED && PLANES == 4 && j < 3)
                raw[n] = bits_of_uint(float_of_uint(raw[n]) * float_of_uint(raw[NUMBER(i, 3 % TILES) % RAW]));
            largest = max(largest, abs(float_of_uint(raw[n])));
        }
    return largest;
}

#endif
