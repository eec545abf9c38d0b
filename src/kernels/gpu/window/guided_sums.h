/* SPDX-License-Identifier: MIT
 * Sums of windows as guided.h says, and the bytes of pixels. Kernels define PLANES, channels of the image, GREY: the guide is
 * the luminance, and what is summed up: NUMBER, float or uint, and NUMBER_PAIR, two of them. */
#ifndef KERNELS_GPU_GUIDED_SUMS_H
#define KERNELS_GPU_GUIDED_SUMS_H
#include "kernels/gpu/dialect/byte_numbers.h"
#include "kernels/gpu/dialect/packed.h"
#include "kernels/gpu/dialect/pixel_arithmetic.h"
#include "kernels/gpu/dialect/shared_vectors.h"
#include "kernels/gpu/window/guided.h"

#define OWN GUIDED_OWN
#define THREADS GUIDED_THREADS
#define COLORS (PLANES == 1 ? 1 : 3)
#define SUMS (PLANES == 4 ? 7 : 2 * COLORS) /* of each column: of colors, of products or of b, of the fourth channel */
#define WORDS (OWN / 4 * PLANES)            /* of a thread's bytes of a row */
#define PAIRS (OWN / 2)                     /* of a thread's columns */
#define FOURTH_STEPS 32000.0f               /* of 1, of a fourth channel's mean */

SHARED(NUMBER_PAIR, columns, SUMS *PAIRS *THREADS); /* a sum's pairs of columns in turn, each of all threads */
SHARED(NUMBER, totals, SUMS *THREADS);              /* of a thread's columns */
SHARED(quad, shares, OWN / 4 * THREADS);            /* 1 over the columns of a window inside; 0 where its middle is not */

LFN(float, share_of_columns, int x) {
    int inside = least(x + L.radius_x, L.in_width - 1) - most(x - L.radius_x, 0) + 1;
    return x >= 0 && x < L.in_width ? 1.0f / to_float(inside) : 0.0f;
}
/* x: the middle of the first window. */
LFN(void, put_shares, int x) {
    UNROLL for (int c = 0; c < OWN; c += 4)
        quad_write(shares, c / 4 * THREADS + THREAD_X,
                   rgba(CALL(share_of_columns, x + c), CALL(share_of_columns, x + c + 1), CALL(share_of_columns, x + c + 2),
                        CALL(share_of_columns, x + c + 3)));
}
/* The shares of the thread's columns from x on, which are all the same far from the borders. */
LFN(bool, is_far_inside, int x) { return x >= L.radius_x && x + OWN + L.radius_x <= L.in_width; }
LFN(void, shares_of_columns, INOUT_ARRAY(vec4, share, OWN / 4)) {
    UNROLL for (int k = 0; k < OWN / 4; k++)
        share[k] = quad_read(shares, k * THREADS + THREAD_X);
}
FN void same_shares(float v, INOUT_ARRAY(vec4, share, OWN / 4)) {
    UNROLL for (int k = 0; k < OWN / 4; k++)
        share[k] = same_in_all(v);
}
LFN(float, share_of_rows, int y) {
    return near_reciprocal(to_float(least(y + L.radius_y, L.in_height - 1) - most(y - L.radius_y, 0) + 1));
}

FN void put_columns(INOUT_ARRAY(NUMBER, sums, SUMS *OWN)) {
    UNROLL for (int s = 0; s < SUMS; s++) {
        NUMBER total = sums[s * OWN];
        UNROLL for (int p = 0; p < PAIRS; p++)
            columns[(s * PAIRS + p) * THREADS + THREAD_X] = NUMBER_PAIR_OF(sums[s * OWN + 2 * p], sums[s * OWN + 2 * p + 1]);
        UNROLL for (int c = 1; c < OWN; c++)
            total += sums[s * OWN + c];
        totals[s * THREADS + THREAD_X] = total;
    }
}
/* Windows reach back over the pairs of `whole` threads and `more` of the one before. */
#define BACK_WHOLE (L.radius_x >> 2)
#define BACK_MORE (L.radius_x & (PAIRS - 1))
/* Where the pairs lie of which windows that end at the thread's columns 2 i and 2 i + 1 have the first and the second, and those
 * that end a column further have not: the radius is taken twice, so that they are pairs of another thread. */
LFN(void, find_pairs, INOUT_ARRAY(int, places, PAIRS)) {
    int at = THREAD_X - BACK_WHOLE, more = BACK_MORE;
    UNROLL for (int i = 0; i < PAIRS; i++)
        places[i] = at + (i >= more ? (i - more) * THREADS : (i - more + PAIRS) * THREADS - 1);
}
/* Of several planes some turns at once are faster, of one they are not. */
#if defined(__CUDA_ARCH__) && PLANES > 1
#define TOTALS_LOOP _Pragma("unroll 4")
#else
#define TOTALS_LOOP ROLLED
#endif
/* The sums of the windows that end at the thread's columns. */
LFN(void, sum_along, INOUT_ARRAY(int, places, PAIRS), INOUT_ARRAY(NUMBER, sums, SUMS *OWN),
    INOUT_ARRAY(NUMBER, windows, SUMS *OWN)) {
    int at = THREAD_X - BACK_WHOLE;
    UNROLL for (int s = 0; s < SUMS; s++)
        windows[s * OWN] = sums[s * OWN];
    if ((BACK_WHOLE & 1) != 0) {
        UNROLL for (int s = 0; s < SUMS; s++)
            windows[s * OWN] += totals[s * THREADS + at];
        at++;
    }
    TOTALS_LOOP for (; at < THREAD_X; at += 2) {
        UNROLL for (int s = 0; s < SUMS; s++)
            windows[s * OWN] += totals[s * THREADS + at] + totals[s * THREADS + at + 1];
    }
    at = THREAD_X - BACK_WHOLE - 1;
    ROLLED for (int p = PAIRS - BACK_MORE; p < PAIRS; p++) {
        UNROLL for (int s = 0; s < SUMS; s++) {
            NUMBER_PAIR v = columns[(s * PAIRS + p) * THREADS + at];
            windows[s * OWN] += v.x + v.y;
        }
    }
    UNROLL for (int i = 0; i < PAIRS; i++) {
        UNROLL for (int s = 0; s < SUMS; s++) {
            NUMBER_PAIR v = columns[s * PAIRS * THREADS + places[i]];
            int c = s * OWN + 2 * i;
            windows[c + 1] = windows[c] + (sums[c + 1] - v.x);
            if (i + 1 < PAIRS)
                windows[c + 2] = windows[c + 1] + (sums[c + 2] - v.y);
        }
    }
}

/* Four bytes of a row from number i on; 0 where there is none. */
FN_FAR uint bytes_around(address row, int i, int bytes) {
    uint w = 0u;
    ROLLED for (int k = 0; k < 4; k++)
        if (i + k >= 0 && i + k < bytes)
            w |= read_u8(row, i + k) << (8 * k);
    return w;
}
/* Where the bytes of the thread's pixels lie that begin at column x of a row. */
LFN(address, place_of_bytes, int x, int y) {
    return row_of(L.image[0].first, L.image[0].pitch, y) + address(long_int(x * PLANES));
}
/* These bytes, of row y, which lie at `place_there`; 0 where there is none. `whole`: all are there, and on a multiple of 8. */
LFN(void, bytes_of_row, address place_there, int x, int y, bool whole, INOUT_ARRAY(uint, w, WORDS)) {
    if (whole) {
        UNROLL for (int k = 0; k < WORDS / 2; k++) {
            uvec4 v = read_u32x2(place_there, k);
            w[2 * k] = v.x;
            w[2 * k + 1] = v.y;
        }
    } else {
        bool some = x + OWN > 0 && x < L.in_width;
        address row = row_of(L.image[0].first, L.image[0].pitch, y);
        UNROLL for (int k = 0; k < WORDS; k++)
            w[k] = some ? bytes_around(row, x * PLANES + 4 * k, L.in_width * PLANES) : 0u;
    }
}
/* Pixel c of these in steps, and the guide of each of its channels. */
FN vec4 steps_of_pixel(INOUT_ARRAY(uint, w, WORDS), int c) {
    vec4 v = same_in_all(0.0f);
    UNROLL for (int k = 0; k < PLANES; k++)
        set_component(v, k, steps_of_byte(w[(c * PLANES + k) / 4], (c * PLANES + k) % 4));
    return v;
}
FN vec4 guide_of(vec4 v) { return GREY != 0 ? same_in_all(luminance(v)) : v; }

#endif
