/* SPDX-License-Identifier: MIT
 * Rows at twice the size by bilinear interpolation: each output is three quarters of the nearest pixel and a quarter of the next,
 * along both axes, so sums of 16 parts are exact. Vectors of outputs left of pixels and of outputs right of them are made
 * separately and then interleaved. */
#include <string.h>
#include "kernels/cpu/isa/isa.h"
#include "kernels/cpu/kernels.h"

#define INLINE static inline __attribute__((always_inline))
#define PIECE 192 /* components at a time: whole pixels of 1 to 4 */

#define ZIP(T)                                                                                                         \
    static void zip_##T(const void *left, const void *right, void *to, int64_t count) {                                \
        const T *a = left, *b = right;                                                                                 \
        T *out = to;                                                                                                   \
        VECTOR_LOOP                                                                                                    \
        for (int64_t x = 0; x < count; x++) {                                                                          \
            out[2 * x] = a[x];                                                                                         \
            out[2 * x + 1] = b[x];                                                                                     \
        }                                                                                                              \
    }
ZIP(uint8_t)
ZIP(uint16_t)
ZIP(uint32_t)
ZIP(uint64_t)

typedef uint8_t bytes __attribute__((vector_size(16)));

/* Pixels of 3 bytes: eight of each are three vectors. */
static void zip_3(const uint8_t *a, const uint8_t *b, uint8_t *out, int64_t count) {
    int64_t x = 0;
    for (; x + 9 <= count; x += 8, out += 48) { /* reads 24 bytes, and never behind the pixels */
        bytes a0, a1, a2, b0, b1, b2;
        const uint8_t *from = a + 3 * x, *next = b + 3 * x;
        memcpy(&a0, from, 16), memcpy(&a1, from + 5, 16), memcpy(&a2, from + 8, 16);
        memcpy(&b0, next, 16), memcpy(&b1, next + 5, 16), memcpy(&b2, next + 8, 16);
        bytes v0 = __builtin_shufflevector(a0, b0, 0, 1, 2, 16, 17, 18, 3, 4, 5, 19, 20, 21, 6, 7, 8, 22);
        bytes v1 = __builtin_shufflevector(a1, b1, 18, 19, 4, 5, 6, 20, 21, 22, 7, 8, 9, 23, 24, 25, 10, 11);
        bytes v2 = __builtin_shufflevector(a2, b2, 9, 23, 24, 25, 10, 11, 12, 26, 27, 28, 13, 14, 15, 29, 30, 31);
        memcpy(out, &v0, 16), memcpy(out + 16, &v1, 16), memcpy(out + 32, &v2, 16);
    }
    for (; x < count; x++, out += 6)
        memcpy(out, a + 3 * x, 3), memcpy(out + 3, b + 3 * x, 3);
}

static void zip(const void *a, const void *b, size_t pixel, void *out, int64_t pixels) {
    switch (pixel) {
    case 1:
        zip_uint8_t(a, b, out, pixels);
        break;
    case 2:
        zip_uint16_t(a, b, out, pixels);
        break;
    case 3:
        zip_3(a, b, out, pixels);
        break;
    case 4:
        zip_uint32_t(a, b, out, pixels);
        break;
    case 8:
        zip_uint64_t(a, b, out, pixels);
        break;
    default:
        for (int64_t x = 0; x < pixels; x++) {
            memcpy((char *)out + 2 * (size_t)x * pixel, (const char *)a + (size_t)x * pixel, pixel);
            memcpy((char *)out + (2 * (size_t)x + 1) * pixel, (const char *)b + (size_t)x * pixel, pixel);
        }
    }
}

#define DOUBLE(T, S)                                                                                                   \
    static void rows_##T(const void *near, const void *far, void *to, int64_t count) {                                 \
        const T *a = near, *b = far;                                                                                   \
        S *sums = to;                                                                                                  \
        VECTOR_LOOP                                                                                                    \
        for (int64_t x = 0; x < count; x++)                                                                            \
            sums[x] = (S)(3 * (S)a[x] + b[x]);                                                                         \
    }                                                                                                                  \
    static void row_##T(const void *from, int stride, void *to, int64_t count) {                                       \
        union {                                                                                                        \
            T side[PIECE];                                                                                             \
            uint64_t aligned;                                                                                          \
        } left, right;                                                                                                 \
        for (int64_t x = 0; x < count; x += PIECE) {                                                                   \
            int64_t n = count - x < PIECE ? count - x : PIECE;                                                         \
            const S *sums = (const S *)from + x;                                                                       \
            VECTOR_LOOP                                                                                                \
            for (int64_t i = 0; i < n; i++) {                                                                          \
                left.side[i] = (T)((S)(3 * sums[i] + sums[i - stride] + 8) >> 4);                                      \
                right.side[i] = (T)((S)(3 * sums[i] + sums[i + stride] + 8) >> 4);                                     \
            }                                                                                                          \
            zip(left.side, right.side, (size_t)stride * sizeof(T), (T *)to + 2 * x, n / stride);                       \
        }                                                                                                              \
    }
DOUBLE(uint8_t, uint16_t)
DOUBLE(uint16_t, uint32_t)

/* ---- numbers with a fraction: both outputs of a pixel at once, there is nothing to make narrower */

static void rows_f32(const void *near, const void *far, void *to, int64_t count) {
    const float *a = near, *b = far;
    float *sums = to;
    VECTOR_LOOP
    for (int64_t x = 0; x < count; x++)
        sums[x] = 0.75f * a[x] + 0.25f * b[x];
}
INLINE void row_f32_by(const float *sums, int stride, float *out, int64_t pixels) {
    VECTOR_LOOP
    for (int64_t x = 0; x < pixels; x++)
        for (int k = 0; k < stride; k++) {
            const float *at = sums + x * stride + k;
            out[2 * x * stride + k] = 0.75f * at[0] + 0.25f * at[-stride];
            out[(2 * x + 1) * stride + k] = 0.75f * at[0] + 0.25f * at[stride];
        }
}
static void row_f32(const void *sums, int stride, void *out, int64_t count) {
    switch (stride) {
    case 1:
        row_f32_by(sums, 1, out, count);
        break;
    case 2:
        row_f32_by(sums, 2, out, count / 2);
        break;
    case 3:
        row_f32_by(sums, 3, out, count / 3);
        break;
    default:
        row_f32_by(sums, 4, out, count / 4);
        break;
    }
}

void KERNEL(weft_fill_double)(struct weft_kernels *kernels);
void KERNEL(weft_fill_double)(struct weft_kernels *kernels) {
    kernels->double_rows[WEFT_ROW_U8] = rows_uint8_t, kernels->double_row[WEFT_ROW_U8] = row_uint8_t;
    kernels->double_rows[WEFT_ROW_U16] = rows_uint16_t, kernels->double_row[WEFT_ROW_U16] = row_uint16_t;
    kernels->double_rows[WEFT_ROW_F32] = rows_f32, kernels->double_row[WEFT_ROW_F32] = row_f32;
}
