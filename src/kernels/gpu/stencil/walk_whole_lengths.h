/* SPDX-License-Identifier: MIT
 * Lengths of gradients of walk_whole.h: what a row adds to the two differences of the rows around it, and the bytes that
 * their lengths become. For filters with LENGTH_OF. */
#ifndef KERNELS_GPU_WALK_WHOLE_LENGTHS_H
#define KERNELS_GPU_WALK_WHOLE_LENGTHS_H
#include "kernels/gpu/stencil/walk_whole_weights.h"

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

FN uint multiplier(whole_stencil s) { return NUMBER_OF_WHOLE(s.middle); }
FN void finish_lengths(whole_stencil s, whole_row row, INOUT(whole_state) state, INOUT_ARRAY(uint, made, 4)) {
    uint middle = multiplier(s);
    float length[2 * MOST_NUMBERS];
    float factor = s.factor * LENGTH_UNIT;
    UNROLL for (int i = 0; i < WHOLE_NUMBERS; i++) {
        uint sum = NUMBER_PRODUCT_SUM(middle, row.center[i], NUMBER_SUM(row.left[i], row.right[i]));
        uint x = NUMBER_SUM(state.most_done[i], NUMBER_DIFFERENCE(row.right[i], row.left[i]));
        uint y = NUMBER_DIFFERENCE(sum, state.summed_before[i]);
        /* The halves of a register belong to bytes 0 and 2, or 1 and 3, of word i / 2. */
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
