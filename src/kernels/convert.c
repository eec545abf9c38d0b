/* SPDX-License-Identifier: MIT
 * Between interleaved pixels and planes. The channel count is a constant in every inner loop, so that the compilers turn
 * strided access into shuffles. Integers become [0, 1] by full scale; back they are rounded to nearest, halves up, NaN
 * to 0. */
#include <string.h>
#include "image/half.h"
#include "kernels/isa.h"
#include "kernels/kernels.h"

#define INLINE static inline __attribute__((always_inline))
#define FULL_U8 255.0f
#define FULL_U16 65535.0f

INLINE float from_u8(uint8_t v) { return (float)v * (1.0f / FULL_U8); }
INLINE float from_u16(uint16_t v) { return (float)v * (1.0f / FULL_U16); }
INLINE float from_f16(uint16_t v) { return weft_half_to_float(v); }
INLINE float from_f32(float v) { return v; }

/* Comparisons are false for NaN, which ends as 0. */
INLINE float limit(float v, float none, float full) {
    v = v > none ? v : none;
    v = v * full + 0.5f;
    return v < full ? v : full;
}
INLINE uint8_t to_u8(float v, float none, float full) { return (uint8_t)(int32_t)limit(v, none, full); }
INLINE uint16_t to_u16(float v, float none, float full) { return (uint16_t)(int32_t)limit(v, none, full); }
#define to_f16(v, none, full) weft_float_to_half(v)
#define to_f32(v, none, full) (v)

/* LOOP(n) is a loop over the pixels with n channels; the four cases make n a constant. */
#define CHANNELS(channels, LOOP)                                                                                       \
    switch (channels) {                                                                                                \
    case 1: LOOP(1) break;                                                                                             \
    case 2: LOOP(2) break;                                                                                             \
    case 3: LOOP(3) break;                                                                                             \
    default: LOOP(4) break;                                                                                            \
    }

#define LOAD_LOOP(n)                                                                                                   \
    {                                                                                                                  \
        float *p0 = planes[0], *p1 = n > 1 ? planes[1] : p0, *p2 = n > 2 ? planes[2] : p0, *p3 = n > 3 ? planes[3] : p0; \
        VECTOR_LOOP                                                                                                    \
        for (int i = 0; i < count; i++) {                                                                              \
            p0[i] = FROM(in[i * n]);                                                                                   \
            if (n > 1)                                                                                                 \
                p1[i] = FROM(in[i * n + (n > 1)]);                                                                     \
            if (n > 2)                                                                                                 \
                p2[i] = FROM(in[i * n + 2 * (n > 2)]);                                                                 \
            if (n > 3)                                                                                                 \
                p3[i] = FROM(in[i * n + 3 * (n > 3)]);                                                                 \
        }                                                                                                              \
    }

/* Compilers that know the limits turn comparisons of numbers into masks for bytes, three times as many instructions (gcc
 * 12). */
#define HIDE(none, full) __asm__("" : "+m"(none), "+m"(full));

#define STORE_LOOP(n)                                                                                                  \
    {                                                                                                                  \
        const float *p0 = planes[0], *p1 = n > 1 ? planes[1] : p0, *p2 = n > 2 ? planes[2] : p0,                       \
                    *p3 = n > 3 ? planes[3] : p0;                                                                      \
        VECTOR_LOOP                                                                                                    \
        for (int i = 0; i < count; i++) {                                                                              \
            out[i * n] = TO(p0[i], none, full);                                                                        \
            if (n > 1)                                                                                                 \
                out[i * n + (n > 1)] = TO(p1[i], none, full);                                                          \
            if (n > 2)                                                                                                 \
                out[i * n + 2 * (n > 2)] = TO(p2[i], none, full);                                                      \
            if (n > 3)                                                                                                 \
                out[i * n + 3 * (n > 3)] = TO(p3[i], none, full);                                                      \
        }                                                                                                              \
    }

#define FROM from_u8
static void load_u8(const void *pixels, int channels, float *const *planes, int count) {
    const uint8_t *in = pixels;
    CHANNELS(channels, LOAD_LOOP)
}
#undef FROM
#define FROM from_u16
static void load_u16(const void *pixels, int channels, float *const *planes, int count) {
    const uint16_t *in = pixels;
    CHANNELS(channels, LOAD_LOOP)
}
#undef FROM
#define FROM from_f16
static void load_f16(const void *pixels, int channels, float *const *planes, int count) {
    const uint16_t *in = pixels;
    CHANNELS(channels, LOAD_LOOP)
}
#undef FROM
#define FROM from_f32
static void load_f32(const void *pixels, int channels, float *const *planes, int count) {
    const float *in = pixels;
    CHANNELS(channels, LOAD_LOOP)
}
#undef FROM

#define TO to_u8
static void store_u8(const float *const *planes, int channels, void *pixels, int count) {
    float none = 0.0f, full = FULL_U8;
    HIDE(none, full)
    uint8_t *out = pixels;
    CHANNELS(channels, STORE_LOOP)
}
#undef TO
#define TO to_u16
static void store_u16(const float *const *planes, int channels, void *pixels, int count) {
    float none = 0.0f, full = FULL_U16;
    HIDE(none, full)
    uint16_t *out = pixels;
    CHANNELS(channels, STORE_LOOP)
}
#undef TO
#define TO to_f16
static void store_f16(const float *const *planes, int channels, void *pixels, int count) {
    uint16_t *out = pixels;
    CHANNELS(channels, STORE_LOOP)
}
#undef TO
#define TO to_f32
static void store_f32(const float *const *planes, int channels, void *pixels, int count) {
    float *out = pixels;
    CHANNELS(channels, STORE_LOOP)
}
#undef TO

/* Integers to planes of integers and back, as shuffles in so many words (channels_type.h). */
#define EACH4(F, i) F(i), F((i) + 1), F((i) + 2), F((i) + 3)
#define EACH8(F, i) EACH4(F, i), EACH4(F, (i) + 4)
#define T uint8_t
#define LANES 16
#define EACH(F) EACH8(F, 0), EACH8(F, 8)
#define NAME(x) x##_u8
#include "kernels/channels_type.h"
#define T uint16_t
#define LANES 8
#define EACH(F) EACH8(F, 0)
#define NAME(x) x##_u16
#include "kernels/channels_type.h"

static void widen_u8(const void *plane, float *out, int count) { load_u8(plane, 1, &out, count); }
static void widen_u16(const void *plane, float *out, int count) { load_u16(plane, 1, &out, count); }
static void narrow_u8(const float *plane, void *out, int count) { store_u8(&plane, 1, out, count); }
static void narrow_u16(const float *plane, void *out, int count) { store_u16(&plane, 1, out, count); }

void KERNEL(weft_fill_convert)(struct weft_kernels *kernels);
void KERNEL(weft_fill_convert)(struct weft_kernels *kernels) {
    kernels->load[WEFT_U8] = load_u8, kernels->store[WEFT_U8] = store_u8;
    kernels->load[WEFT_U16] = load_u16, kernels->store[WEFT_U16] = store_u16;
    kernels->load[WEFT_F16] = load_f16, kernels->store[WEFT_F16] = store_f16;
    kernels->load[WEFT_F32] = load_f32, kernels->store[WEFT_F32] = store_f32;
    kernels->split[WEFT_ROW_U8] = split_u8, kernels->join[WEFT_ROW_U8] = join_u8;
    kernels->split[WEFT_ROW_U16] = split_u16, kernels->join[WEFT_ROW_U16] = join_u16;
    kernels->widen[WEFT_ROW_U8] = widen_u8, kernels->narrow[WEFT_ROW_U8] = narrow_u8;
    kernels->widen[WEFT_ROW_U16] = widen_u16, kernels->narrow[WEFT_ROW_U16] = narrow_u16;
}
