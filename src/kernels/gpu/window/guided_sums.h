/* SPDX-License-Identifier: MIT
 * Sums of windows as guided.h says, and the bytes of pixels. Kernels define PLANES, channels of the image, and GREY: the guide is
 * the luminance. */
#ifndef KERNELS_GPU_GUIDED_SUMS_H
#define KERNELS_GPU_GUIDED_SUMS_H
#include "kernels/gpu/dialect/byte_numbers.h"
#include "kernels/gpu/dialect/halves.h"
#include "kernels/gpu/dialect/packed.h"
#include "kernels/gpu/dialect/pixel_arithmetic.h"
#include "kernels/gpu/window/guided.h"

#define OWN GUIDED_OWN
#define COLORS (PLANES == 1 ? 1 : 3)
#define SUMS (PLANES == 4 ? 7 : 2 * COLORS) /* of each column: of colors, of products or of b, of the fourth channel */
#define WORDS (2 * PLANES)                  /* of a thread's bytes of a row */
#define PLACES ((OWN + 1) * 32)             /* of a sum: all columns in turn for all threads, then threads' totals */

SHARED(float, columns, SUMS *PLACES);
SHARED(float, shares, OWN * 32); /* 1 over the columns of a window that are inside; 0 where its middle is outside */

/* x: the middle of the first window. */
LFN(void, put_shares, int x) {
    UNROLL for (int c = 0; c < OWN; c++) {
        int inside = least(x + c + L.radius_x, L.in_width - 1) - most(x + c - L.radius_x, 0) + 1;
        shares[c * 32 + THREAD_X] = x + c >= 0 && x + c < L.in_width ? 1.0f / to_float(inside) : 0.0f;
    }
}
LFN(float, share_of_rows, int y) {
    return near_reciprocal(to_float(least(y + L.radius_y, L.in_height - 1) - most(y - L.radius_y, 0) + 1));
}

FN void put_columns(INOUT_ARRAY(float, sums, SUMS *OWN)) {
    UNROLL for (int s = 0; s < SUMS; s++) {
        float total = 0.0f;
        UNROLL for (int c = 0; c < OWN; c++) {
            columns[s * PLACES + c * 32 + THREAD_X] = sums[s * OWN + c];
            total += sums[s * OWN + c];
        }
        columns[s * PLACES + OWN * 32 + THREAD_X] = total;
    }
}
/* Where the columns lie that a window ending at the thread's column c - 1 has, and one ending at c has not. */
LFN(void, find_columns, INOUT_ARRAY(int, places, OWN)) {
    int behind = 2 * L.radius_x, at = THREAD_X - behind / OWN, more = behind % OWN;
    UNROLL for (int c = 0; c < OWN; c++) {
        int before = c - 1 - more;
        places[c] = at + (before >= 0 ? before * 32 : (before + OWN) * 32 - 1);
    }
}
/* The sums of the windows that end at the thread's columns. */
LFN(void, sum_along, INOUT_ARRAY(int, places, OWN), INOUT_ARRAY(float, sums, SUMS *OWN), INOUT_ARRAY(float, windows, SUMS *OWN)) {
    int behind = 2 * L.radius_x, whole = behind / OWN, more = behind % OWN, at = THREAD_X - whole;
    UNROLL for (int s = 0; s < SUMS; s++)
        windows[s * OWN] = sums[s * OWN];
    ROLLED for (int i = 0; i < whole; i++) {
        UNROLL for (int s = 0; s < SUMS; s++)
            windows[s * OWN] += columns[s * PLACES + OWN * 32 + at + i];
    }
    ROLLED for (int c = OWN - more; c < OWN; c++) {
        UNROLL for (int s = 0; s < SUMS; s++)
            windows[s * OWN] += columns[s * PLACES + c * 32 + at - 1];
    }
    UNROLL for (int c = 1; c < OWN; c++) {
        UNROLL for (int s = 0; s < SUMS; s++)
            windows[s * OWN + c] = windows[s * OWN + c - 1] + (sums[s * OWN + c] - columns[s * PLACES + places[c]]);
    }
}

/* The bytes of the thread's pixels from column x on, a multiple of OWN; 0 where there is none. */
LFN(void, bytes_of_row, int x, int y, bool whole, INOUT_ARRAY(uint, w, WORDS)) {
    address row = row_of(L.image[0].first, L.image[0].pitch, y);
    if (whole) {
        UNROLL for (int k = 0; k < PLANES; k++) {
            uvec4 v = read_u32x2(row, x / OWN * PLANES + k);
            w[2 * k] = v.x;
            w[2 * k + 1] = v.y;
        }
    } else {
        UNROLL for (int k = 0; k < WORDS; k++) {
            w[k] = 0u;
            if (x + OWN > 0 && x < L.in_width) {
                ROLLED for (int i = 4 * k; i < 4 * k + 4; i++)
                    if (x + i / PLANES >= 0 && x + i / PLANES < L.in_width)
                        w[k] |= read_u8(row, x * PLANES + i) << (8 * (i & 3));
            }
        }
    }
}
/* Pixel c of these in steps, and the guide of each of its channels. */
FN vec4 steps_of_pixel(INOUT_ARRAY(uint, w, WORDS), int c) {
    vec4 v = rgba(steps_of_byte(w[c * PLANES / 4], c * PLANES % 4), 0.0f, 0.0f, 0.0f);
    if (PLANES > 1) {
        v.y = steps_of_byte(w[(c * PLANES + 1) / 4], (c * PLANES + 1) % 4);
        v.z = steps_of_byte(w[(c * PLANES + 2) / 4], (c * PLANES + 2) % 4);
    }
    if (PLANES > 3)
        v.w = steps_of_byte(w[c * PLANES / 4], 3);
    return v;
}
FN vec4 guide_of(vec4 v) { return GREY != 0 ? same_in_all(luminance(v)) : v; }

#endif
