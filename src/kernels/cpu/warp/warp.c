/* SPDX-License-Identifier: MIT
 * Pixels read at any places: indices and mixing are vector code, the reading itself is one component after another. */
#include <math.h>
#include <string.h>
#include "image/half.h"
#include "kernels/cpu/isa/isa.h"
#include "kernels/cpu/kernels.h"
#include "kernels/mix_levels.h"
#ifdef __AVX512F__
#include <immintrin.h>
#endif

#define INLINE static inline __attribute__((always_inline))

/* Places far outside, and NaN, stay within an int. */
#define FAR 1e9f
INLINE float within_reason(float v) {
    v = v > -FAR ? v : -FAR;
    return v < FAR ? v : FAR;
}
INLINE int32_t within(int32_t i, int32_t last) {
    i = i < 0 ? 0 : i;
    return i < last ? i : last;
}

static bool warp_between(const float *from, int64_t size, int32_t *at, int32_t *next, float *share, int count) {
    const int32_t last = (int32_t)(size - 1);
    int32_t outside = 0;
#pragma omp simd reduction(| : outside)
    for (int i = 0; i < count; i++) {
        const float v = within_reason(from[i]), whole = floorf(v), rest = v - whole;
        const int32_t low = (int32_t)whole, high = low + (rest > 0.0f ? 1 : 0);
        at[i] = within(low, last);
        next[i] = within(high, last);
        share[i] = rest;
        outside |= low | (last - high); /* negative when outside */
    }
    return outside < 0;
}

static bool warp_nearest(const float *from, int64_t size, int32_t *at, int count) {
    const int32_t last = (int32_t)(size - 1);
    int32_t outside = 0;
#pragma omp simd reduction(| : outside)
    for (int i = 0; i < count; i++) {
        const float v = within_reason(from[i]), whole = floorf(v);
        const int32_t nearest = (int32_t)whole + (v - whole >= 0.5f ? 1 : 0);
        at[i] = within(nearest, last);
        outside |= nearest | (last - nearest);
    }
    return outside < 0;
}

static void warp_offsets(const int32_t *x, const int32_t *y, ptrdiff_t row_bytes, ptrdiff_t pixel_bytes,
                         ptrdiff_t *offsets, int count) {
    VECTOR_LOOP
    for (int i = 0; i < count; i++)
        offsets[i] = (ptrdiff_t)y[i] * row_bytes + (ptrdiff_t)x[i] * pixel_bytes;
}

INLINE float from_u8(uint8_t v) { return (float)v * (1.0f / 255.0f); }
INLINE float from_u16(uint16_t v) { return (float)v * (1.0f / 65535.0f); }
INLINE float from_f16(uint16_t v) { return weft_half_to_float(v); }
INLINE float from_f32(float v) { return v; }
INLINE float from_f64(double v) { return (float)v; }

/* A pixel with share 0 does not count, even if it is infinite. With fused multiply-add the code says which product is rounded by
 * itself, so that vectors and single pixels give the same results. */
INLINE float mix(float a, float b, float share) {
#ifdef __FMA__
    const float both = __builtin_fmaf(b, share, a * (1.0f - share));
#else
    const float both = a * (1.0f - share) + b * share;
#endif
    return share > 0.0f ? both : a;
}

#define MIX_FOUR(name, T)                                                                                              \
    INLINE float four_##name(T a, T b, T c, T d, float right, float down) {                                            \
        return mix(mix(from_##name(a), from_##name(b), right), mix(from_##name(c), from_##name(d), right), down);      \
    }
MIX_FOUR(u16, uint16_t)
MIX_FOUR(f16, uint16_t)
MIX_FOUR(f32, float)
MIX_FOUR(f64, double)
#undef MIX_FOUR
INLINE float four_u8(uint8_t a, uint8_t b, uint8_t c, uint8_t d, float right, float down) {
    return mix_levels(a, b, c, d, right, down);
}

/* Pixels that are read before they are worked on, all at once. */
#define BLOCK 64

#define READERS(T, name)                                                                                               \
    INLINE T read_##name(const unsigned char *at) {                                                                    \
        T v;                                                                                                           \
        memcpy(&v, at, sizeof v);                                                                                      \
        return v;                                                                                                      \
    }                                                                                                                  \
    static void load_##name(const unsigned char *plane, const ptrdiff_t *offsets, float *out, int count) {             \
        for (int x = 0; x < count; x += BLOCK) {                                                                       \
            int n = count - x < BLOCK ? count - x : BLOCK;                                                             \
            T a[BLOCK];                                                                                                \
            for (int i = 0; i < n; i++)                                                                                \
                a[i] = read_##name(plane + offsets[x + i]);                                                            \
            VECTOR_LOOP                                                                                                \
            for (int i = 0; i < n; i++)                                                                                \
                out[x + i] = from_##name(a[i]);                                                                        \
        }                                                                                                              \
    }                                                                                                                  \
    static void mix_##name(const unsigned char *plane, const ptrdiff_t *const *offsets, const float *right,            \
                           const float *down, float *out, int count) {                                                 \
        const ptrdiff_t *o0 = offsets[0], *o1 = offsets[1], *o2 = offsets[2], *o3 = offsets[3];                        \
        for (int x = 0; x < count; x += BLOCK) {                                                                       \
            int n = count - x < BLOCK ? count - x : BLOCK;                                                             \
            T a[BLOCK], b[BLOCK], c[BLOCK], d[BLOCK];                                                                  \
            for (int i = 0; i < n; i++) {                                                                              \
                a[i] = read_##name(plane + o0[x + i]);                                                                 \
                b[i] = read_##name(plane + o1[x + i]);                                                                 \
                c[i] = read_##name(plane + o2[x + i]);                                                                 \
                d[i] = read_##name(plane + o3[x + i]);                                                                 \
            }                                                                                                          \
            VECTOR_LOOP                                                                                                \
            for (int i = 0; i < n; i++)                                                                                \
                out[x + i] = four_##name(a[i], b[i], c[i], d[i], right[x + i], down[x + i]);                           \
        }                                                                                                              \
    }
READERS(uint8_t, u8)
READERS(uint16_t, u16)
READERS(uint16_t, f16)
READERS(float, f32)
READERS(double, f64)
#undef READERS

static void warp_mix_rows(float *above, const float *below, float down, int count) {
    VECTOR_LOOP
    for (int i = 0; i < count; i++)
        above[i] = mix(above[i], below[i], down);
}

static bool warp_same(const float *from, int count) {
    const float first = from[0];
    int32_t other = !(first == first);
#pragma omp simd reduction(| : other)
    for (int i = 0; i < count; i++)
        other |= from[i] != first;
    return !other;
}

static void warp_span(const int32_t *at, const int32_t *next, int count, int32_t *low, int32_t *high) {
    int32_t least = at[0], most = at[0];
#pragma omp simd reduction(min : least) reduction(max : most)
    for (int i = 0; i < count; i++) {
        const int32_t less = at[i] < next[i] ? at[i] : next[i], more = at[i] < next[i] ? next[i] : at[i];
        least = less < least ? less : least;
        most = more > most ? more : most;
    }
    *low = least, *high = most;
}

static void warp_mix_line(const float *line, int32_t first, const int32_t *at, const int32_t *next, const float *share,
                          float *out, int count) {
    int i = 0;
#ifdef __AVX512F__
    /* Two vectors of the line hold all pixels that 16 outputs read, unless the scale is below one half. */
    for (; i + 16 <= count; i += 16) {
        const __m512i begin = _mm512_set1_epi32(at[i]);
        const __m512i a = _mm512_sub_epi32(_mm512_loadu_si512(at + i), begin);
        const __m512i b = _mm512_sub_epi32(_mm512_loadu_si512(next + i), begin);
        if (_mm512_cmpge_epu32_mask(_mm512_or_si512(a, b), _mm512_set1_epi32(32)))
            break;
        const __m512 low = _mm512_loadu_ps(line + (at[i] - first)), high = _mm512_loadu_ps(line + (at[i] - first) + 16);
        const __m512 here = _mm512_permutex2var_ps(low, a, high), there = _mm512_permutex2var_ps(low, b, high);
        const __m512 part = _mm512_loadu_ps(share + i);
        const __mmask16 both = _mm512_cmp_ps_mask(part, _mm512_setzero_ps(), _CMP_GT_OQ);
        const __m512 rest = _mm512_mul_ps(here, _mm512_sub_ps(_mm512_set1_ps(1.0f), part));
        _mm512_storeu_ps(out + i, _mm512_mask_mov_ps(here, both, _mm512_fmadd_ps(there, part, rest)));
    }
#endif
    for (; i < count; i++)
        out[i] = mix(line[at[i] - first], line[next[i] - first], share[i]);
}

static void warp_add(const float *values, const float *weights, float *sums, int count) {
    if (values)
        VECTOR_LOOP
        for (int i = 0; i < count; i++)
            sums[i] += weights[i] * values[i];
    else
        VECTOR_LOOP
        for (int i = 0; i < count; i++)
            sums[i] += weights[i];
}

static void warp_divide(float *sums, const float *weights, int count) {
    VECTOR_LOOP
    for (int i = 0; i < count; i++)
        sums[i] = weights[i] > 0 ? sums[i] / weights[i] : 0;
}

#define MOVER(T, name)                                                                                                 \
    static void move_##name(const unsigned char *plane, const ptrdiff_t *offsets, void *to, int count) {               \
        T *out = to;                                                                                                   \
        for (int i = 0; i < count; i++)                                                                                \
            out[i] = read_##name(plane + offsets[i]);                                                                  \
    }                                                                                                                  \
    static void move_down_##name(const unsigned char *plane, const ptrdiff_t *offsets, int stride, int rows,           \
                                 int columns, void *to, size_t out_bytes) {                                            \
        for (int x = 0; x < columns; x++) {                                                                            \
            __builtin_prefetch(plane + offsets[x]);                                                                    \
            __builtin_prefetch(plane + offsets[(rows - 1) * stride + x]);                                              \
        }                                                                                                              \
        for (int x = 0; x < columns; x++)                                                                              \
            for (int i = 0; i < rows; i++)                                                                             \
                memcpy((unsigned char *)to + (size_t)i * out_bytes + (size_t)x * sizeof(T),                            \
                       plane + offsets[i * stride + x], sizeof(T));                                                    \
    }
MOVER(uint8_t, u8)
MOVER(uint16_t, u16)
MOVER(float, f32)
#undef MOVER

void KERNEL(weft_fill_warp)(struct weft_kernels *kernels);
void KERNEL(weft_fill_warp)(struct weft_kernels *kernels) {
    kernels->warp_between = warp_between;
    kernels->warp_nearest = warp_nearest;
    kernels->warp_offsets = warp_offsets;
    kernels->warp_same = warp_same;
    kernels->warp_span = warp_span;
    kernels->warp_mix_rows = warp_mix_rows;
    kernels->warp_mix_line = warp_mix_line;
    kernels->warp_add = warp_add;
    kernels->warp_divide = warp_divide;
    kernels->warp_load[WEFT_U8] = load_u8, kernels->warp_mix[WEFT_U8] = mix_u8;
    kernels->warp_load[WEFT_U16] = load_u16, kernels->warp_mix[WEFT_U16] = mix_u16;
    kernels->warp_load[WEFT_F16] = load_f16, kernels->warp_mix[WEFT_F16] = mix_f16;
    kernels->warp_load[WEFT_F32] = load_f32, kernels->warp_mix[WEFT_F32] = mix_f32;
    kernels->warp_load[WEFT_F64] = load_f64, kernels->warp_mix[WEFT_F64] = mix_f64;
    kernels->warp_move[WEFT_ROW_U8] = move_u8, kernels->warp_move_down[WEFT_ROW_U8] = move_down_u8;
    kernels->warp_move[WEFT_ROW_U16] = move_u16, kernels->warp_move_down[WEFT_ROW_U16] = move_down_u16;
    kernels->warp_move[WEFT_ROW_F32] = move_f32, kernels->warp_move_down[WEFT_ROW_F32] = move_down_f32;
}
