/* SPDX-License-Identifier: MIT
 * The row kernels of the CPU: loops over one row, the same source compiled per instruction set. One table per set,
 * assembled in table.c. Rows are planes: one component per element. No kernel requires alignment beyond its type's, none
 * reads or writes outside [0, count) unless it says so. */
#ifndef KERNELS_KERNELS_H
#define KERNELS_KERNELS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "kernels/cpu/box/box.h"
#include "kernels/cpu/point/bytes.h"
#include "kernels/cpu/resample/halve.h"
#include "kernels/cpu/point/matrix.h"
#include "kernels/cpu/multirate/multirate.h"
#include "kernels/cpu/warp/warp_sort.h"
#include "kernels/cpu/window/patches.h"
#include "kernels/rows.h"
#include "weft/image.h"

/* What a row of a plane is made of, inside the CPU backend. */
enum weft_row_type { WEFT_ROW_F32, WEFT_ROW_U8, WEFT_ROW_U16, WEFT_ROW_TYPES };

static inline size_t weft_row_type_size(enum weft_row_type type) {
    return type == WEFT_ROW_F32 ? 4 : type == WEFT_ROW_U16 ? 2 : 1;
}

/* Symmetric weights in whole numbers: a sum is (start + weight[0] * center + weight[k] * (both k away) ...) >> shift. */
struct weft_fixed_weights {
    int16_t *weight; /* radius + 1 of them, and a 0 */
    int32_t radius, start, shift;
};

/* A sum of so many rows, an even number. Folded: of two rows alike far from the middle each weight is for both, so there
 * are half as many weights, and a 0 where that is odd. */
struct weft_fixed_sum {
    const int16_t *weights;
    int32_t taps, start, shift;
    bool folded;
};

/* Two sums of the same rows, an even number of them, whose length times `factor` is wanted. Rows of which only the sum along x
 * has a part come first, those of only the one along y last: x is 0 from x_end on, y before y_first, which are even. */
struct weft_fixed_lengths {
    int8_t x[WEFT_STENCIL_ROWS * WEFT_STENCIL_ROWS + 3], y[WEFT_STENCIL_ROWS * WEFT_STENCIL_ROWS + 3];
    int32_t taps, x_end, y_first;
    float factor;
};

struct weft_kernels {
    const char *name; /* "x86-64-v3" */

    /* convert.c: between interleaved pixels and planes. Indexed by weft_type; f64 has none. */
    void (*load[WEFT_F64])(const void *pixels, int channels, float *const *planes, int count);
    void (*store[WEFT_F64])(const float *const *planes, int channels, void *pixels, int count);
    /* Indexed by row type; f32 has none. */
    void (*split[WEFT_ROW_TYPES])(const void *pixels, int channels, void *const *planes, int count);
    void (*join[WEFT_ROW_TYPES])(const void *const *planes, int channels, void *pixels, int count);
    void (*widen[WEFT_ROW_TYPES])(const void *plane, float *out, int count); /* to [0, 1] */
    void (*narrow[WEFT_ROW_TYPES])(const float *plane, void *out, int count); /* to nearest, NaN to 0 */

    /* convolve.c: out[x] = sum over k of weights[k] * rows[k][x], k < taps */
    void (*weigh_rows)(const float *const *rows, const float *weights, int taps, float *out, int count);
    /* out[n][x] = sum over k of weights[k] * rows[n + k][x], n < 4, k < taps, taps >= 3; no out is another or a row */
    void (*weigh_four_rows)(const float *const *rows, const float *weights, int taps, float *const *out, int count);
    void (*weigh_four_u16)(const uint16_t *const *rows, const float *weights, int taps, float *const *out, int count);
    /* out[x] = sum over k of weights[k] * in[x + k - radius], k <= 2 radius; reads radius pixels on either side */
    void (*convolve_row)(const float *in, const float *weights, int radius, float *out, int count);
    void (*convolve_row_symmetric)(const float *in, const float *weights, int radius, float *out, int count);

    /* convolve_fixed.c, fast where has_fixed: the same in whole numbers, of u8 rows to rows of 16 bits and from these to u8 again;
     * neighbours along the row are `stride` elements apart */
    bool has_fixed;
    void (*weigh_rows_fixed)(const uint8_t *const *rows, const struct weft_fixed_weights *weights, int16_t *out,
                             int count);
    void (*convolve_row_fixed)(const int16_t *in, const struct weft_fixed_weights *weights, int stride, uint8_t *out,
                               int count);
    /* out[x] = (start + the sum of weights[k] * taps[k][x], k < count_of_taps, which is even) >> shift, of which -128 is
     * 0 and 127 is 255, limited */
    void (*weigh_taps_fixed)(const uint8_t *const *taps, const int16_t *weights, int count_of_taps, int32_t start,
                             int shift, uint8_t *out, int count);
    /* out[x] = the length of the sums of x[k] * taps[k][x] and y[k] * taps[k][x]; each sum is at most 32767, for u16 2^24 */
    void (*weigh_lengths_fixed)(const uint8_t *const *taps, const struct weft_fixed_lengths *lengths, uint8_t *out,
                                int count);
    void (*weigh_u16_lengths_fixed)(const uint16_t *const *taps, const struct weft_fixed_lengths *lengths,
                                     uint16_t *out, int count);
    /* The first of u16, each less 32768: of the sum -32768 is 0 and 32767 is 65535. It is made modulo 2^32. */
    void (*weigh_u16_taps_fixed)(const uint16_t *const *taps, const int16_t *weights, int count_of_taps, int32_t start,
                                  int shift, uint16_t *out, int count);

    /* double.c, by row type: sums[x] = 3 near[x] + far[x], of twice the bits; and of such a row, which has a pixel more
     * at each end, both outputs of each pixel: 3 sums[x] + the pixel before or behind, in sixteenths, rounded. Of f32
     * both are in quarters. */
    void (*double_rows[WEFT_ROW_TYPES])(const void *near, const void *far, void *sums, int64_t count);
    void (*double_row[WEFT_ROW_TYPES])(const void *sums, int stride, void *out, int64_t count);
    /* halve.c, by row type: means of two by two pixels; count components of the result, whole pixels */
    void (*halve_rows[WEFT_ROW_TYPES])(const void *above, const void *below, int stride, void *out, int64_t count);
    /* halve_tent.c, by row type u8 or u16: the same with weights 1, 3, 3, 1 along both axes, of pixels inside */
    void (*halve_tent[WEFT_ROW_TYPES])(const struct weft_tent *tent, void *out, int64_t count);

#include "kernels/cpu/extremum/extremum.inc"
#include "kernels/cpu/box/box.inc"
#include "kernels/cpu/rank/rank.inc"
#include "kernels/cpu/resample/resample.inc"
#include "kernels/cpu/multirate/multirate.inc"
#include "kernels/cpu/convert/move.inc"
#include "kernels/cpu/point/bytes.inc"
#include "kernels/cpu/point/matrix.inc"
#include "kernels/cpu/convert/transpose.inc"
#include "kernels/cpu/warp/warp.inc"
#include "kernels/cpu/window/patches.inc"
#include "kernels/cpu/reduce/reduce.inc"
};

#endif
