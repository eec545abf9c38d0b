/* SPDX-License-Identifier: MIT
 * Rows at half the size: means of two by two pixels. Pixels of 2, 4 and 8 bytes are taken as one number, in whose
 * fields all components are averaged at once; two components of one channel are the fields of one number. */
#include <string.h>
#include "kernels/cpu/isa/isa.h"
#include "kernels/cpu/kernels.h"
#include "kernels/cpu/isa/vector.h"
#ifdef __AVX512BW__
#include "kernels/cpu/resample/halve_avx512.h"
#endif

#define INLINE static inline __attribute__((always_inline, unused))
#define PIECE 192 /* components of the result at a time: whole pixels of 1 to 4 */

/* ---- one channel */

typedef uint16_t two_bytes __attribute__((aligned(1), may_alias));
typedef uint32_t four_bytes __attribute__((aligned(1), may_alias));
typedef uint64_t eight_bytes __attribute__((aligned(1), may_alias));

#define PAIRS(T, TWO, S)                                                                                               \
    INLINE void halve_pairs_##T(const void *above, const void *below, T *out, int64_t count) {                         \
        const TWO *a = above, *b = below;                                                                              \
        VECTOR_LOOP                                                                                                    \
        for (int64_t x = 0; x < count; x++) {                                                                          \
            S v = a[x], w = b[x];                                                                                      \
            S sum = (S)((S)(v & (T)-1) + (S)(v >> 8 * sizeof(T)) + (S)(w & (T)-1) + (S)(w >> 8 * sizeof(T)) + 2);      \
            out[x] = (T)(sum >> 2);                                                                                    \
        }                                                                                                              \
    }
PAIRS(uint8_t, two_bytes, uint16_t)
PAIRS(uint16_t, four_bytes, uint32_t)

/* ---- pixels as numbers of several fields */

/* The mean of two, rounded up, in each field, whose least bits are `low`. */
#define MEAN(a, b, low) (((a) | (b)) - ((((a) ^ (b)) & ~(low)) >> 1))
/* The mean of four is the mean of two means, less what rounding up twice has added. */
#define PIXELS(N)                                                                                                      \
    INLINE void halve_##N(const void *above, const void *below, void *to, uint64_t least, int64_t pixels) {            \
        const N##_bytes *a = above, *b = below, low = (N##_bytes)least;                                                \
        N##_bytes *out = to;                                                                                           \
        VECTOR_LOOP                                                                                                    \
        for (int64_t x = 0; x < pixels; x++) {                                                                         \
            N##_bytes p = a[2 * x], q = a[2 * x + 1], r = b[2 * x], s = b[2 * x + 1];                                  \
            N##_bytes v = (N##_bytes)MEAN(p, q, low), w = (N##_bytes)MEAN(r, s, low);                                  \
            out[x] = (N##_bytes)(MEAN(v, w, low) - (((p ^ q) | (r ^ s)) & (v ^ w) & low));                             \
        }                                                                                                              \
    }
PIXELS(two)
PIXELS(four)
PIXELS(eight)

/* ---- other pixels: means around every one, in vectors, of which every other one is kept */

typedef uint8_t bytes __attribute__((vector_size(16)));

/* Pixels of 3 bytes: five of a vector, whose last byte the next store overwrites. */
static void take_3(const uint8_t *in, uint8_t *out, int64_t count) {
    int64_t x = 0;
    for (; x + 6 <= count; x += 5, in += 30, out += 15) {
        bytes a, b;
        memcpy(&a, in, 16), memcpy(&b, in + 16, 16);
        bytes v = __builtin_shufflevector(a, b, 0, 1, 2, 6, 7, 8, 12, 13, 14, 18, 19, 20, 24, 25, 26, 30);
        memcpy(out, &v, 16);
    }
    for (; x < count; x++, in += 6, out += 3)
        memcpy(out, in, 3);
}

static void take(const void *in, size_t pixel, void *out, int64_t pixels) {
    if (pixel == 3)
        take_3(in, out, pixels);
    else
        for (int64_t x = 0; x < pixels; x++)
            memcpy((char *)out + (size_t)x * pixel, (const char *)in + 2 * (size_t)x * pixel, pixel);
}

#define AROUND(T, S)                                                                                                   \
    static void halve_around_##T(const T *above, const T *below, int stride, T *out, int64_t count) {                  \
        T mean[2 * PIECE];                                                                                             \
        for (int64_t x = 0; x < count; x += PIECE) {                                                                   \
            int64_t n = count - x < PIECE ? count - x : PIECE;                                                         \
            const T *a = above + 2 * x, *b = below + 2 * x;                                                            \
            for (int64_t i = 0; i < 2 * n; i += 64 / (int64_t)sizeof(T)) /* other forms are slower with it */          \
                prefetch(a + i), prefetch(b + i);                                                                      \
            VECTOR_LOOP                                                                                                \
            for (int64_t i = 0; i < 2 * n - stride; i++)                                                               \
                mean[i] = (T)((S)((S)a[i] + a[i + stride] + b[i] + b[i + stride] + 2) >> 2);                           \
            take(mean, (size_t)stride * sizeof(T), out + x, n / stride);                                               \
        }                                                                                                              \
    }
AROUND(uint8_t, uint16_t)
AROUND(uint16_t, uint32_t)

/* ---- numbers with a fraction */

INLINE void halve_floats(const float *a, const float *b, int stride, float *out, int64_t pixels) {
    VECTOR_LOOP
    for (int64_t x = 0; x < pixels; x++)
        for (int k = 0; k < stride; k++) {
            int64_t i = 2 * x * stride + k;
            out[x * stride + k] = 0.25f * a[i] + 0.25f * a[i + stride] + (0.25f * b[i] + 0.25f * b[i + stride]);
        }
}

/* ---- by type */

static void halve_u8(const void *above, const void *below, int stride, void *to, int64_t count) {
    const uint8_t *a = above, *b = below;
    uint8_t *out = to;
    switch (stride) {
    case 1:
        halve_pairs_uint8_t(a, b, out, count);
        break;
    case 2:
        halve_two(a, b, out, 0x0101, count / 2);
        break;
    case 4:
        halve_four(a, b, out, 0x01010101, count / 4);
        break;
    default:
        halve_around_uint8_t(a, b, stride, out, count);
        break;
    }
}
static void halve_u16(const void *above, const void *below, int stride, void *to, int64_t count) {
    switch (stride) {
    case 1:
        halve_pairs_uint16_t(above, below, to, count);
        break;
    case 2:
        halve_four(above, below, to, 0x00010001, count / 2);
        break;
    case 4:
        halve_eight(above, below, to, 0x0001000100010001, count / 4);
        break;
    default:
        halve_around_uint16_t(above, below, stride, to, count);
        break;
    }
}
static void halve_f32(const void *above, const void *below, int stride, void *to, int64_t count) {
    switch (stride) {
    case 1:
        halve_floats(above, below, 1, to, count);
        break;
    case 2:
        halve_floats(above, below, 2, to, count / 2);
        break;
    case 3:
        halve_floats(above, below, 3, to, count / 3);
        break;
    default:
        halve_floats(above, below, 4, to, count / 4);
        break;
    }
}

#ifdef __AVX512BW__
static void halve_u8_by_permutations(const void *above, const void *below, int stride, void *to, int64_t count) {
    const uint8_t *a = above, *b = below;
    uint8_t *out = to;
    int64_t done = stride == 3 ? halve_3(a, b, out, count) : 0;
    halve_u8(a + 2 * done, b + 2 * done, stride, out + done, count - done);
}
#endif

void KERNEL(weft_fill_halve)(struct weft_kernels *kernels);
void KERNEL(weft_fill_halve)(struct weft_kernels *kernels) {
    kernels->halve_rows[WEFT_ROW_U8] = halve_u8;
    kernels->halve_rows[WEFT_ROW_U16] = halve_u16;
    kernels->halve_rows[WEFT_ROW_F32] = halve_f32;
#ifdef __AVX512BW__
    if (__builtin_cpu_supports("avx512vbmi"))
        kernels->halve_rows[WEFT_ROW_U8] = halve_u8_by_permutations;
#endif
}
