/* SPDX-License-Identifier: MIT
 * Pixels of bytes times a matrix, which any number of affine color filters amount to, from pixel to pixel in registers. Where the
 * processor has byte permutations (AVX-512 VBMI, which x86-64-v4 does not promise), 16 pixels are a vector of 32 bits each;
 * otherwise the compilers make shuffles of loops over a constant number of components. */
#include "kernels/cpu/point/matrix.h"
#include "kernels/cpu/isa/isa.h"
#include "kernels/cpu/kernels.h"
#include "kernels/cpu/isa/prefetch.h"
#ifdef __AVX512BW__
#include "kernels/cpu/isa/pixels_avx512.h"
#elif defined(__AVX2__)
#include "kernels/cpu/isa/pixels_avx2.h"
#endif

/* By measurement, where the compilers' shuffles are of 16 bytes: loading, one filter and storing take as long. */
#ifdef __AVX2__
#define FILTERS 1
#else
#define FILTERS 2
#endif

#define INLINE static inline __attribute__((always_inline))

/* The largest value: below 256 it is truncated to 255. Hidden from compilers, which otherwise make masks of the comparisons. */
#define LIMITS                                                                                                         \
    float none = 0.0f, full = 255.5f;                                                                                  \
    __asm__("" : "+m"(none), "+m"(full));

INLINE uint8_t to_byte(float v, float none, float full) {
    v = v > none ? v : none;
    return (uint8_t)(int32_t)(v < full ? v : full);
}

INLINE void map(const struct weft_pixel_matrix *matrix, const uint8_t *in, uint8_t *out, int64_t count, const int n,
                const int results, const bool binary) {
    const struct weft_pixel_matrix m = *matrix;
    LIMITS
    VECTOR_LOOP
    for (int64_t i = 0; i < count; i++) {
        const float a = in[i * n], b = in[i * n + (n > 1)], c = in[i * n + 2 * (n > 2)], d = in[i * n + 3 * (n > 3)];
        for (int k = 0; k < results; k++) {
            float v = m.bias[k] + m.weight[k][0] * a;
            v = n > 1 ? v + m.weight[k][1] * b : v;
            v = n > 2 ? v + m.weight[k][2] * c : v;
            v = n > 3 ? v + m.weight[k][3] * d : v;
            out[i * results + k] = binary && k == 0 ? (v >= none) * 255 : to_byte(v, none, full);
        }
    }
}

#define BY_RESULTS(FUNCTION, n)                                                                                        \
    switch (matrix->out + 4 * matrix->binary) {                                                                        \
    case 1: FUNCTION(matrix, in, out, count, n, 1, false); break;                                                      \
    case 2: FUNCTION(matrix, in, out, count, n, 2, false); break;                                                      \
    case 3: FUNCTION(matrix, in, out, count, n, 3, false); break;                                                      \
    case 4: FUNCTION(matrix, in, out, count, n, 4, false); break;                                                      \
    case 5: FUNCTION(matrix, in, out, count, n, 1, true); break;                                                       \
    default: FUNCTION(matrix, in, out, count, n, 2, true); break;                                                      \
    }
#define BY_COMPONENTS(FUNCTION)                                                                                        \
    switch (matrix->in) {                                                                                              \
    case 1: BY_RESULTS(FUNCTION, 1) break;                                                                             \
    case 2: BY_RESULTS(FUNCTION, 2) break;                                                                             \
    case 3: BY_RESULTS(FUNCTION, 3) break;                                                                             \
    default: BY_RESULTS(FUNCTION, 4) break;                                                                            \
    }

static void map_pixels(const struct weft_pixel_matrix *matrix, const uint8_t *in, uint8_t *out, int64_t count) {
    BY_COMPONENTS(map)
}

#ifdef __AVX512BW__
/* The components of a result, one above the other in 32 bits. */
VBMI INLINE __m512i result(const struct weft_pixel_matrix *m, __m512i pixels, const int n, const int results,
                           const bool binary) {
    __m512 in[4];
    __m512i packed = _mm512_setzero_si512();
    for (int j = 0; j < n; j++)
        in[j] = _mm512_cvtepi32_ps(pixels_component(pixels, n, j));
    for (int k = 0; k < results; k++) {
        __m512 v = _mm512_set1_ps(m->bias[k]);
        for (int j = 0; j < n; j++)
            v = _mm512_fmadd_ps(_mm512_set1_ps(m->weight[k][j]), in[j], v);
        if (binary && k == 0) {
            packed = _mm512_maskz_set1_epi32(_mm512_cmp_ps_mask(v, _mm512_setzero_ps(), _CMP_GE_OQ), 255);
            continue;
        }
        v = _mm512_min_ps(_mm512_max_ps(v, _mm512_setzero_ps()), _mm512_set1_ps(255.5f));
        packed = _mm512_or_si512(packed, _mm512_slli_epi32(_mm512_cvttps_epi32(v), 8 * k));
    }
    return packed;
}
#elif defined(__AVX2__)
/* The components of a result, one above the other in 32 bits. */
INLINE __m256i result(const struct weft_pixel_matrix *m, __m256i pixels, const int n, const int results, const bool binary) {
    __m256 in[4];
    __m256i packed = _mm256_setzero_si256();
    for (int j = 0; j < n; j++)
        in[j] = _mm256_cvtepi32_ps(pixels_component(pixels, n, j));
    for (int k = 0; k < results; k++) {
        __m256 v = _mm256_set1_ps(m->bias[k]);
        for (int j = 0; j < n; j++)
            v = _mm256_fmadd_ps(_mm256_set1_ps(m->weight[k][j]), in[j], v);
        if (binary && k == 0) {
            __m256 up = _mm256_cmp_ps(v, _mm256_setzero_ps(), _CMP_GE_OQ);
            packed = _mm256_srli_epi32(_mm256_castps_si256(up), 24);
            continue;
        }
        v = _mm256_min_ps(_mm256_max_ps(v, _mm256_setzero_ps()), _mm256_set1_ps(255.5f));
        packed = _mm256_or_si256(packed, _mm256_slli_epi32(_mm256_cvttps_epi32(v), 8 * k));
    }
    return packed;
}
#endif

#ifdef PIXELS_GROUP
PIXELS_TARGET INLINE void map_groups(const struct weft_pixel_matrix *matrix, const uint8_t *in, uint8_t *out, int64_t count,
                                     const int n, const int results, const bool binary) {
    const struct weft_pixel_matrix m = *matrix;
    int64_t i = 0;
    for (; i + 4 * PIXELS_GROUP + PIXELS_BEYOND <= count; i += 4 * PIXELS_GROUP) {
        pixels_vector v[4];
        for (int line = 0; line < 4 * PIXELS_GROUP * n; line += 64) /* the processor does not prefetch masked loads */
            prefetch(in + i * n + line);
        for (int k = 0; k < 4; k++)
            v[k] = result(&m, pixels_load(in + (i + k * PIXELS_GROUP) * n, n), n, results, binary);
        pixels_store(out + i * results, v, results);
    }
    map(&m, in + i * n, out + i * results, count - i, n, results, binary);
}

PIXELS_TARGET static void map_vectors(const struct weft_pixel_matrix *matrix, const uint8_t *in, uint8_t *out, int64_t count) {
    BY_COMPONENTS(map_groups)
}
#endif

void KERNEL(weft_fill_matrix)(struct weft_kernels *kernels);
void KERNEL(weft_fill_matrix)(struct weft_kernels *kernels) {
    kernels->matrix_map = map_pixels;
#if defined(__AVX2__) && !defined(__AVX512BW__)
    kernels->matrix_map = map_vectors;
    kernels->matrix_first = true; /* 0.6 to 0.9 of the time of bytes by permutations of 16 */
#endif
    kernels->matrix_filters = FILTERS;
#ifdef __AVX512BW__
    if (__builtin_cpu_supports("avx512vbmi"))
        kernels->matrix_map = map_vectors;
#endif
}
