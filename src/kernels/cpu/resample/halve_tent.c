/* SPDX-License-Identifier: MIT
 * Rows of whole numbers at half the size by bilinear interpolation, widened to that: along both axes four pixels count 1, 3, 3 and
 * 1, so sums of 64 parts are exact. Columns are summed first, the sums are split into even and odd pixels, and then an output is a
 * weighted sum of four rows. */
#include "kernels/cpu/resample/halve.h"
#include "kernels/cpu/isa/isa.h"
#include "kernels/cpu/kernels.h"
#include "kernels/cpu/isa/split.h"

#define INLINE static inline __attribute__((always_inline, unused))
#define PIECE 384 /* components of the result at a time: whole pixels of 1 to 4, and whole vectors */
#define MOST_CHANNELS 4

#define TENT(T, S)                                                                                                     \
    /* The sums of columns from element i on. Of a row outside nothing is added. */                                    \
    INLINE void columns_##T(const struct weft_tent *tent, int64_t i, S *sums, int64_t count) {                         \
        const T *b = (const T *)tent->rows[1] + i, *c = (const T *)tent->rows[2] + i;                                  \
        const T *a = tent->rows[0] ? (const T *)tent->rows[0] + i : b;                                                 \
        const T *d = tent->rows[3] ? (const T *)tent->rows[3] + i : c;                                                 \
        const S above = tent->rows[0] ? 1 : 0, below = tent->rows[3] ? 1 : 0;                                          \
        if (above && below) {                                                                                          \
            VECTOR_LOOP                                                                                                \
            for (int64_t x = 0; x < count; x++)                                                                        \
                sums[x] = (S)((S)((S)a[x] + d[x]) + (S)(3 * (S)((S)b[x] + c[x])));                                     \
        } else {                                                                                                       \
            VECTOR_LOOP                                                                                                \
            for (int64_t x = 0; x < count; x++)                                                                        \
                sums[x] = (S)((S)(above * a[x] + below * d[x]) + (S)(3 * (S)((S)b[x] + c[x])));                        \
        }                                                                                                              \
    }                                                                                                                  \
                                                                                                                       \
    INLINE void row_##T(const S *even, const S *odd, int stride, S parts, T *out, int64_t count) {                     \
        VECTOR_LOOP                                                                                                    \
        for (int64_t x = 0; x < count; x++) {                                                                          \
            S sum = (S)((S)(odd[x - stride] + even[x + stride]) + (S)(3 * (S)(even[x] + odd[x])));                     \
            out[x] = (T)((S)(sum + parts / 2) / parts);                                                                \
        }                                                                                                              \
    }                                                                                                                  \
                                                                                                                       \
    /* `count` components from pixel x / stride on; `parts` of the columns' weights. */                                \
    INLINE void piece_##T(const struct weft_tent *tent, int64_t x, int64_t count, bool first, bool last, T *out) {     \
        _Alignas(64) S sums[2 * PIECE], even[PIECE + MOST_CHANNELS], odd[32 + PIECE];                                  \
        int stride = tent->channels;                                                                                   \
        S *odds = odd + 32;                                                                                            \
        const S parts = tent->rows[0] && tent->rows[3] ? 8 : 7;                                                        \
        for (int k = 0; k < stride; k++)                                                                               \
            odds[k - stride] = even[count + k] = 0;                                                                    \
        if (!first)                                                                                                    \
            columns_##T(tent, 2 * x - stride, odds - stride, stride);                                                  \
        if (!last)                                                                                                     \
            columns_##T(tent, 2 * (x + count), even + count, stride);                                                  \
        for (int64_t i = 0; tent->next[0] && i < 2 * count; i += 64 / (int64_t)sizeof(T)) {                            \
            __builtin_prefetch((const T *)tent->next[0] + 2 * x + i);                                                  \
            __builtin_prefetch((const T *)tent->next[1] + 2 * x + i);                                                  \
        }                                                                                                              \
        columns_##T(tent, 2 * x, sums, 2 * count);                                                                     \
        split_pixels(sums, (size_t)stride * sizeof(S), even, odds, count / stride);                                    \
        if (parts == 8)                                                                                                \
            row_##T(even, odds, stride, 64, out, count);                                                               \
        else                                                                                                           \
            row_##T(even, odds, stride, 56, out, count);                                                               \
        if (first)                                                                                                     \
            row_##T(even, odds, stride, 7 * parts, out, stride);                                                       \
        if (last)                                                                                                      \
            row_##T(even + count - stride, odds + count - stride, stride, 7 * parts, out + count - stride, stride);    \
    }                                                                                                                  \
                                                                                                                       \
    static void tent_##T(const struct weft_tent *tent, void *to, int64_t count) {                                      \
        T *out = to;                                                                                                   \
        int64_t x = 0;                                                                                                 \
        for (; x + PIECE <= count; x += PIECE)                                                                         \
            piece_##T(tent, x, PIECE, x == 0 && tent->first, x + PIECE == count && tent->last, out + x);               \
        if (x < count)                                                                                                 \
            piece_##T(tent, x, count - x, x == 0 && tent->first, tent->last, out + x);                                 \
    }
TENT(uint8_t, uint16_t)
TENT(uint16_t, uint32_t)

void KERNEL(weft_fill_halve_tent)(struct weft_kernels *kernels);
void KERNEL(weft_fill_halve_tent)(struct weft_kernels *kernels) {
    kernels->halve_tent[WEFT_ROW_U8] = tent_uint8_t;
    kernels->halve_tent[WEFT_ROW_U16] = tent_uint16_t;
}
