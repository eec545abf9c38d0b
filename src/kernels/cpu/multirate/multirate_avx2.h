/* SPDX-License-Identifier: MIT
 * multirate.c by products of 16 bits, two to a sum, in vectors of 32 bytes (AVX2). */
#ifndef KERNELS_MULTIRATE_AVX2_H
#define KERNELS_MULTIRATE_AVX2_H
#include <immintrin.h>
#include <string.h>
#include "kernels/cpu/multirate/multirate.h"

#define EIGHTS static inline __attribute__((always_inline))

/* ---- coarser */

/* Sums of `vectors` vectors `apart` bytes from one another, whose lanes are `lanes` bytes from one another. */
EIGHTS void sums_by_u16(const struct weft_decimation_u16 *w, ptrdiff_t next, const uint8_t *in, ptrdiff_t apart,
                        ptrdiff_t lanes, const int vectors, __m256i *sums) {
    const __m256i first = _mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)w->place[0]));
    const __m256i second = _mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)w->place[1]));
    const int16_t *weights = w->weights;
    for (int i = 0; i < vectors; i++)
        sums[i] = _mm256_setzero_si256();
    for (int32_t k = 0; k < w->count; k++, in += next, weights += 16) {
        __m256i a = _mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)weights));
        __m256i b = _mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)(weights + 8)));
        for (int i = 0; i < vectors; i++) {
            const uint8_t *at = in + i * apart;
            __m256i v = _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const void *)at)),
                                                _mm_loadu_si128((const void *)(at + lanes)), 1);
            __m256i both = _mm256_add_epi32(_mm256_madd_epi16(_mm256_shuffle_epi8(v, first), a),
                                            _mm256_madd_epi16(_mm256_shuffle_epi8(v, second), b));
            sums[i] = _mm256_add_epi32(sums[i], both);
        }
    }
}

EIGHTS __m256 as_numbers(__m256i sums, float factor) {
    return _mm256_mul_ps(_mm256_cvtepi32_ps(sums), _mm256_set1_ps(factor));
}

/* Four vectors of sums to the planes: 32 outputs of one channel, 16 of it by halves, 8 of more channels. */
EIGHTS void store_sums(const struct weft_decimation *d, const __m256i *sums, float *const *out, int x, const int channels,
                       const int halves) {
    if (channels == 1 && halves == 1) {
        for (int i = 0; i < 4; i++)
            _mm256_storeu_ps(out[0] + x + 8 * i, as_numbers(sums[i], d->factor));
    } else if (channels == 1) {
        for (int i = 0; i < 2; i++) {
            __m256i eight = _mm256_hadd_epi32(sums[2 * i], sums[2 * i + 1]);
            _mm256_storeu_ps(out[0] + x + 8 * i, as_numbers(_mm256_permute4x64_epi64(eight, 0xd8), d->factor));
        }
    } else if (channels == 2) { /* two outputs a vector */
        const __m256i order = _mm256_setr_epi32(0, 4, 2, 6, 1, 5, 3, 7);
        for (int i = 0; i < 2; i++) {
            __m256i four = _mm256_add_epi32(_mm256_unpacklo_epi64(sums[2 * i], sums[2 * i + 1]),
                                            _mm256_unpackhi_epi64(sums[2 * i], sums[2 * i + 1]));
            __m256 v = as_numbers(_mm256_permutevar8x32_epi32(four, order), d->factor);
            _mm_storeu_ps(out[0] + x + 4 * i, _mm256_castps256_ps128(v));
            _mm_storeu_ps(out[1] + x + 4 * i, _mm256_extractf128_ps(v, 1));
        }
    } else { /* outputs i and i + 4 */
        __m256 v[4], part[4];
        for (int i = 0; i < 4; i++)
            v[i] = as_numbers(sums[i], d->factor);
        part[0] = _mm256_unpacklo_ps(v[0], v[1]), part[1] = _mm256_unpackhi_ps(v[0], v[1]);
        part[2] = _mm256_unpacklo_ps(v[2], v[3]), part[3] = _mm256_unpackhi_ps(v[2], v[3]);
        _mm256_storeu_ps(out[0] + x, _mm256_shuffle_ps(part[0], part[2], 0x44));
        _mm256_storeu_ps(out[1] + x, _mm256_shuffle_ps(part[0], part[2], 0xee));
        _mm256_storeu_ps(out[2] + x, _mm256_shuffle_ps(part[1], part[3], 0x44));
        if (channels > 3)
            _mm256_storeu_ps(out[3] + x, _mm256_shuffle_ps(part[1], part[3], 0xee));
    }
}

EIGHTS void decimate_by_u16(const struct weft_decimation *d, const uint8_t *in, float *const *out, int count,
                            const int channels, const int halves) {
    const struct weft_decimation_u16 *w = &d->u16;
    const int outputs = channels > 1 ? 1 : 4 / halves, block = channels > 2 ? 8 : 8 * outputs;
    const ptrdiff_t pixel = (ptrdiff_t)d->step * channels, next = (ptrdiff_t)4 * halves * channels;
    const ptrdiff_t apart = channels > 2 ? pixel : 2 * outputs * pixel, lanes = channels > 2 ? 4 * pixel : outputs * pixel;
    __m256i sums[4];
    int x = 0;
    for (; x + block <= count; x += block, in += block * pixel) {
        sums_by_u16(w, next, in, apart, lanes, 4, sums);
        store_sums(d, sums, out, x, channels, halves);
    }
    for (; x < count; x += 2 * outputs, in += 2 * outputs * pixel) { /* one by one */
        int32_t last[8];
        sums_by_u16(w, next, in, 0, outputs * pixel, 1, sums);
        _mm256_storeu_si256((void *)last, sums[0]);
        for (int o = 0; o < 2 * outputs && x + o < count; o++)
            for (int c = 0; c < channels; c++) {
                const int32_t *at = last + o * (4 / outputs) + c;
                out[c][x + o] = (float)(at[0] + (halves == 2 ? at[channels] : 0)) * d->factor;
            }
    }
}

static void decimate_bytes_by_u16(const struct weft_decimation *d, const uint8_t *in, float *const *out, int count) {
    if (d->channels == 1 && d->u16.halves == 1)
        decimate_by_u16(d, in, out, count, 1, 1);
    else if (d->channels == 1)
        decimate_by_u16(d, in, out, count, 1, 2);
    else if (d->channels == 2)
        decimate_by_u16(d, in, out, count, 2, 2);
    else if (d->channels == 3)
        decimate_by_u16(d, in, out, count, 3, 1);
    else
        decimate_by_u16(d, in, out, count, 4, 1);
}

/* ---- finer */

/* Numbers x and x + 1 of a plane, by pairs. */
EIGHTS __m256i eight_pairs(const float *plane) {
    const __m256 scale = _mm256_set1_ps(255.0f * (1 << WEFT_INTERPOLATION_FRACTION));
    const __m256 middle = _mm256_set1_ps(-128.0f * (1 << WEFT_INTERPOLATION_FRACTION));
    const __m256i least = _mm256_set1_epi32(INT16_MIN), most = _mm256_set1_epi32(INT16_MAX);
    __m256i a = _mm256_cvtps_epi32(_mm256_fmadd_ps(_mm256_loadu_ps(plane), scale, middle));
    __m256i b = _mm256_cvtps_epi32(_mm256_fmadd_ps(_mm256_loadu_ps(plane + 1), scale, middle));
    a = _mm256_min_epi32(_mm256_max_epi32(a, least), most);
    b = _mm256_min_epi32(_mm256_max_epi32(b, least), most);
    return _mm256_blend_epi16(a, _mm256_slli_epi32(b, 16), 0xaa);
}

/* A pixel is stored as four components; the next pixel overwrites those that are too many. */
static void pair_numbers_by_eights(const float *const *planes, int channels, int32_t *out, int count) {
    for (int x = 0; x < count; x += 8) {
        __m256i v[4], part[4], pixel[4];
        for (int k = 0; k < 4; k++)
            v[k] = k < channels ? eight_pairs(planes[k] + x) : _mm256_setzero_si256();
        if (channels == 1) {
            _mm256_storeu_si256((void *)(out + x), v[0]);
            continue;
        }
        part[0] = _mm256_unpacklo_epi32(v[0], v[1]), part[1] = _mm256_unpackhi_epi32(v[0], v[1]);
        part[2] = _mm256_unpacklo_epi32(v[2], v[3]), part[3] = _mm256_unpackhi_epi32(v[2], v[3]);
        pixel[0] = _mm256_unpacklo_epi64(part[0], part[2]), pixel[1] = _mm256_unpackhi_epi64(part[0], part[2]);
        pixel[2] = _mm256_unpacklo_epi64(part[1], part[3]), pixel[3] = _mm256_unpackhi_epi64(part[1], part[3]);
        for (int k = 0; k < 4; k++)
            _mm_storeu_si128((void *)(out + (x + k) * channels), _mm256_castsi256_si128(pixel[k]));
        for (int k = 0; k < 4; k++)
            _mm_storeu_si128((void *)(out + (x + 4 + k) * channels), _mm256_extracti128_si256(pixel[k], 1));
    }
}

/* Bytes of phase j from coarse component `at` on, 16 at a time: for 32 there are too few registers for sums and weights. */
EIGHTS void phase_row(const struct weft_interpolation *p, int32_t j, const int32_t *at, int32_t components, uint8_t *out,
                      const int pairs) {
    const int32_t *weights = p->phases.weights + (ptrdiff_t)j * pairs;
    const __m256i start = _mm256_set1_epi32(p->start);
    const __m128i shift = _mm_cvtsi32_si128(p->shift), middle = _mm_set1_epi8(-128);
    for (int32_t c = 0; c < components; c += 16) {
        const int32_t *in = at + c;
        __m256i low = start, high = start;
        for (int k = 0; k < pairs; k++, in += 2 * (ptrdiff_t)p->channels) {
            __m256i weight = _mm256_set1_epi32(weights[k]);
            low = _mm256_add_epi32(low, _mm256_madd_epi16(_mm256_loadu_si256((const void *)in), weight));
            high = _mm256_add_epi32(high, _mm256_madd_epi16(_mm256_loadu_si256((const void *)(in + 8)), weight));
        }
        __m256i words = _mm256_packs_epi32(_mm256_sra_epi32(low, shift), _mm256_sra_epi32(high, shift));
        words = _mm256_permute4x64_epi64(words, 0xd8);
        __m128i bytes = _mm_packs_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
        _mm_storeu_si128((void *)(out + c), _mm_xor_si128(bytes, middle));
    }
}

/* Components of coarse pixels that are gone through at a time; multiples of 16 pixels. */
#define PHASE_COMPONENTS 256
#define PHASE_PIXELS(channels) ((channels) == 3 ? 80 : PHASE_COMPONENTS / (channels))
#define PHASE_BYTES (PHASE_COMPONENTS + 32)

/* Outputs of `pixels` coarse pixels of one or two channels, from bytes of each phase; the last are whole vectors. */
EIGHTS void interleave_bytes(const struct weft_interpolation *p, uint8_t (*rows)[PHASE_BYTES], int32_t pixels, uint8_t *out,
                             const int step) {
    for (int32_t b = 0; b < pixels * p->channels; b += 16)
        for (int i = 0; i < step; i++, out += 16) {
            __m128i made = _mm_setzero_si128();
            for (int j = 0; j < step; j++) {
                __m128i place = _mm_loadu_si128((const void *)p->phases.interleaved[i * step + j]);
                made = _mm_or_si128(made, _mm_shuffle_epi8(_mm_loadu_si128((const void *)(rows[j] + b)), place));
            }
            _mm_storeu_si128((void *)out, made);
        }
}

static void interleave_phases(const struct weft_interpolation *p, uint8_t (*rows)[PHASE_BYTES], int32_t pixels, uint8_t *out) {
    const int32_t step = p->phases.step, channels = p->channels;
    if (channels > 2) { /* four bytes at a time: of three channels the next pixel overwrites the fourth */
        for (int32_t i = 0; i < pixels; i++)
            for (int32_t j = 0; j < step; j++, out += channels)
                memcpy(out, rows[j] + i * channels, 4);
        return;
    }
    switch (step) {
    case 2: interleave_bytes(p, rows, pixels, out, 2); break;
    case 3: interleave_bytes(p, rows, pixels, out, 3); break;
    case 4: interleave_bytes(p, rows, pixels, out, 4); break;
    case 5: interleave_bytes(p, rows, pixels, out, 5); break;
    case 6: interleave_bytes(p, rows, pixels, out, 6); break;
    case 7: interleave_bytes(p, rows, pixels, out, 7); break;
    default: interleave_bytes(p, rows, pixels, out, WEFT_INTERPOLATION_STEP); break;
    }
}

EIGHTS void interpolate_by_phases(const struct weft_interpolation *p, const int32_t *in, int64_t origin, int64_t from,
                                  uint8_t *out, int64_t count, const int pairs) {
    const int64_t step = p->phases.step, channels = p->channels, end = from + count;
    const int32_t most = (int32_t)PHASE_PIXELS(channels);
    uint8_t rows[WEFT_INTERPOLATION_STEP][PHASE_BYTES], made[WEFT_INTERPOLATION_STEP * PHASE_BYTES];
    for (int64_t i = from / (step * channels); i * step * channels < end; i += most) {
        int64_t first = i * step * channels, last = (i + most) * step * channels;
        int32_t pixels = last <= end ? most : (int32_t)((end - first + step * channels - 1) / (step * channels));
        for (int32_t j = 0; j < step; j++)
            phase_row(p, j, in + (p->phases.first[j] + i) * channels - origin, pixels * (int32_t)channels, rows[j], pairs);
        if (first >= from && last + (channels == 3) <= end) { /* with what is written behind three channels */
            interleave_phases(p, rows, pixels, out + (first - from));
            continue;
        }
        first = first < from ? from : first;
        last = last < end ? last : end;
        interleave_phases(p, rows, pixels, made);
        memcpy(out + (first - from), made + (first - i * step * channels), (size_t)(last - first));
    }
}

/* 5 pairs of taps are gaussian_expand's. */
static void interpolate_bytes_by_phases(const struct weft_interpolation *p, const int32_t *in, int64_t origin, int64_t from,
                                        uint8_t *out, int64_t count) {
    if (p->pairs == 5)
        interpolate_by_phases(p, in, origin, from, out, count, 5);
    else
        interpolate_by_phases(p, in, origin, from, out, count, p->pairs);
}

#endif
