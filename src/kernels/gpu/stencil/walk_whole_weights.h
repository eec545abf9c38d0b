/* SPDX-License-Identifier: MIT
 * The weights of walk_whole.h in whole numbers. They are found by running the body on one pixel among zeros. Where whole numbers do
 * not hold them the form is WHOLE_NONE.
 *
 * A register's halves are bytes 0 and 2 of a word, or 1 and 3, times a weight: a sum in the lower half that is below 0 takes 1
 * from the upper one. Weights are made even and what is added odd, so that this 1 never counts. */
#ifndef KERNELS_GPU_WALK_WHOLE_WEIGHTS_H
#define KERNELS_GPU_WALK_WHOLE_WEIGHTS_H
#include "kernels/gpu/dialect/halves.h"
#include "kernels/gpu/stencil/walk_whole_rows.h"

/* The result of the body for a 1 in place j and zeros elsewhere; for zeros only where there is no place j. */
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
#endif
