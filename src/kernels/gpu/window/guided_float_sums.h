/* SPDX-License-Identifier: MIT
 * Sums of windows of floats as guided.h says. Kernels define PLANES, channels of the image, and GREY: the guide is the luminance.
 *
 * Sums of columns are in two parts, so that a value that has left leaves nothing behind. Rows with a number that is not finite, or
 * so large that two parts are not enough, are never taken away: while a column has one, and when it leaves, its sums are made anew.
 * Along the row windows are only added up. */
#ifndef KERNELS_GPU_GUIDED_FLOAT_SUMS_H
#define KERNELS_GPU_GUIDED_FLOAT_SUMS_H
#include "kernels/gpu/dialect/bits.h"
#include "kernels/gpu/dialect/pixel_arithmetic.h"
#include "kernels/gpu/dialect/shared_vectors.h"
#include "kernels/gpu/window/guided.h"

#define OWN GUIDED_FLOATS_OWN
#define THREADS GUIDED_FLOATS_THREADS
#define COLORS (PLANES == 1 ? 1 : 3)
#define SUMS (PLANES == 4 ? 7 : 2 * COLORS) /* of each column: of colors, of products or of b, of the fourth channel */
#define PIXELS (OWN * PLANES)               /* numbers of a thread's pixels of a row */

SHARED(quad, columns, SUMS *THREADS); /* a thread's columns */
SHARED(float, totals, SUMS *THREADS);
SHARED(quad, shares, THREADS); /* 1 over the columns of a window that are inside; 0 where its middle is outside */

LFN(float, share_of_columns, int x) {
    int inside = least(x + L.radius_x, L.in_width - 1) - most(x - L.radius_x, 0) + 1;
    return x >= 0 && x < L.in_width ? 1.0f / to_float(inside) : 0.0f;
}
/* x: the middle of the first window. */
LFN(void, put_shares, int x) {
    quad_write(shares, THREAD_X,
               rgba(CALL(share_of_columns, x), CALL(share_of_columns, x + 1), CALL(share_of_columns, x + 2),
                    CALL(share_of_columns, x + 3)));
}
LFN(float, share_of_rows, int y) {
    return 1.0f / to_float(least(y + L.radius_y, L.in_height - 1) - most(y - L.radius_y, 0) + 1);
}

/* Adds v to the two parts of a sum (two-sum, Knuth 1969). */
FN void add_in_parts(INOUT(float) high, INOUT(float) low, float v) {
    PRECISE float sum = high + v;
    PRECISE float part = sum - high;
    PRECISE float lost = (high - (sum - part)) + (v - part);
    high = sum;
    low = low + lost;
}
/* The larger of `most` and the magnitude of v, by their bits, which order NaN above infinity. */
FN uint larger_magnitude(uint largest, float v) {
    uint magnitude = bits_of_uint(v) & 0x7fffffffu;
    return magnitude > largest ? magnitude : largest;
}

FN void put_columns(INOUT_ARRAY(float, high, SUMS *OWN), INOUT_ARRAY(float, low, SUMS *OWN), INOUT_ARRAY(float, own, SUMS *OWN)) {
    UNROLL for (int s = 0; s < SUMS; s++) {
        UNROLL for (int c = 0; c < OWN; c++)
            own[s * OWN + c] = high[s * OWN + c] + low[s * OWN + c];
        quad_write(columns, s * THREADS + THREAD_X,
                   rgba(own[s * OWN], own[s * OWN + 1], own[s * OWN + 2], own[s * OWN + 3]));
        totals[s * THREADS + THREAD_X] = (own[s * OWN] + own[s * OWN + 1]) + (own[s * OWN + 2] + own[s * OWN + 3]);
    }
}
/* The sums of the windows that end at the thread's columns: of columns where one of these windows begins, of those that all have,
 * and of the thread's own. */
LFN(void, sum_along, INOUT_ARRAY(float, own, SUMS *OWN), INOUT_ARRAY(float, windows, SUMS *OWN)) {
    int first = THREAD_X - GUIDED_IDLE(L.radius_x, OWN), next = first + 1;
    bool odd = L.radius_x % 2 != 0; /* windows begin in the middle of a thread's columns */
    UNROLL for (int s = 0; s < SUMS; s++)
        windows[s * OWN] = 0.0f;
    ROLLED for (int t = odd ? next + 1 : next; t < THREAD_X; t++) {
        UNROLL for (int s = 0; s < SUMS; s++)
            windows[s * OWN] += totals[s * THREADS + t];
    }
    UNROLL for (int s = 0; s < SUMS; s++) {
        vec4 v = quad_read(columns, s * THREADS + first);
        float all = windows[s * OWN];
        if (odd) {
            vec4 more = quad_read(columns, s * THREADS + next);
            all += more.z + more.w;
            v = rgba(v.z, v.w, more.x, more.y);
        }
        float behind = v.w, own_sum = all;
        own_sum += own[s * OWN];
        float one = own_sum + own[s * OWN + 1], two = one + own[s * OWN + 2], three = two + own[s * OWN + 3];
        windows[s * OWN + 3] = three + behind;
        behind += v.z;
        windows[s * OWN + 2] = two + behind;
        behind += v.y;
        windows[s * OWN + 1] = one + behind;
        behind += v.x;
        windows[s * OWN] = own_sum + behind;
    }
}

/* The numbers of the thread's pixels from column x on, a multiple of OWN; 0 where there is none. */
LFN(void, pixels_of_row, int x, int y, bool whole, INOUT_ARRAY(float, v, PIXELS)) {
    address row = row_of(L.image[0].first, L.image[0].pitch, y);
    if (whole) {
        UNROLL for (int k = 0; k < PLANES; k++) {
            vec4 four = read_f32x4(row, x / OWN * PLANES + k);
            v[4 * k] = four.x;
            v[4 * k + 1] = four.y;
            v[4 * k + 2] = four.z;
            v[4 * k + 3] = four.w;
        }
    } else {
        UNROLL for (int k = 0; k < PIXELS; k++)
            v[k] = x + k / PLANES >= 0 && x + k / PLANES < L.in_width ? read_f32(row, x * PLANES + k) : 0.0f;
    }
}
FN vec4 pixel_of(INOUT_ARRAY(float, v, PIXELS), int c) {
    vec4 pixel = rgba(0.0f, 0.0f, 0.0f, 0.0f);
    UNROLL for (int k = 0; k < PLANES; k++)
        set_component(pixel, k, v[c * PLANES + k]);
    return pixel;
}
FN vec4 guide_of(vec4 v) { return GREY != 0 ? same_in_all(luminance(v)) : v; }

#endif
