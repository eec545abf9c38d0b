/* SPDX-License-Identifier: MIT
 * Between interleaved pixels and planes. The channel count is a constant in every inner loop, so that the compilers turn
 * strided access into shuffles. Integers become [0, 1] by full scale; back they are rounded to nearest, halves up, NaN
 * to 0. */
#include <string.h>
#include "image/half.h"
#include "kernels/cpu/isa/isa.h"
#include "kernels/cpu/kernels.h"

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

/* Where the limits are known constants, gcc 12 turns comparisons of floats into masks for bytes, which takes three times as many
 * instructions. */
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

/* By vectors: one shuffle or shift per component for bytes with a stride, where gcc 12 makes seven; takes 0.6 of the time. */
#ifdef __AVX512BW__
#include "kernels/cpu/isa/pixels_avx512.h"

PIXELS_INLINE int load_groups(const uint8_t *in, float *const *planes, int count, const int n) {
    float *to[4];
    int i = 0;
    for (int k = 0; k < n; k++)
        to[k] = planes[k];
    for (; i + PIXELS_GROUP <= count; i += PIXELS_GROUP) {
        __m512i pixels = pixels_load(in + i * n, n);
        for (int k = 0; k < n; k++)
            _mm512_storeu_ps(to[k] + i, _mm512_mul_ps(_mm512_cvtepi32_ps(pixels_component(pixels, n, k)),
                                                      _mm512_set1_ps(1.0f / FULL_U8)));
    }
    return i;
}
VBMI static void load_u8_vectors(const void *pixels, int channels, float *const *planes, int count) {
    const uint8_t *in = pixels;
    float *rest[4];
    int done = channels == 2   ? load_groups(in, planes, count, 2)
               : channels == 3 ? load_groups(in, planes, count, 3)
               : channels == 4 ? load_groups(in, planes, count, 4)
                               : 0;
    for (int k = 0; k < channels; k++)
        rest[k] = planes[k] + done;
    load_u8(in + done * channels, channels, rest, count - done);
}

PIXELS_INLINE int store_groups(const float *const *planes, uint8_t *out, int count, const int n) {
    const float *from[4];
    int i = 0;
    for (int k = 0; k < n; k++)
        from[k] = planes[k];
    for (; i + 4 * PIXELS_GROUP <= count; i += 4 * PIXELS_GROUP) {
        __m512i v[4];
        for (int g = 0; g < 4; g++) {
            v[g] = _mm512_setzero_si512();
            for (int k = 0; k < n; k++) {
                /* where the first operand is NaN the instruction returns the second */
                __m512 c = _mm512_max_ps(_mm512_loadu_ps(from[k] + i + g * PIXELS_GROUP), _mm512_setzero_ps());
                c = _mm512_fmadd_ps(c, _mm512_set1_ps(FULL_U8), _mm512_set1_ps(0.5f));
                c = _mm512_min_ps(c, _mm512_set1_ps(FULL_U8));
                v[g] = _mm512_or_si512(v[g], _mm512_slli_epi32(_mm512_cvttps_epi32(c), 8 * k));
            }
        }
        pixels_store(out + i * n, v, n);
    }
    return i;
}
VBMI static void store_u8_vectors(const float *const *planes, int channels, void *pixels, int count) {
    uint8_t *out = pixels;
    const float *rest[4];
    int done = channels == 2   ? store_groups(planes, out, count, 2)
               : channels == 3 ? store_groups(planes, out, count, 3)
               : channels == 4 ? store_groups(planes, out, count, 4)
                               : 0;
    for (int k = 0; k < channels; k++)
        rest[k] = planes[k] + done;
    store_u8(rest, channels, out + done * channels, count - done);
}
#endif

/* Integers to planes of integers and back, by explicit shuffles (channels_type.h). */
#define EACH4(F, i) F(i), F((i) + 1), F((i) + 2), F((i) + 3)
#define EACH8(F, i) EACH4(F, i), EACH4(F, (i) + 4)
#define T uint8_t
#define LANES 16
#define EACH(F) EACH8(F, 0), EACH8(F, 8)
#define NAME(x) x##_u8
#include "kernels/cpu/isa/channels_type.h"
#define T uint16_t
#define LANES 8
#define EACH(F) EACH8(F, 0)
#define NAME(x) x##_u16
#include "kernels/cpu/isa/channels_type.h"

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
#ifdef __AVX512BW__
    if (__builtin_cpu_supports("avx512vbmi"))
        kernels->load[WEFT_U8] = load_u8_vectors, kernels->store[WEFT_U8] = store_u8_vectors;
#endif
}
