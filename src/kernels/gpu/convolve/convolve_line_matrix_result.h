/* SPDX-License-Identifier: MIT
 * The result of convolve_line_matrix.gpu: a thread's sums become words of the result, and results that are NaN are made again.
 * Thread 4 g + t has two outputs of lines 2 t and 2 t + 1 of each tile. For a file that defines FROM, TO, PLANES, DOWN, TILES,
 * BLOCKS, REACH, STEP and WEIGHTS_SCALE. */
#ifndef KERNELS_GPU_CONVOLVE_LINE_MATRIX_RESULT_H
#define KERNELS_GPU_CONVOLVE_LINE_MATRIX_RESULT_H
#include "kernels/gpu/convolve/convolve_line_matrix_read.h"

struct sums {
    float of[4];
};
/* Numbers that lie side by side in the result; how many such runs a thread has; the words that one is. Four words are as much
 * as a thread writes at a time, so that what the threads of a warp write lies side by side too. */
#define RUN (SINGLE ? 4 : DOWN ? 8 : 2 * LINE_APART)
#define RESULT_RUNS (4 * TILES / RUN)
#define RESULT_WORDS (TO == TYPE_U8 ? RUN / 4 : TO == TYPE_U16 || TO == TYPE_F16 ? RUN / 2 : RUN)
/* What 1 is in the sums, and in the result. */
#define ONE_OF_NUMBERS (COLORED ? 65025.0f / 256.0f : SIXTEEN ? 65535.0f / 256.0f : FROM == TYPE_U8 ? 255.0f : 1.0f)
#define ONE_OF_SUMS (ONE_OF_NUMBERS * WEIGHTS_SCALE)
#define ONE_OF_RESULT (TO == TYPE_U8 ? 255.0f : TO == TYPE_U16 ? 65535.0f : 1.0f)
#define MAY_BE_INFINITE (FROM == TYPE_F16 || FROM == TYPE_F32 || (FROM == TYPE_PARTS && TO == TYPE_F16))

/* ---- one number by itself, where an infinite one is near */

FN float number_of_parts(address row, int n) {
    float upper = float_of_half(read_u16(row, (n & ~1) * 2 + (n & 1)));
    float left = float_of_half(read_u16(row, (n | 1) * 2 + (n & 1)));
    return is_finite(upper) ? upper + left : upper; /* the rest of an infinity is NaN */
}
/* Output `place` of a line: along rows a row and a channel, down columns a number of rows. */
FN_FAR float alone(const gpu_launch &L, int place, int line, int channel) {
    thread_state S;
    int radius = DOWN ? L.radius_y : L.radius_x, inside = 1;
    float sum = 0.0f;
    for (int k = -radius; k <= radius; k++) {
        float v = L.border_value;
        if (DOWN) {
            int row = border_place(place + k, L.in_height, border_known);
            address at = row_of(L.image[0].first, L.image[0].pitch, most(row, 0));
            if (row >= 0)
                v = FROM == TYPE_PARTS ? number_of_parts(at, line) : number_of_bits(read_bits(at, line, FROM), FROM);
        } else {
            v = component(CALL(fetch_around, place + k, line, inside), channel);
        }
        sum += weight_at(L.convolve.weights, radius, k) * v;
    }
    return sum;
}

/* ---- a run */

/* Its words. */
LFN(void, words_of_run, INOUT_ARRAY(float, v, RUN), INOUT_ARRAY(uint, w, RESULT_WORDS)) {
    const float shift = 8388608.0f; /* whole numbers are the lower bits of such a float */
    UNROLL for (int i = 0; i < RUN; i += 2) {
        uint pair = halves_of(v[i], v[i + 1]);
        if (TO == TYPE_F32) {
            w[i % RESULT_WORDS] = bits_of_uint(v[i]);
            w[(i + 1) % RESULT_WORDS] = bits_of_uint(v[i + 1]);
        } else if (TO == TYPE_PARTS) {
            w[i % RESULT_WORDS] = pair;
            w[(i + 1) % RESULT_WORDS] = halves_left(v[i], v[i + 1], pair);
        } else if (TO == TYPE_F16) {
            w[i / 2 % RESULT_WORDS] = pair;
        } else if (TO == TYPE_U16) {
            w[i / 2 % RESULT_WORDS] = pick_bytes(bits_of_uint(v[i] + shift), bits_of_uint(v[i + 1] + shift), 0x5410u);
        } else if (i % 4 == 0) {
            uint a = pick_bytes(bits_of_uint(v[i] + shift), bits_of_uint(v[i + 1] + shift), 0x40u);
            uint b = pick_bytes(bits_of_uint(v[(i + 2) % RUN] + shift), bits_of_uint(v[(i + 3) % RUN] + shift), 0x40u);
            w[i / 4 % RESULT_WORDS] = pick_bytes(a, b, 0x5410u);
        }
    }
}
/* Colors are divided by alpha: a run down columns is a pixel or two. */
LFN(void, words_of_pixels, INOUT_ARRAY(float, v, RUN), INOUT_ARRAY(uint, w, RESULT_WORDS)) {
    const int each = RESULT_WORDS * 4 / RUN;
    UNROLL for (int i = 0; i < RUN / 4; i++) {
        vec4 pixel = rgba(v[4 * i % RUN], v[(4 * i + 1) % RUN], v[(4 * i + 2) % RUN], v[(4 * i + 3) % RUN]);
        uvec4 bits = bits_of_four(CALL(hand_out, scale_pixel(pixel, 1.0f / ONE_OF_RESULT)), TO);
        w[i * each] = bits.x;
        if (each > 1)
            w[(i * each + 1) % RESULT_WORDS] = bits.y;
        if (each > 2) {
            w[(i * each + 2) % RESULT_WORDS] = bits.z;
            w[(i * each + 3) % RESULT_WORDS] = bits.w;
        }
    }
}

FN void write_words(address at, INOUT_ARRAY(uint, w, RESULT_WORDS)) {
    UNROLL for (int i = 0; i < RESULT_WORDS; i += RESULT_WORDS % 4 == 0 ? 4 : RESULT_WORDS % 2 == 0 ? 2 : 1) {
        if (RESULT_WORDS % 4 == 0)
            write_u32x4(at, i / 4, words(w[i], w[(i + 1) % RESULT_WORDS], w[(i + 2) % RESULT_WORDS],
                                         w[(i + 3) % RESULT_WORDS]));
        else if (RESULT_WORDS % 2 == 0)
            write_u32x2(at, i / 2, words(w[i], w[(i + 1) % RESULT_WORDS], 0u, 0u));
        else
            write_u32(at, i, w[i]);
    }
}
/* Writes only the first `wanted` numbers of a run. Images between the two axes are wide enough for whole words. */
FN void write_some(address at, int wanted, INOUT_ARRAY(uint, w, RESULT_WORDS)) {
    const int per_word = RUN / RESULT_WORDS; /* numbers */
    if (DOWN) {
        const uint mask = per_word == 1 ? ~0u : (1u << 32 / per_word % 32) - 1u;
        UNROLL for (int i = 0; i < RUN; i++)
            if (i < wanted)
                write_bits(at, i, TO, w[i / per_word] >> 32 / per_word * (i % per_word) & mask);
    } else {
        UNROLL for (int i = 0; i < RESULT_WORDS; i++)
            if ((TO == TYPE_PARTS ? i & ~1 : i * per_word) < wanted)
                write_u32(at, i, w[i]);
    }
}

/* ---- a step */

/* Where results go. */
struct target {
    address at; /* where the thread's first run would be of the first output and line */
    long_int pitch;
    int from_y, to_y;
    bool aligned;
};
#define RESULT_BYTES (TO == TYPE_U8 ? 1 : TO == TYPE_U16 || TO == TYPE_F16 ? 2 : 4)
/* For run r of a thread: with which of its two outputs it begins, in which of its two lines of a tile, and in which tile. */
#define RUN_OUTPUT(r) (SINGLE ? (r) / 2 : DOWN ? (r) : 0)
#define RUN_LINE(r) (DOWN && !SINGLE ? 0 : (r) % 2)
#define RUN_TILE(r) (PLANES == 1 ? (r) / 2 : 0)
/* Where it lies, from the thread's first one: rows and numbers. */
#define RUN_ROW(r) (DOWN ? OUTPUT(0, RUN_OUTPUT(r)) : 8 * RUN_TILE(r) + RUN_LINE(r))
#define RUN_NUMBER(r) (DOWN ? (SINGLE ? 16 * RUN_LINE(r) : 0) : OUTPUT(0, RUN_OUTPUT(r)) * LINE_APART)
/* The row and the number of a row of a thread's first run. */
#define FIRST_ROW(place, line) (DOWN ? (place) + OUTPUT(THREAD_X >> 2, 0) : (line) + 2 * (THREAD_X & 3))
#define FIRST_NUMBER(place, line)                                                                                      \
    (DOWN ? (line) + (SINGLE ? 4 : 8) * (THREAD_X & 3) : ((place) + OUTPUT(THREAD_X >> 2, 0)) * LINE_APART)

LFN(target, target_of, int line) {
    int image = STORED_IMAGE;
    target to;
    to.pitch = L.image[image].pitch;
    to.at = row_of(L.image[image].first, to.pitch, FIRST_ROW(0, line)) + address(FIRST_NUMBER(0, line) * RESULT_BYTES);
    to.from_y = most(L.from_y, L.image[image].from_y);
    to.to_y = least(L.to_y, L.image[image].to_y);
    to.aligned = !DOWN || lies_on(L.image[image].first, to.pitch, 16);
    return to;
}

/* What run r is, of sums times `scale`. */
FN void run_of_sums(INOUT_ARRAY(sums, sum, BLOCKS *TILES), int r, float scale, INOUT_ARRAY(float, v, RUN)) {
    UNROLL for (int i = 0; i < RUN; i++) {
        int output = DOWN ? RUN_OUTPUT(r) : RUN_OUTPUT(r) + i / (PLANES == 1 ? 1 : TILES);
        int of_line = DOWN && !SINGLE ? i / 4 : RUN_LINE(r);
        v[i] = sum[SUM(0, PLANES == 1 ? RUN_TILE(r) : i % TILES)].of[2 * output + of_line] * scale;
    }
}
LFN(void, words_of, INOUT_ARRAY(float, v, RUN), INOUT_ARRAY(uint, w, RESULT_WORDS)) {
    if (DOWN && STORES_CONVERTED)
        CALL(words_of_pixels, v, w);
    else
        CALL(words_of_run, v, w);
}

/* Where not all of a warp's results are inside or finite. */
LFN(void, write_carefully, int place, int line, int behind, float scale, const target &to,
    INOUT_ARRAY(sums, sum, BLOCKS *TILES)) {
    UNROLL for (int r = 0; r < RESULT_RUNS; r++) {
        int row = FIRST_ROW(place, line) + RUN_ROW(r), number = FIRST_NUMBER(place, line) + RUN_NUMBER(r);
        int wanted = behind - number;
        if (row < to.from_y || row >= to.to_y || wanted <= 0)
            continue;
        float v[RUN];
        uint w[RESULT_WORDS];
        run_of_sums(sum, r, scale, v);
        if (MAY_BE_INFINITE) {
            ROLLED for (int i = 0; i < RUN && i < wanted; i++) {
                float one = 0.0f;
                UNROLL for (int k = 0; k < RUN; k++)
                    one = k == i ? v[k] : one;
                if (!is_finite(one))
                    one = DOWN ? alone(L, row, number + i, 0)
                               : alone(L, (number + i) / LINE_APART, row, (number + i) % LINE_APART);
                UNROLL for (int k = 0; k < RUN; k++)
                    v[k] = k == i ? one : v[k];
            }
        }
        CALL(words_of, v, w);
        address at = row_of(to.at, to.pitch, row - FIRST_ROW(0, line)) +
                     address((number - FIRST_NUMBER(0, line)) * RESULT_BYTES);
        if (to.aligned && wanted >= RUN)
            write_words(at, w);
        else
            write_some(at, wanted, w);
    }
}

/* The first block of outputs, from `place` on, of floats those times `scale`; of a row, numbers before `behind`. */
LFN(void, write_step, int place, int line, int behind, float scale, const target &to, INOUT_ARRAY(sums, sum, BLOCKS *TILES)) {
    bool inside = to.aligned && (DOWN ? place >= to.from_y && place + STEP <= to.to_y && line + LINE_MATRIX_NUMBERS <= behind
                                      : line >= to.from_y && line + LINE_MATRIX_ROWS(PLANES) <= to.to_y &&
                                            (place + STEP) * LINE_APART <= behind);
    float by = IN_FLOATS ? scale / WEIGHTS_SCALE : ONE_OF_RESULT / ONE_OF_SUMS, all = 0.0f;
    UNROLL for (int j = 0; MAY_BE_INFINITE && j < TILES; j++)
        all += (sum[SUM(0, j)].of[0] + sum[SUM(0, j)].of[1]) + (sum[SUM(0, j)].of[2] + sum[SUM(0, j)].of[3]);
    if (inside && is_finite(all * by)) {
        address at = row_of(to.at, DOWN ? to.pitch : LINE_APART * RESULT_BYTES, place);
        UNROLL for (int r = 0; r < RESULT_RUNS; r++) {
            float v[RUN];
            uint w[RESULT_WORDS];
            run_of_sums(sum, r, by, v);
            CALL(words_of, v, w);
            write_words(at + address(RUN_ROW(r) * to.pitch) + address(RUN_NUMBER(r) * RESULT_BYTES), w);
        }
    } else {
        CALL(write_carefully, place, line, behind, by, to, sum);
    }
    SYNC_WARP;
}

#endif
