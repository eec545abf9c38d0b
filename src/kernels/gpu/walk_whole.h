/* SPDX-License-Identifier: MIT
 * Stencils of radius 1 of bytes that are weighted sums, or the length of two that are a gradient's (filter/stencil.h, LINEAR and
 * LENGTH_OF), in whole numbers, two bytes in a register. Threads walk down as in walk.h, each on 16 bytes of a row and a word on
 * both sides; a row is taken apart once, into its part of three results.
 *
 * The weights come from asking the body what it makes of one pixel among zeros. Where whole numbers do not hold them
 * (CALL(walks_whole) says so) the body itself works, by walk.h, on the same blocks.
 *
 * A register's halves are bytes 0 and 2 of a word, or 1 and 3, times a weight: a sum in the lower half that is below 0 takes 1
 * from the upper one. Weights are made even and what is added odd, so that this 1 never counts. */
#ifndef KERNELS_GPU_WALK_WHOLE_H
#define KERNELS_GPU_WALK_WHOLE_H
#include "kernels/gpu/halves.h"
#include "kernels/gpu/packed.h"

/* Luminance is made of pixels that are words. */
#define WHOLE_LUMINANCE (WALK_CHANNELS != WALK_SOURCE)
#define WHOLE_WORDS WALK_WHOLE_WORDS(WALK_SOURCE, WALK_CHANNELS, WALK_FEW)
#define WHOLE_NUMBERS (WHOLE_LUMINANCE ? WHOLE_WORDS : 8) /* registers of a row's numbers */
#define MOST_RAW 10
#define MOST_NUMBERS 8

struct whole_walk {
    address from, to; /* row 0 of the input and of the result */
    long_int from_pitch, to_pitch;
    int i, y0, y1; /* the first byte, and rows */
    bool inside, whole, out_whole; /* inside: all that it needs is somewhere */
    int place[8]; /* of the four bytes before and after, as many as count; of pixels that are words, number 3 and 4 */
};
LFN0(whole_walk, begin_whole) {
    whole_walk w;
    int rows = L.number[7] / TILE_THREAD_ROWS, bytes = L.in_width * WALK_SOURCE, image = STORED_IMAGE;
    w.from = L.image[SOURCE_IMAGE].first;
    w.from_pitch = L.image[SOURCE_IMAGE].pitch;
    w.to = L.image[image].first;
    w.to_pitch = L.image[image].pitch;
    int first = (BLOCK_X * TILE_COLUMNS + THREAD_X) * 4 * WHOLE_WORDS;
    /* The last bytes of a row are made with some before them again, so that all of a thread's are inside. */
    w.i = min(first, bytes - 4 * WHOLE_WORDS);
    w.y0 = L.from_y + BLOCK_Y * L.number[7] + THREAD_Y * rows;
    w.y1 = first < bytes ? min(w.y0 + rows, L.to_y) : w.y0;
    w.whole = w.i == first && lies_on(w.from, w.from_pitch, 16);
    w.out_whole = w.i == first && lies_on(w.to, w.to_pitch, WHOLE_LUMINANCE ? WHOLE_WORDS : 16);
    /* Bytes beside the row's ends, and rows above and below, are others that are there, so that only a border of one number, rows
     * that begin anywhere and the ends of such are not inside: a warp that goes both ways takes twice as long. */
    w.inside = w.whole && w.out_whole && w.y0 >= L.image[image].from_y && w.y1 <= L.image[image].to_y &&
               (border_known != BORDER_CONSTANT || (w.y0 > 0 && w.y1 < L.in_height));
    UNROLL for (int k = 0; k < 8; k++) {
        int wanted = w.i + (k < 4 ? k - 4 : k - 4 + 4 * WHOLE_WORDS);
        w.place[k] = wanted;
        if (WALK_SOURCE == 4) {
            if (k == 3 || k == 4)
                w.place[k] = 4 * border_place((w.i >> 2) + (k == 3 ? -1 : WHOLE_WORDS), L.in_width, border_known);
        } else if (k > 3 - WALK_SOURCE && k < 4 + WALK_SOURCE && (wanted < 0 || wanted >= bytes)) {
            w.place[k] = packed_place(wanted, L.in_width, WALK_SOURCE, border_known);
        }
        if (k > 3 - min(WALK_SOURCE, 3) && k < 4 + min(WALK_SOURCE, 3) && (WALK_SOURCE != 4 || k == 3 || k == 4))
            w.inside = w.inside && w.place[k] >= 0;
    }
    return w;
}
/* A byte of a row that is there, or the border's. */
FN uint byte_beside(address row, int at, uint outside) { return at < 0 ? outside : read_u8(row, max(at, 0)); }

FN uint read_bytes(address row, int i) {
    return read_u8(row, i) | read_u8(row, i + 1) << 8 | read_u8(row, i + 2) << 16 | read_u8(row, i + 3) << 24;
}
/* The words of a row, from the one before the thread's to the one after. Rows further down than the last result's neighbors
 * may not be there. */
LFN(void, read_whole, whole_walk w, int y, INOUT_ARRAY(uint, raw, MOST_RAW)) {
    int there = border_place(min(y, w.y1), L.in_height, border_known);
    if (w.inside) {
        address row = row_of(w.from, w.from_pitch, there);
        UNROLL for (int k = 0; k < WHOLE_WORDS / 4; k++) {
            uvec4 v = read_u32x4(row, (w.i >> 4) + k);
            raw[4 * k + 1] = v.x;
            raw[4 * k + 2] = v.y;
            raw[4 * k + 3] = v.z;
            raw[4 * k + 4] = v.w;
        }
        raw[0] = WALK_SOURCE == 4 ? read_u32(row, w.place[3] >> 2) : read_u8(row, w.place[3]) << 24;
        raw[WHOLE_WORDS + 1] = WALK_SOURCE == 4 ? read_u32(row, w.place[4] >> 2) : read_u8(row, w.place[4]);
        if (WALK_SOURCE == 3) {
            raw[0] |= read_u8(row, w.place[2]) << 16 | read_u8(row, w.place[1]) << 8;
            raw[WHOLE_WORDS + 1] |= read_u8(row, w.place[5]) << 8 | read_u8(row, w.place[6]) << 16;
        }
    } else {
        uint outside = PACKED_OUTSIDE(0u);
        address row = row_of(w.from, w.from_pitch, there < 0 ? min(max(y, 0), L.in_height - 1) : there);
        UNROLL for (int k = 0; k < WHOLE_WORDS / 4; k++) {
            if (w.whole) {
                uvec4 v = read_u32x4(row, (w.i >> 4) + k);
                raw[4 * k + 1] = v.x;
                raw[4 * k + 2] = v.y;
                raw[4 * k + 3] = v.z;
                raw[4 * k + 4] = v.w;
            } else {
                UNROLL for (int j = 0; j < 4; j++)
                    raw[4 * k + j + 1] = read_bytes(row, w.i + 16 * k + 4 * j);
            }
        }
        if (WALK_SOURCE == 4) {
            raw[0] = w.place[3] < 0 ? outside * 0x01010101u : read_bytes(row, max(w.place[3], 0));
            raw[WHOLE_WORDS + 1] = w.place[4] < 0 ? outside * 0x01010101u : read_bytes(row, max(w.place[4], 0));
        } else {
            raw[0] = 0u;
            raw[WHOLE_WORDS + 1] = 0u;
            UNROLL for (int k = 0; k < 3; k++) {
                if (k < WALK_SOURCE) {
                    raw[0] |= byte_beside(row, w.place[3 - k], outside) << (24 - 8 * k);
                    raw[WHOLE_WORDS + 1] |= byte_beside(row, w.place[4 + k], outside) << (8 * k);
                }
            }
        }
        UNROLL for (int k = 0; k < WHOLE_WORDS + 2; k++)
            raw[k] = there < 0 ? outside * 0x01010101u : raw[k];
    }
}

/* The numbers of a row and, of each, the one a pixel before and after it. */
struct whole_row {
    uint left[MOST_NUMBERS], center[MOST_NUMBERS], right[MOST_NUMBERS];
};
FN whole_row split_whole(INOUT_ARRAY(uint, raw, MOST_RAW)) {
    whole_row row;
    uint even[6], odd[6];
    UNROLL for (int k = 0; k < 6; k++) {
        even[k] = even_bytes(raw[k]);
        odd[k] = odd_bytes(raw[k]);
    }
    UNROLL for (int k = 0; k < 4; k++) {
        row.center[2 * k] = even[k + 1];
        row.center[2 * k + 1] = odd[k + 1];
        if (WALK_SOURCE == 4) {
            row.left[2 * k] = even[k];
            row.left[2 * k + 1] = odd[k];
            row.right[2 * k] = even[k + 2];
            row.right[2 * k + 1] = odd[k + 2];
        } else if (WALK_SOURCE == 3) {
            row.left[2 * k] = odd[k];
            row.left[2 * k + 1] = next_lanes(even[k], even[k + 1]);
            row.right[2 * k] = next_lanes(odd[k + 1], odd[k + 2]);
            row.right[2 * k + 1] = even[k + 2];
        } else {
            row.left[2 * k] = next_lanes(odd[k], odd[k + 1]);
            row.left[2 * k + 1] = even[k + 1];
            row.right[2 * k] = odd[k + 1];
            row.right[2 * k + 1] = next_lanes(even[k + 1], even[k + 2]);
        }
    }
    return row;
}

LFN(void, write_whole, whole_walk w, int y, INOUT_ARRAY(uint, made, 4)) {
    int image = STORED_IMAGE, i = WHOLE_LUMINANCE ? w.i >> 2 : w.i;
    address row = row_of(w.to, w.to_pitch, y);
    if (w.inside && !WHOLE_LUMINANCE) {
        write_u32x4(row, i >> 4, words(made[0], made[1], made[2], made[3]));
    } else if (w.inside && WHOLE_WORDS == 8) {
        write_u32x2(row, i >> 3, words(made[0], made[1], 0u, 0u));
    } else if (w.inside) {
        write_u32(row, i >> 2, made[0]);
    } else if (y >= L.image[image].from_y && y < L.image[image].to_y) {
        UNROLL for (int k = 0; k < (WHOLE_LUMINANCE ? WHOLE_WORDS / 4 : 4); k++) {
            if (w.out_whole) {
                write_u32(row, (i >> 2) + k, made[k]);
            } else {
                UNROLL for (int j = 0; j < 4; j++)
                    write_u8(row, i + 4 * k + j, made[k] >> (8 * j) & 255u);
            }
        }
    }
}

/* What the body makes of a 1 in place j among zeros; of zeros alone without such a place. */
FN float asked(int j, BODY_BLOCK P) {
    float near[9];
    UNROLL for (int k = 0; k < 9; k++)
        near[k] = k == j ? 1.0f : 0.0f;
    return body(near, P);
}

/* Whole numbers up to 2048 are half floats too, in units of 2^-24: what CUDA adds and multiplies twice as fast. */
#if defined(__CUDACC__)
#define HAS_HALVES true
#else
#define HAS_HALVES false
#define halves_product_sum(a, b, c) (c)
#endif
FN uint half_of_whole(int n) { return uint(abs(n)) | (n < 0 ? 0x8000u : 0u); }

/* Its forms; of sums both are the same but for the numbers. */
#define WHOLE_NONE 0
#define WHOLE_SUMS 1
#define WHOLE_HALVES 2
#define WHOLE_LENGTHS 3

/* A stencil in whole numbers. */
struct whole_stencil {
    int form;
    uint weight[9];     /* of sums, in units of 2^-shift steps; or half floats, twice */
    uint start;         /* of a register: what is added, and half a step */
    int shift;
    int middle;         /* of a length: the differences' weights are 1, this and 1, */
    float factor;       /* in units of this */
    uint upper, lower;  /* shares of luminance, in 32768ths */
};
/* Sums are to fit half a register: weights are multiples of the smallest unit that allows that, or as good as such. */
#define WHOLE_MOST_ERROR 0.04f /* steps */
FN whole_stencil no_whole() {
    whole_stencil s;
    UNROLL for (int j = 0; j < 9; j++)
        s.weight[j] = 0u;
    s.form = WHOLE_NONE;
    s.start = 0u;
    s.shift = 1;
    s.middle = 0;
    s.factor = 0.0f;
    s.upper = 0u;
    s.lower = 0u;
    return s;
}
FN whole_stencil whole_sums(BODY_BLOCK P) {
    whole_stencil s = no_whole();
    float weight[9], bias = asked(9, P), above = 0.0f, below = 0.0f, error = 0.0f, error_of_halves = 0.0f;
    UNROLL for (int j = 0; j < 9; j++) {
        weight[j] = asked(j, P) - bias;
        above += max(weight[j], 0.0f);
        below += max(-weight[j], 0.0f);
        error_of_halves += abs(weight[j] - floor(weight[j] + 0.5f));
    }
    float added = bias * 255.0f + 0.5f, most = 255.0f * max(above, below) + abs(added);
    if (most < 16383.0f && most > 0.0f) { /* nor NaN */
        bool halves = HAS_HALVES && most < 2047.0f && error_of_halves * 255.0f <= WHOLE_MOST_ERROR;
        float units = 16383.0f / most;
        s.shift = min(int(bits_of_uint(units) >> 23) - 126, 7);
        float unit = halves ? 1.0f : to_float(1 << (s.shift - 1));
        UNROLL for (int j = 0; j < 9; j++) {
            float whole = floor(weight[j] * unit + 0.5f);
            error += abs(weight[j] * unit - whole);
            s.weight[j] = halves ? half_of_float(whole) * 0x10001u : uint(2 * to_int(whole));
        }
        int start = to_int(floor(added * unit));
        s.start = (halves ? half_of_whole(start) : uint(2 * start + 1)) * 0x10001u;
        if (error * 255.0f <= WHOLE_MOST_ERROR * unit)
            s.form = halves ? WHOLE_HALVES : WHOLE_SUMS;
    }
    return s;
}

#if defined(LENGTH_OF)
FN bool is_near(float v, float wanted, float factor) { return abs(v - wanted * factor) <= 1e-6f * abs(factor); }
/* Whether both sums are differences of neighbors, summed up across, and how far each may be from what they say. */
LFN(whole_stencil, whole_lengths, BODY_BLOCK P) {
    whole_stencil s = no_whole();
    BLOCK x = P, y = P;
    x.LENGTH_OF = 1;
    y.LENGTH_OF = 2;
    s.factor = asked(2, x);
    float middle = s.factor != 0.0f ? asked(5, x) / s.factor : -1.0f;
    bool good = middle >= 0.0f && middle <= 6.0f && middle == floor(middle) && abs(s.factor) <= (WHOLE_LUMINANCE ? 1.0f : 16.0f);
    UNROLL for (int j = 0; j < 10; j++) {
        float side = j % 3 == 1 ? middle : 1.0f, across = j / 3 == 1 ? middle : 1.0f;
        float wanted_x = j == 9 ? 0.0f : to_float(j % 3 - 1) * across, wanted_y = j == 9 ? 0.0f : to_float(j / 3 - 1) * side;
        good = good && is_near(asked(j, x), wanted_x, s.factor) && is_near(asked(j, y), wanted_y, s.factor);
    }
    s.middle = good ? to_int(middle) : 0;
    s.factor = abs(s.factor);
    if (WHOLE_LUMINANCE) {
        int shares = 0;
        UNROLL for (int k = 0; k < 3; k++) {
            float share = CALL(walk_weight, k == 0 ? 1.0f : 0.0f, k == 1 ? 1.0f : 0.0f, k == 2 ? 1.0f : 0.0f);
            good = good && share >= 0.0f && share <= 1.0f;
            int whole = to_int(good ? floor(share * 32768.0f + 0.5f) : 0.0f);
            s.upper |= uint(whole >> 8) << (8 * k);
            s.lower |= uint(whole & 255) << (8 * k);
            shares += whole;
        }
        good = good && shares <= 32769 && border_known != BORDER_CONSTANT;
    }
    s.form = good ? WHOLE_LENGTHS : WHOLE_NONE;
    return s;
}
#endif

/* Whether the border's number is a byte, as far as it counts. */
LFN0(bool, border_is_byte) {
    float value = L.border_value * 255.0f;
    return border_known != BORDER_CONSTANT || (value >= 0.0f && value <= 255.0f && value == floor(value));
}
LFN(whole_stencil, find_whole, BODY_BLOCK P) {
    whole_stencil s = no_whole();
    if (CALL0(border_is_byte)) {
        if (LINEAR && !WHOLE_LUMINANCE)
            s = whole_sums(P);
#if defined(LENGTH_OF)
        else if (P.LENGTH_OF == 0)
            s = CALL(whole_lengths, P);
#endif
    }
    return s;
}

/* Both halves within 0 and `most`. */
#if defined(__CUDA_ARCH__)
FN uint lanes_within(uint v, uint most) { return __vimin_s16x2_relu(v, most * 0x10001u); }
#else
FN uint lanes_within(uint v, uint most) {
    int lower = min(max(int(v << 16) >> 16, 0), int(most)), upper = min(max(int(v) >> 16, 0), int(most));
    return uint(lower) | uint(upper) << 16;
}
#endif

#if defined(LENGTH_OF)
/* Numbers of a length: whole ones in halves of registers, of luminance in registers, in 32768ths. CUDA has them as half floats,
 * whose numbers up to 2048, in units of 2^-24, have the same bits, or as floats. */
#if defined(__CUDACC__) && defined(FORMAT_SOURCE)
#define NUMBER_SUM(a, b) bits_of_uint(float_of_uint(a) + float_of_uint(b))
#define NUMBER_DIFFERENCE(a, b) bits_of_uint(float_of_uint(a) - float_of_uint(b))
#define NUMBER_PRODUCT_SUM(a, b, c) bits_of_uint(float_of_uint(a) * float_of_uint(b) + float_of_uint(c))
#define NUMBER_OF_WHOLE(n) bits_of_uint(to_float(n))
#define LOWER_NUMBER(v) float_of_uint(v)
#define UPPER_NUMBER(v) 0.0f
#define LENGTH_UNIT (1.0f / 32768.0f)
#elif defined(__CUDACC__)
#define NUMBER_SUM halves_sum
#define NUMBER_DIFFERENCE halves_difference
#define NUMBER_PRODUCT_SUM halves_product_sum
#define NUMBER_OF_WHOLE(n) (half_of_float(to_float(n)) * 0x10001u)
#define LOWER_NUMBER lower_number
#define UPPER_NUMBER upper_number
#define LENGTH_UNIT 16777216.0f
#else
#define NUMBER_SUM(a, b) ((a) + (b))
#define NUMBER_DIFFERENCE(a, b) ((a) - (b))
#define NUMBER_PRODUCT_SUM(a, b, c) ((a) * (b) + (c))
#define NUMBER_OF_WHOLE(n) uint(n)
/* A half with 32768 added is the last bits of a float that is 2^23 more. */
#define LOWER_NUMBER(v)                                                                                                \
    (WHOLE_LUMINANCE ? to_float(int(v)) : float_of_uint(0x4b000000u | ((v) + 0x8000u & 0xffffu)) - 8421376.0f)
#define UPPER_NUMBER(v) (float_of_uint(0x4b000000u | (v) + 0x80008000u >> 16) - 8421376.0f)
#define LENGTH_UNIT (WHOLE_LUMINANCE ? 1.0f / 32768.0f : 1.0f)
#endif

FN uint luminance_of_word(whole_stencil s, uint w) {
#if defined(__CUDA_ARCH__)
    /* Added to 2^23, it is a float. */
    uint upper = __dp4a(w, s.upper, 0x4b0000u);
    return bits_of_uint(float_of_uint(__dp4a(w, s.lower, upper << 8)) - 8388608.0f);
#else
    uint sum = 0u;
    UNROLL for (int k = 0; k < 3; k++)
        sum += (w >> (8 * k) & 255u) * ((s.upper >> (8 * k) & 255u) << 8 | (s.lower >> (8 * k) & 255u));
    return NUMBER_OF_WHOLE(sum);
#endif
}
FN whole_row split_numbers(whole_stencil s, INOUT_ARRAY(uint, raw, MOST_RAW)) {
    whole_row row;
    if (WHOLE_LUMINANCE) {
        uint number[MOST_RAW];
        UNROLL for (int k = 0; k < WHOLE_WORDS + 2; k++)
            number[k] = luminance_of_word(s, raw[k]);
        UNROLL for (int k = 0; k < WHOLE_WORDS; k++) {
            row.left[k] = number[k];
            row.center[k] = number[k + 1];
            row.right[k] = number[k + 2];
        }
    } else {
        row = split_whole(raw);
    }
    return row;
}

FN uint bytes_of_lengths(float a, float b, float c, float d, float factor) {
#if defined(__CUDA_ARCH__)
    uint v[4] = {bits_of_uint(__fmaf_rn(a, factor, 8388608.0f)), bits_of_uint(__fmaf_rn(b, factor, 8388608.0f)),
                 bits_of_uint(__fmaf_rn(c, factor, 8388608.0f)), bits_of_uint(__fmaf_rn(d, factor, 8388608.0f))};
    uint first = lanes_min(lower_halves(v[0], v[1]), 0x00ff00ffu), last = lanes_min(lower_halves(v[2], v[3]), 0x00ff00ffu);
    return __byte_perm(first, last, 0x6420);
#else
    float scale = factor * (1.0f / 255.0f);
    return placed_bytes(placed_byte(a * scale), placed_byte(b * scale), placed_byte(c * scale), placed_byte(d * scale));
#endif
}
#endif

/* What rows have come to: of sums, of the result in the row before without its last row, and of the row's own with its first
 * one; of lengths, the same of differences along x, and the sums of this row and of the one before it. */
struct whole_state {
    uint most_done[MOST_NUMBERS], begun[MOST_NUMBERS], summed[MOST_NUMBERS], summed_before[MOST_NUMBERS];
};
FN uint weighed(whole_stencil s, int form, whole_row row, int first, int i, uint sum) {
    if (form == WHOLE_HALVES)
        return halves_product_sum(s.weight[first + 2], row.right[i],
                                  halves_product_sum(s.weight[first + 1], row.center[i],
                                                     halves_product_sum(s.weight[first], row.left[i], sum)));
    return sum + s.weight[first] * row.left[i] + s.weight[first + 1] * row.center[i] + s.weight[first + 2] * row.right[i];
}
FN void finish_sums(whole_stencil s, int form, whole_row row, INOUT(whole_state) state, INOUT_ARRAY(uint, made, 4)) {
    UNROLL for (int k = 0; k < 4; k++) {
        uint even = weighed(s, form, row, 6, 2 * k, state.most_done[2 * k]);
        uint odd = weighed(s, form, row, 6, 2 * k + 1, state.most_done[2 * k + 1]);
        if (form == WHOLE_HALVES) { /* below 0 as whole numbers are */
            made[k] = pick_bytes(lanes_within(even, 255u), lanes_within(odd, 255u), 0x6240u);
        } else {
            uint most = (256u << s.shift) - 1u;
            made[k] = bytes_of_lanes(lanes_within(even, most) << (8 - s.shift), lanes_within(odd, most) << (8 - s.shift));
        }
    }
}
FN void begin_sums(whole_stencil s, int form, whole_row row, INOUT(whole_state) state) {
    UNROLL for (int i = 0; i < 8; i++) {
        state.most_done[i] = weighed(s, form, row, 3, i, state.begun[i]);
        state.begun[i] = weighed(s, form, row, 0, i, s.start);
    }
}

#if defined(LENGTH_OF)
FN uint multiplier(whole_stencil s) { return NUMBER_OF_WHOLE(s.middle); }
FN void finish_lengths(whole_stencil s, whole_row row, INOUT(whole_state) state, INOUT_ARRAY(uint, made, 4)) {
    uint middle = multiplier(s);
    float length[2 * MOST_NUMBERS];
    float factor = s.factor * LENGTH_UNIT;
    UNROLL for (int i = 0; i < WHOLE_NUMBERS; i++) {
        uint sum = NUMBER_PRODUCT_SUM(middle, row.center[i], NUMBER_SUM(row.left[i], row.right[i]));
        uint x = NUMBER_SUM(state.most_done[i], NUMBER_DIFFERENCE(row.right[i], row.left[i]));
        uint y = NUMBER_DIFFERENCE(sum, state.summed_before[i]);
        /* Of a register's halves those of bytes 0 and 2, or 1 and 3, of word i / 2. */
        int at = WHOLE_LUMINANCE ? i : i / 2 * 4 + i % 2;
        float lower_x = LOWER_NUMBER(x), lower_y = LOWER_NUMBER(y);
        length[at] = sqrt(lower_x * lower_x + lower_y * lower_y);
        if (!WHOLE_LUMINANCE) {
            float upper_x = UPPER_NUMBER(x), upper_y = UPPER_NUMBER(y);
            length[at + 2] = sqrt(upper_x * upper_x + upper_y * upper_y);
        }
    }
    UNROLL for (int k = 0; k < (WHOLE_LUMINANCE ? WHOLE_WORDS / 4 : 4); k++)
        made[k] = bytes_of_lengths(length[4 * k], length[4 * k + 1], length[4 * k + 2], length[4 * k + 3], factor);
}
FN void begin_lengths(whole_stencil s, whole_row row, INOUT(whole_state) state) {
    uint middle = multiplier(s);
    UNROLL for (int i = 0; i < WHOLE_NUMBERS; i++) {
        uint difference = NUMBER_DIFFERENCE(row.right[i], row.left[i]);
        state.most_done[i] = NUMBER_PRODUCT_SUM(middle, difference, state.begun[i]);
        state.begun[i] = difference;
        state.summed_before[i] = state.summed[i];
        state.summed[i] = NUMBER_PRODUCT_SUM(middle, row.center[i], NUMBER_SUM(row.left[i], row.right[i]));
    }
}
#endif

/* A row of the input: what it adds to the result in the row before, if there is one, and to its own and the next. */
LFN(void, take_row, whole_walk w, whole_stencil s, int form, int y, bool makes, INOUT_ARRAY(uint, raw, MOST_RAW),
    INOUT_ARRAY(uint, before, 4), INOUT(whole_state) state) {
    uint made[4];
#if defined(LENGTH_OF)
    if (form == WHOLE_LENGTHS) {
        whole_row row = split_numbers(s, raw);
        if (makes) {
            finish_lengths(s, row, state, made);
            if (y <= w.y1)
                CALL(write_whole, w, y - 1, made);
        }
        begin_lengths(s, row, state);
    } else
#endif
    {
        whole_row row = split_whole(raw);
        if (makes) {
            finish_sums(s, form, row, state, made);
#if defined(KEEP_ALPHA)
            if (WALK_CHANNELS == 4 && L.number[0] < WALK_CHANNELS) {
                UNROLL for (int k = 0; k < 4; k++)
                    made[k] = (made[k] & 0x00ffffffu) | (before[k] & 0xff000000u);
            }
#endif
            if (y <= w.y1)
                CALL(write_whole, w, y - 1, made);
        }
        begin_sums(s, form, row, state);
        UNROLL for (int k = 0; k < 4; k++)
            before[k] = raw[k + 1];
    }
}

LFN(void, whole_down, whole_walk w, whole_stencil s, int form) {
    uint a[MOST_RAW], b[MOST_RAW], c[MOST_RAW], d[MOST_RAW], before[4];
    whole_state state;
    CALL(read_whole, w, w.y0 - 1, a);
    CALL(read_whole, w, w.y0, b);
    CALL(read_whole, w, w.y0 + 1, c);
    CALL(read_whole, w, w.y0 + 2, d);
    UNROLL for (int i = 0; i < MOST_NUMBERS; i++) {
        state.begun[i] = form == WHOLE_LENGTHS ? 0u : s.start;
        state.summed[i] = 0u;
    }
    CALL(take_row, w, s, form, w.y0 - 1, false, a, before, state);
    CALL(take_row, w, s, form, w.y0, false, b, before, state);
    for (int y = w.y0 + 1; y <= w.y1; y += 2) {
        UNROLL for (int k = 0; k < WHOLE_WORDS + 2; k++) {
            a[k] = c[k];
            b[k] = d[k];
        }
        CALL(read_whole, w, y + 2, c); /* on their way meanwhile */
        CALL(read_whole, w, y + 3, d);
        CALL(take_row, w, s, form, y, true, a, before, state);
        CALL(take_row, w, s, form, y + 1, true, b, before, state);
    }
}

/* CUDA has what follows twice, so that nothing asks on the way where the edges are. */
LFN(void, walk_whole, whole_stencil s, int form) {
    whole_walk w = CALL0(begin_whole);
    if (w.y0 < w.y1) {
#if !defined(GLSL)
        if (w.inside) {
            w.inside = true;
            CALL(whole_down, w, s, form);
        } else {
            w.inside = false;
            CALL(whole_down, w, s, form);
        }
#else
        CALL(whole_down, w, s, form);
#endif
    }
}

/* False where the body itself is to work. */
LFN(bool, walks_whole, BODY_BLOCK P) {
    whole_stencil s = CALL(find_whole, P);
    if (!WHOLE_LUMINANCE && s.form == WHOLE_SUMS)
        CALL(walk_whole, s, WHOLE_SUMS);
    else if (HAS_HALVES && !WHOLE_LUMINANCE && s.form == WHOLE_HALVES)
        CALL(walk_whole, s, WHOLE_HALVES);
#if defined(LENGTH_OF)
    else if (s.form == WHOLE_LENGTHS)
        CALL(walk_whole, s, WHOLE_LENGTHS);
#endif
    return s.form != WHOLE_NONE;
}
#endif
