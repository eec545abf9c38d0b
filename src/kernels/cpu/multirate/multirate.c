/* SPDX-License-Identifier: MIT
 * The two ends of a multirate gaussian of bytes. AVX-512 VNNI sums products of 8 bits and of 16 bits in one instruction, and
 * VBMI moves bytes to their places; x86-64-v4 promises neither, so both are asked for. AVX2 has products of 16 bits
 * (multirate_avx2.h). For products of 8 bits a weight of 16 bits is two bytes, of which the low one has a sign. */
#include "kernels/cpu/multirate/multirate.h"
#include <string.h>
#include "kernels/cpu/isa/isa.h"
#include "kernels/cpu/kernels.h"

#ifdef __AVX2__
#include "kernels/cpu/multirate/multirate_avx2.h"
#endif

#ifdef __AVX512BW__
#define VNNI __attribute__((target("avx512vbmi,avx512vnni")))
#define INLINE VNNI static inline __attribute__((always_inline))

/* ---- coarser */

/* The sums of `blocks` blocks, `apart` bytes from one another; with two halves those of both are added up, in the lower one.
 * Four blocks at a time share what is loaded of the weights. */
INLINE void sums_of(const struct weft_decimation *d, const uint8_t *in, ptrdiff_t apart, __m512i place, const int halves,
                    const int blocks, __m512i *sums) {
    __m512i low[4], high[4];
    const int8_t *w = d->weights;
    const ptrdiff_t next = (ptrdiff_t)4 * halves * d->channels;
    for (int i = 0; i < blocks; i++)
        low[i] = high[i] = _mm512_setzero_si512();
#define LOW                                                                                                            \
    __m512i weights = _mm512_loadu_si512(w), v[4];                                                                     \
    for (int i = 0; i < blocks; i++) {                                                                                 \
        v[i] = _mm512_permutexvar_epi8(place, _mm512_loadu_si512(in + i * apart));                                     \
        low[i] = _mm512_dpbusd_epi32(low[i], v[i], weights);                                                           \
    }
    int32_t k = 0;
    for (; k < d->from; k++, in += next, w += 128) {
        LOW
    }
    for (; k < d->to; k++, in += next, w += 128) {
        LOW
        weights = _mm512_loadu_si512(w + 64);
        for (int i = 0; i < blocks; i++)
            high[i] = _mm512_dpbusd_epi32(high[i], v[i], weights);
    }
    for (; k < d->count; k++, in += next, w += 128) {
        LOW
    }
#undef LOW
    for (int i = 0; i < blocks; i++) {
        sums[i] = _mm512_add_epi32(low[i], _mm512_slli_epi32(high[i], 8));
        if (halves == 2)
            sums[i] = _mm512_add_epi32(sums[i], _mm512_shuffle_i64x2(sums[i], sums[i], 0x0e));
    }
}

/* The numbers of a block, `block` of each plane one after the other. */
INLINE void store_block(__m512 v, const int planes, const int block, float *const *out, int x) {
    if (planes == 1 && block == 16) {
        _mm512_storeu_ps(out[0] + x, v);
    } else if (block == 8) {
        _mm256_storeu_ps(out[0] + x, _mm512_castps512_ps256(v));
        if (planes == 2)
            _mm256_storeu_ps(out[1] + x, _mm256_castpd_ps(_mm512_extractf64x4_pd(_mm512_castps_pd(v), 1)));
    } else if (block == 4) {
        _mm_storeu_ps(out[0] + x, _mm512_castps512_ps128(v));
        _mm_storeu_ps(out[1] + x, _mm512_extractf32x4_ps(v, 1));
        if (planes > 2)
            _mm_storeu_ps(out[2] + x, _mm512_extractf32x4_ps(v, 2));
        if (planes > 3)
            _mm_storeu_ps(out[3] + x, _mm512_extractf32x4_ps(v, 3));
    } else { /* 2, of three or four planes */
        __m128 first = _mm512_castps512_ps128(v), second = _mm512_extractf32x4_ps(v, 1);
        _mm_storel_pi((__m64 *)(void *)(out[0] + x), first);
        _mm_storeh_pi((__m64 *)(void *)(out[1] + x), first);
        _mm_storel_pi((__m64 *)(void *)(out[2] + x), second);
        if (planes > 3)
            _mm_storeh_pi((__m64 *)(void *)(out[3] + x), second);
    }
}

INLINE void decimate_by(const struct weft_decimation *d, const uint8_t *in, float *const *out, int count,
                        const int planes, const int halves) {
    const int block = 16 / halves / (planes == 3 ? 4 : planes);
    const ptrdiff_t next = (ptrdiff_t)block * d->step * d->channels;
    __m512i place = _mm512_loadu_si512(d->place);
    __m512 factor = _mm512_set1_ps(d->factor);
    __m512i sums[4];
    int x = 0;
    for (; x + 4 * block <= count; x += 4 * block, in += 4 * next) {
        sums_of(d, in, next, place, halves, 4, sums);
        for (int i = 0; i < 4; i++)
            store_block(_mm512_mul_ps(_mm512_cvtepi32_ps(sums[i]), factor), planes, block, out, x + i * block);
    }
    for (; x < count; x += block, in += next) {
        float last[16];
        int n = count - x < block ? count - x : block;
        sums_of(d, in, next, place, halves, 1, sums);
        _mm512_storeu_ps(last, _mm512_mul_ps(_mm512_cvtepi32_ps(sums[0]), factor));
        for (int k = 0; k < planes; k++)
            memcpy(out[k] + x, last + k * block, (size_t)n * sizeof *last);
    }
}

VNNI static void decimate_bytes(const struct weft_decimation *d, const uint8_t *in, float *const *out, int count) {
#define BY(planes)                                                                                                     \
    case planes:                                                                                                       \
        if (d->halves == 1)                                                                                            \
            decimate_by(d, in, out, count, planes, 1);                                                                 \
        else                                                                                                           \
            decimate_by(d, in, out, count, planes, 2);                                                                 \
        break;
    switch (d->channels) {
        BY(1)
        BY(2)
        BY(3)
        BY(4)
    default: break;
    }
#undef BY
}

/* ---- finer */

/* Numbers x and x + 1 of a plane, by pairs. */
INLINE __m512i pairs_at(const float *plane) {
    const __m512 scale = _mm512_set1_ps(255.0f * (1 << WEFT_INTERPOLATION_FRACTION));
    const __m512 middle = _mm512_set1_ps(-128.0f * (1 << WEFT_INTERPOLATION_FRACTION));
    __m512i a = _mm512_cvtps_epi32(_mm512_fmadd_ps(_mm512_loadu_ps(plane), scale, middle));
    __m512i b = _mm512_cvtps_epi32(_mm512_fmadd_ps(_mm512_loadu_ps(plane + 1), scale, middle));
    __m512i least = _mm512_set1_epi32(INT16_MIN), most = _mm512_set1_epi32(INT16_MAX);
    a = _mm512_min_epi32(_mm512_max_epi32(a, least), most);
    b = _mm512_min_epi32(_mm512_max_epi32(b, least), most);
    return _mm512_mask_blend_epi16(0xaaaaaaaau, a, _mm512_slli_epi32(b, 16));
}

/* A pixel is stored as four components; the next pixel overwrites those that are too many. */
VNNI static void pair_numbers(const float *const *planes, int channels, int32_t *out, int count) {
    for (int x = 0; x < count; x += 16) {
        __m512i v[4], part[4], pixel[4];
        for (int k = 0; k < 4; k++)
            v[k] = k < channels ? pairs_at(planes[k] + x) : _mm512_setzero_si512();
        if (channels == 1) {
            _mm512_storeu_si512(out + x, v[0]);
            continue;
        }
        part[0] = _mm512_unpacklo_epi32(v[0], v[1]), part[1] = _mm512_unpackhi_epi32(v[0], v[1]);
        part[2] = _mm512_unpacklo_epi32(v[2], v[3]), part[3] = _mm512_unpackhi_epi32(v[2], v[3]);
        pixel[0] = _mm512_unpacklo_epi64(part[0], part[2]), pixel[1] = _mm512_unpackhi_epi64(part[0], part[2]);
        pixel[2] = _mm512_unpacklo_epi64(part[1], part[3]), pixel[3] = _mm512_unpackhi_epi64(part[1], part[3]);
#define STORE(i, k)                                                                                                    \
    _mm_storeu_si128((void *)(out + (x + 4 * (i) + (k)) * channels), _mm512_extracti32x4_epi32(pixel[k], i));
#define STORE_FOUR(i) STORE(i, 0) STORE(i, 1) STORE(i, 2) STORE(i, 3)
        STORE_FOUR(0) STORE_FOUR(1) STORE_FOUR(2) STORE_FOUR(3)
#undef STORE_FOUR
#undef STORE
    }
}

/* Loads `span` values, what a block reads at a time: shorter loads cross a cache line less often. */
INLINE __m512i load_numbers(const int32_t *in, const int span) {
    return span == 4   ? _mm512_castsi128_si512(_mm_loadu_si128((const void *)in))
           : span == 8 ? _mm512_castsi256_si512(_mm256_loadu_si256((const void *)in))
                       : _mm512_loadu_si512(in);
}

/* 16 components. */
INLINE __m128i block_of(const struct weft_interpolation *p, const int32_t *in, __m512i place, const __m512i *weights,
                        const int pairs, const int span) {
    __m512i sum = _mm512_set1_epi32(p->start);
    for (int k = 0; k < pairs; k++, in += 2 * (ptrdiff_t)p->channels)
        sum = _mm512_dpwssd_epi32(sum, _mm512_permutexvar_epi32(place, load_numbers(in, span)),
                                  _mm512_loadu_si512(weights + k));
    sum = _mm512_sra_epi32(sum, _mm_cvtsi32_si128(p->shift));
    return _mm_xor_si128(_mm512_cvtsepi32_epi8(sum), _mm_set1_epi8(-128));
}

/* Components [from, to) of block `turn` of a period, counted from its first. */
INLINE void part_of_block(const struct weft_interpolation *p, const int32_t *at, int32_t turn, int64_t from, int64_t to,
                          uint8_t *out) {
    uint8_t bytes[16];
    __m512i place = _mm512_loadu_si512(p->place + turn * 16);
    const __m512i *weights = (const __m512i *)(const void *)p->weights + (ptrdiff_t)turn * p->pairs;
    _mm_storeu_si128((void *)bytes, block_of(p, at + p->first[turn], place, weights, p->pairs, 16));
    memcpy(out, bytes + from, (size_t)(to - from));
}

/* `periods` whole periods of a small number of blocks each. */
INLINE void periods_of(const struct weft_interpolation *p, const int32_t *at, uint8_t *out, int64_t periods,
                       const int period, const int pairs, const int span) {
    __m512i place[3], weights[3][5];
    for (int t = 0; t < period; t++) {
        place[t] = _mm512_loadu_si512(p->place + t * 16);
        for (int k = 0; k < pairs; k++)
            weights[t][k] = _mm512_loadu_si512(p->weights + (t * pairs + k) * 16);
    }
    for (; periods > 0; periods--, at += p->advance, out += 16 * period)
        for (int t = 0; t < period; t++)
            _mm_storeu_si128((void *)(out + 16 * t), block_of(p, at + p->first[t], place[t], weights[t], pairs, span));
}

INLINE void any_periods_of(const struct weft_interpolation *p, const int32_t *at, uint8_t *out, int64_t periods,
                           const int pairs, const int span) {
    for (; periods > 0; periods--, at += p->advance)
        for (int t = 0; t < p->period; t++, out += 16)
            _mm_storeu_si128((void *)out,
                             block_of(p, at + p->first[t], _mm512_loadu_si512(p->place + t * 16),
                                      (const __m512i *)(const void *)p->weights + (ptrdiff_t)t * pairs, pairs, span));
}

/* 5 pairs of taps are gaussian_expand's. */
INLINE void all_periods_of(const struct weft_interpolation *p, const int32_t *at, uint8_t *out, int64_t periods,
                           const int span) {
    if (p->pairs == 5 && p->period == 1)
        periods_of(p, at, out, periods, 1, 5, span);
    else if (p->pairs == 5 && p->period == 2)
        periods_of(p, at, out, periods, 2, 5, span);
    else if (p->pairs == 5 && p->period == 3)
        periods_of(p, at, out, periods, 3, 5, span);
    else
        any_periods_of(p, at, out, periods, p->pairs, span);
}

VNNI static void interpolate_bytes(const struct weft_interpolation *p, const int32_t *in, int64_t origin, int64_t from,
                                   uint8_t *out, int64_t count) {
    int64_t block = from / 16, end = from + count;
    const int32_t *at = in + (block / p->period * p->advance - origin);
    /* Blocks until a period begins, whole periods, and the rest. */
    while (from < end) {
        int32_t turn = (int32_t)(block % p->period);
        int64_t periods = (end - from) / (16 * (int64_t)p->period);
        if (turn == 0 && from % 16 == 0 && periods > 0) {
            if (p->span <= 4)
                all_periods_of(p, at, out, periods, 4);
            else if (p->span <= 8)
                all_periods_of(p, at, out, periods, 8);
            else
                all_periods_of(p, at, out, periods, 16);
            block += periods * p->period, at += periods * p->advance;
            out += periods * p->period * 16, from += periods * p->period * 16;
            continue;
        }
        int64_t to = block * 16 + 16 < end ? block * 16 + 16 : end;
        part_of_block(p, at, turn, from - block * 16, to - block * 16, out);
        out += to - from, from = to, block++;
        if (turn == p->period - 1)
            at += p->advance;
    }
}
#endif

void KERNEL(weft_fill_multirate)(struct weft_kernels *kernels);
void KERNEL(weft_fill_multirate)(struct weft_kernels *kernels) {
    kernels->multirate_by_u16 = false;
    kernels->decimate_bytes = NULL;
    kernels->pair_numbers = NULL;
    kernels->interpolate_bytes = NULL;
#ifdef __AVX2__
    kernels->multirate_by_u16 = true;
    kernels->decimate_bytes = decimate_bytes_by_u16;
    kernels->pair_numbers = pair_numbers_by_eights;
    kernels->interpolate_bytes = interpolate_bytes_by_phases;
#endif
#ifdef __AVX512BW__
    if (__builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vnni")) {
        kernels->multirate_by_u16 = false;
        kernels->decimate_bytes = decimate_bytes;
        kernels->pair_numbers = pair_numbers;
        kernels->interpolate_bytes = interpolate_bytes;
    }
#endif
}
