/* SPDX-License-Identifier: MIT
 * Several pixels along each axis around a place, by weights. A pixel that has no weight does not count, even if it is infinite. */
#include <math.h>
#include <string.h>
#include "image/half.h"
#include "kernels/cpu/isa/isa.h"
#include "kernels/cpu/kernels.h"

#define INLINE static inline __attribute__((always_inline))
#define BLOCK 64 /* pixels that are read before they are worked on */
#define FAR 1e9f

static void warp_floor(const float *from, int32_t *at, float *share, int count) {
    VECTOR_LOOP
    for (int i = 0; i < count; i++) {
        float v = from[i] > -FAR ? from[i] : -FAR;
        v = v < FAR ? v : FAR;
        const float whole = floorf(v);
        at[i] = (int32_t)whole, share[i] = v - whole;
    }
}

INLINE float from_u8(uint8_t v) { return (float)v * (1.0f / 255.0f); }
INLINE float from_u16(uint16_t v) { return (float)v * (1.0f / 65535.0f); }
INLINE float from_f16(uint16_t v) { return weft_half_to_float(v); }
INLINE float from_f32(float v) { return v; }
INLINE float from_f64(double v) { return (float)v; }

#define SPREAD_OF(T, name)                                                                                             \
    static void spread_##name(const unsigned char *plane, const struct weft_warp_spread *s, float *out) {              \
        for (int x = 0; x < s->count; x += BLOCK) {                                                                    \
            const int n = s->count - x < BLOCK ? s->count - x : BLOCK;                                                 \
            float sum[BLOCK] = {0};                                                                                    \
            for (int j = 0; j < s->pixels; j++) {                                                                      \
                const ptrdiff_t *row = s->row[j] + x;                                                                  \
                const float *down = s->down[j] + x;                                                                    \
                float line[BLOCK] = {0};                                                                               \
                for (int k = 0; k < s->pixels; k++) {                                                                  \
                    const ptrdiff_t *column = s->column[k] + x;                                                        \
                    const float *across = s->across[k] + x;                                                            \
                    T a[BLOCK];                                                                                        \
                    for (int i = 0; i < n; i++)                                                                        \
                        memcpy(&a[i], plane + row[i] + column[i], sizeof(T));                                          \
                    VECTOR_LOOP                                                                                        \
                    for (int i = 0; i < n; i++)                                                                        \
                        line[i] += across[i] != 0.0f ? across[i] * from_##name(a[i]) : 0.0f;                           \
                }                                                                                                      \
                VECTOR_LOOP                                                                                            \
                for (int i = 0; i < n; i++)                                                                            \
                    sum[i] += down[i] != 0.0f ? down[i] * line[i] : 0.0f;                                              \
            }                                                                                                          \
            memcpy(out + x, sum, (size_t)n * sizeof *sum);                                                             \
        }                                                                                                              \
    }
SPREAD_OF(uint8_t, u8)
SPREAD_OF(uint16_t, u16)
SPREAD_OF(uint16_t, f16)
SPREAD_OF(float, f32)
SPREAD_OF(double, f64)
#undef SPREAD_OF

/* Pixels of n bytes, `pixels` along each axis, both constants; of three bytes one more is read. */
INLINE void spread_bytes(const unsigned char *image, ptrdiff_t row_bytes, const int32_t *x, const int32_t *y,
                         const struct weft_warp_spread *s, float *const *out, const int n, const int pixels) {
    const int32_t pitch = (int32_t)row_bytes;
    const int in_word = 4 / n; /* pixels that are read at once */
    for (int begin = 0; begin < s->count; begin += BLOCK) {
        const int length = s->count - begin < BLOCK ? s->count - begin : BLOCK;
        int32_t offset[BLOCK];
        float sum[4][BLOCK] = {{0}};
        VECTOR_LOOP
        for (int i = 0; i < length; i++)
            offset[i] = (y[begin + i] - pixels / 2 + 1) * pitch + (x[begin + i] - pixels / 2 + 1) * n;
        for (int j = 0; j < pixels; j++, image += row_bytes) {
            uint32_t a[6][BLOCK];
            const float *down = s->down[j] + begin;
            for (int i = 0; i < length; i++)
                for (int k = 0; k < pixels; k += in_word) {
                    uint32_t v = 0;
                    memcpy(&v, image + offset[i] + k * n, n == 3 ? 4 : (size_t)((pixels - k < in_word ? pixels - k : in_word) * n));
                    a[k / in_word][i] = v;
                }
            for (int c = 0; c < n; c++) {
                VECTOR_LOOP
                for (int i = 0; i < length; i++) {
                    float line = 0.0f;
#pragma GCC unroll 6
                    for (int k = 0; k < pixels; k++)
                        line += s->across[k][begin + i] * (float)(int32_t)(a[k / in_word][i] >> 8 * (k % in_word * n + c) & 255);
                    sum[c][i] += down[i] * line;
                }
            }
        }
        image -= pixels * row_bytes;
        for (int c = 0; c < n; c++) {
            VECTOR_LOOP
            for (int i = 0; i < length; i++)
                out[c][begin + i] = sum[c][i] * (1.0f / 255.0f);
        }
    }
}

#define OF(n)                                                                                                          \
    static void spread_bytes_##n(const unsigned char *image, ptrdiff_t row_bytes, const int32_t *x, const int32_t *y,  \
                                 const struct weft_warp_spread *s, float *const *out) {                                \
        if (s->pixels == 4)                                                                                            \
            spread_bytes(image, row_bytes, x, y, s, out, n, 4);                                                        \
        else                                                                                                           \
            spread_bytes(image, row_bytes, x, y, s, out, n, 6);                                                        \
    }
OF(1)
OF(2)
OF(3)
OF(4)
#undef OF

void KERNEL(weft_fill_warp_spread)(struct weft_kernels *kernels);
void KERNEL(weft_fill_warp_spread)(struct weft_kernels *kernels) {
    kernels->warp_floor = warp_floor;
    kernels->warp_spread[WEFT_U8] = spread_u8, kernels->warp_spread[WEFT_U16] = spread_u16;
    kernels->warp_spread[WEFT_F16] = spread_f16, kernels->warp_spread[WEFT_F32] = spread_f32;
    kernels->warp_spread[WEFT_F64] = spread_f64;
    kernels->warp_spread_bytes[1] = spread_bytes_1, kernels->warp_spread_bytes[2] = spread_bytes_2;
    kernels->warp_spread_bytes[3] = spread_bytes_3, kernels->warp_spread_bytes[4] = spread_bytes_4;
}
