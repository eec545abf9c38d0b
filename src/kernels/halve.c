/* SPDX-License-Identifier: MIT
 * Rows of whole numbers at half the size: means of two by two pixels. They are made around every pixel, in vectors, and
 * every other one is kept. */
#include <string.h>
#include "kernels/isa.h"
#include "kernels/kernels.h"
#include "kernels/vector.h"

#define PIECE 192 /* components of the result at a time: whole pixels of 1 to 4 */

#define TAKE(T)                                                                                                        \
    static void take_##T(const void *from, void *to, int64_t count) {                                                  \
        const T *in = from;                                                                                            \
        T *out = to;                                                                                                   \
        VECTOR_LOOP                                                                                                    \
        for (int64_t x = 0; x < count; x++)                                                                            \
            out[x] = in[2 * x];                                                                                        \
    }
TAKE(uint8_t)
TAKE(uint16_t)
TAKE(uint32_t)
TAKE(uint64_t)

typedef uint8_t bytes __attribute__((vector_size(16)));

/* Pixels of 3 bytes: five of a vector, whose last byte the next one writes again. */
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
    switch (pixel) {
    case 1:
        take_uint8_t(in, out, pixels);
        break;
    case 2:
        take_uint16_t(in, out, pixels);
        break;
    case 3:
        take_3(in, out, pixels);
        break;
    case 4:
        take_uint32_t(in, out, pixels);
        break;
    case 8:
        take_uint64_t(in, out, pixels);
        break;
    default:
        for (int64_t x = 0; x < pixels; x++)
            memcpy((char *)out + (size_t)x * pixel, (const char *)in + 2 * (size_t)x * pixel, pixel);
    }
}

#define HALVE(T, S)                                                                                                    \
    static void halve_##T(const void *above, const void *below, int stride, void *to, int64_t count) {                 \
        union {                                                                                                        \
            T mean[2 * PIECE];                                                                                         \
            uint64_t aligned;                                                                                          \
        } made;                                                                                                        \
        for (int64_t x = 0; x < count; x += PIECE) {                                                                   \
            int64_t n = count - x < PIECE ? count - x : PIECE;                                                         \
            const T *a = (const T *)above + 2 * x, *b = (const T *)below + 2 * x;                                      \
            for (int64_t i = 0; i < 2 * n; i += 64 / (int64_t)sizeof(T))                                               \
                prefetch(a + i), prefetch(b + i);                                                                      \
            VECTOR_LOOP                                                                                                \
            for (int64_t i = 0; i < 2 * n - stride; i++)                                                               \
                made.mean[i] = (T)((S)((S)a[i] + a[i + stride] + b[i] + b[i + stride] + 2) >> 2);                      \
            take(made.mean, (size_t)stride * sizeof(T), (T *)to + x, n / stride);                                      \
        }                                                                                                              \
    }
HALVE(uint8_t, uint16_t)
HALVE(uint16_t, uint32_t)

void KERNEL(weft_fill_halve)(struct weft_kernels *kernels);
void KERNEL(weft_fill_halve)(struct weft_kernels *kernels) {
    kernels->halve_rows[WEFT_ROW_U8] = halve_uint8_t;
    kernels->halve_rows[WEFT_ROW_U16] = halve_uint16_t;
}
