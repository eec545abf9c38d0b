/* SPDX-License-Identifier: MIT
 * Weighted sums along one axis, every output with weights of its own: of all of them, or of a share. */
#ifndef KERNELS_GPU_WEIGH_LINE_H
#define KERNELS_GPU_WEIGH_LINE_H
#include "kernels/gpu/dialect/pixel_arithmetic.h"

/* Products whose numbers are asked for together. The code of a program is long, so it is there once. */
#if defined(PLAIN_FORM)
#define AT_ONCE 4
#else
#define AT_ONCE 1
#endif

/* Adds the weighted pixel to the sum: only channel x if the kernel is compiled for a format with one channel. */
FN vec4 add_counted(vec4 sum, float weight, vec4 v) {
#if defined(FORMAT_CHANNELS) && FORMAT_CHANNELS == 1
    sum.x = sum.x + weight * v.x;
    return sum;
#else
    return add_weighted(sum, weight, v);
#endif
}

/* The sum of every `apart`th product of the output at x, y, from number k on and before `stop`, all of which there are. */
LFN(vec4, weigh_line_part, int x, int y, int k, int stop, int apart, int first, int weights) {
    int down = L.resample.down, last = (down != 0 ? L.in_height : L.in_width) - 1;
    vec4 part = same_in_all(0.0f);
    for (; k + (AT_ONCE - 1) * apart < stop; k += AT_ONCE * apart) {
        vec4 v[AT_ONCE];
        float weight[AT_ONCE];
        UNROLL for (int i = 0; i < AT_ONCE; i++) { /* all loads are issued before the first is used */
            int place_there = least(most(first + k + i * apart, 0), last);
            weight[i] = read_f32(L.resample.weights, weights + k + i * apart);
            v[i] = CALL(fetch, down != 0 ? x : place_there, down != 0 ? place_there : y);
        }
        UNROLL for (int i = 0; i < AT_ONCE; i++)
            part = add_counted(part, weight[i], v[i]);
    }
    for (; k < stop; k += apart) {
        int place_there = least(most(first + k, 0), last);
        vec4 v = CALL(fetch, down != 0 ? x : place_there, down != 0 ? place_there : y);
        part = add_counted(part, read_f32(L.resample.weights, weights + k), v);
    }
    return part;
}

/* The sum of every `apart`th product of the output at x, y, beginning with number k; `outside`: of weights that meet what
 * is no pixel. */
LFN(vec4, weigh_line_share, int x, int y, int k, int apart, INOUT(float) outside) {
    int down = L.resample.down, count = L.resample.count, at = down != 0 ? y : x,
        size = down != 0 ? L.in_height : L.in_width;
    int first = int(read_u32(L.resample.first, at)), weights = at * count;
    bool known = border_known == BORDER_REPLICATE || (first >= 0 && first <= size - count);
    vec4 sum = same_in_all(0.0f);
    outside = 0.0f;
    while (k < count) {
        int stop = least(k + PARTIAL_SUM * apart, count);
        vec4 part = same_in_all(0.0f);
        float part_outside = 0.0f;
        if (known) {
            part = CALL(weigh_line_part, x, y, k, stop, apart, first, weights);
        } else {
            for (int n = k; n < stop; n += apart) {
                float weight = read_f32(L.resample.weights, weights + n);
                int place_there = border_place(first + n, size, border_known);
                if (place_there >= 0) {
                    vec4 v = CALL(fetch, down != 0 ? x : place_there, down != 0 ? place_there : y);
                    part = add_counted(part, weight, v);
                } else {
                    part_outside = part_outside + weight;
                }
            }
        }
        sum = add_pixels(sum, part);
        outside = outside + part_outside;
        k += PARTIAL_SUM * apart;
    }
    return sum;
}

/* The output at x, y: of all its products, and of the border's value, which `outside` of its weights meet. */
LFN(vec4, weigh_line_whole, int x, int y, vec4 sum, float outside) {
    if (border_known == BORDER_CONSTANT && outside != 0.0f) {
        float value = L.border_value;
        if (L.resample.factors != address(0))
            value = value * read_f32(L.resample.factors, L.resample.down != 0 ? x : y);
        sum = add_weighted(sum, outside, same_in_all(value));
    }
    return sum;
}

#endif
