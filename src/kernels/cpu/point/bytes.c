/* SPDX-License-Identifier: MIT
 * Bytes by tables. Where the processor has byte permutations (AVX-512 VBMI, which x86-64-v4 does not promise), a table
 * is four vectors: 64 bytes are looked up by two permutations and a choice between them by the highest bit. */
#include "kernels/cpu/point/bytes.h"
#include <string.h>
#include "kernels/cpu/isa/isa.h"
#include "kernels/cpu/kernels.h"
#include "kernels/cpu/isa/vector.h"
#ifdef __AVX2__
#include <immintrin.h>
#endif

/* By measurement: loads of single bytes take as long as so many cheap filters in f32. */
#ifdef __AVX2__
#define FILTERS_BY_LOADS 3
#else
#define FILTERS_BY_LOADS 1
#endif

#if defined(__AVX2__) && !defined(__AVX512BW__)
static inline __m256i load_bytes(const uint8_t *from) { return _mm256_loadu_si256((const __m256i *)(const void *)from); }
static inline uint32_t equal_bytes(const uint8_t *from, __m256i value) {
    return (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(load_bytes(from), value));
}

/* Where a table has one value below a byte and another from there on, as thresholds have it: comparing 32 bytes at once. Returns
 * how many were done; 0 with other tables. */
static int64_t map_threshold(const uint8_t *to, const uint8_t *in, uint8_t *out, int64_t count) {
    const __m256i low = _mm256_set1_epi8((char)to[0]), high = _mm256_set1_epi8((char)to[255]);
    int from = 0;
    while (from < 256 && equal_bytes(to + from, low) == UINT32_MAX)
        from += 32;
    uint32_t below = from < 256 ? equal_bytes(to + from, low) : 0, above = from < 256 ? equal_bytes(to + from, high) : 0;
    for (int i = from + 32; i < 256; i += 32)
        above = equal_bytes(to + i, high) == UINT32_MAX ? above : 0;
    if (from < 256 && (below & (below + 1)) == 0 && (above | below) == UINT32_MAX)
        from += __builtin_ctz(~below);
    else if (from < 256)
        return 0;
    const __m256i least = _mm256_set1_epi8((char)from);
    int64_t i = 0;
    for (; i + 32 <= count; i += 32) {
        __m256i v = load_bytes(in + i), up = _mm256_cmpeq_epi8(_mm256_max_epu8(v, least), v);
        _mm256_storeu_si256((__m256i *)(void *)(out + i), from < 256 ? _mm256_blendv_epi8(low, high, up) : low);
    }
    return i;
}

/* A table is 16 vectors of 16 bytes. A byte takes its value from the vector that its upper four bits name. For that
 * vector XOR with its number makes these bits 0; every other byte is 128 or more once 112 is added, and the permutation gives 0. */
static inline __m256i look_up(const uint8_t *to, __m256i v) {
    const __m256i above = _mm256_set1_epi8(0x70);
    __m256i result[2] = {_mm256_setzero_si256(), _mm256_setzero_si256()};
    for (int k = 0; k < 16; k++) {
        __m256i part = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)(to + 16 * k)));
        __m256i place = _mm256_adds_epu8(_mm256_xor_si256(v, _mm256_set1_epi8((char)(16 * k))), above);
        result[k & 1] = _mm256_or_si256(result[k & 1], _mm256_shuffle_epi8(part, place));
    }
    return _mm256_or_si256(result[0], result[1]);
}

/* Components by one table, but for every `channels`-th, if there is such, which stays. */
static int64_t map_vectors(const uint8_t *to, const uint8_t *in, uint8_t *out, int64_t count, int32_t channels) {
    const __m256i stay = channels == 4   ? _mm256_set1_epi32((int)0xff000000)
                         : channels == 2 ? _mm256_set1_epi16((short)0xff00)
                                         : _mm256_setzero_si256();
    int64_t i = 0;
    for (; i + 32 <= count; i += 32) {
        __m256i v = load_bytes(in + i);
        _mm256_storeu_si256((__m256i *)(void *)(out + i), _mm256_blendv_epi8(look_up(to, v), v, stay));
    }
    return i;
}

/* Whether an image has alpha, which stays, and all else goes by one table. */
static bool keeps_alpha(const struct weft_byte_tables *tables) {
    int32_t last = tables->channels - 1;
    bool keeps = last == 1 || last == 3;
    uint8_t differ = 0;
    for (int i = 0; i < 256; i++)
        differ |= (uint8_t)(tables->to[last][i] ^ i);
    keeps = keeps && differ == 0;
    for (int32_t k = 1; keeps && k < last; k++)
        keeps = memcmp(tables->to[k], tables->to[0], sizeof tables->to[0]) == 0;
    return keeps;
}
#endif

static void map_loads(const struct weft_byte_tables *tables, const uint8_t *in, uint8_t *out, int64_t count) {
    int32_t channels = tables->channels;
    int64_t done = 0;
#if defined(__AVX2__) && !defined(__AVX512BW__)
    done = channels == 1 ? map_threshold(tables->to[0], in, out, count) : 0;
    if (done == 0 && (channels == 1 || keeps_alpha(tables)))
        done = map_vectors(tables->to[0], in, out, count, channels);
#endif
    if (channels == 1)
        for (int64_t i = done; i < count; i++)
            out[i] = tables->to[0][in[i]];
    for (int64_t i = done; channels > 1 && i + channels <= count; i += channels)
        for (int32_t k = 0; k < channels; k++)
            out[i + k] = tables->to[k][in[i + k]];
}

static void threshold_u16(const uint16_t *in, uint16_t *out, int64_t count, uint16_t from, uint16_t below,
                          uint16_t above) {
    VECTOR_LOOP
    for (int64_t i = 0; i < count; i++)
        out[i] = in[i] >= from ? above : below;
}

static void floats_by_loads(const struct weft_float_table *table, const uint8_t *in, float *out, int count) {
    for (int i = 0; i < count; i++)
        out[i] = table->to[in[i]];
}

#ifdef __AVX512BW__
#define VBMI __attribute__((target("avx512vbmi")))

struct table {
    __m512i part[4];
};
VBMI static inline struct table load_table(const uint8_t *to) {
    return (struct table){{_mm512_loadu_si512(to), _mm512_loadu_si512(to + 64), _mm512_loadu_si512(to + 128),
                           _mm512_loadu_si512(to + 192)}};
}
VBMI static inline __m512i look_up(const struct table *t, __m512i v) {
    __m512i low = _mm512_permutex2var_epi8(t->part[0], v, t->part[1]);
    __m512i high = _mm512_permutex2var_epi8(t->part[2], v, t->part[3]);
    return _mm512_mask_blend_epi8(_mm512_movepi8_mask(v), low, high);
}
/* Every component by each of the tables that differ, of which those stay that are its own: in a vector that begins with
 * component `turn`, mask[n][turn] has the bits of the components of table n. Returns how many were done. */
VBMI static int64_t map_channels(const struct weft_byte_tables *tables, const uint8_t *in, uint8_t *out,
                                 int64_t count) {
    static const uint64_t every[] = {0, ~UINT64_C(0), 0x5555555555555555, 0x9249249249249249, 0x1111111111111111};
    struct table table[4];
    __mmask64 mask[4][4] = {{0}};
    int32_t channels = tables->channels, step = 64 % channels, turn = 0, differ = 0, place[4] = {0};
    int64_t i = 0;
    for (int32_t k = 0; k < channels; k++) {
        int32_t n = 0;
        while (n < differ && memcmp(tables->to[place[n]], tables->to[k], sizeof tables->to[k]) != 0)
            n++;
        if (n == differ) {
            place[differ] = k;
            table[differ++] = load_table(tables->to[k]);
        }
        for (int32_t begin = 0; begin < channels; begin++)
            mask[n][begin] |= every[channels] << (k + channels - begin) % channels;
    }
    for (; i + 64 <= count; i += 64) {
        __m512i v = _mm512_loadu_si512(in + i), result = look_up(&table[0], v);
        for (int32_t n = 1; n < differ; n++)
            result = _mm512_mask_blend_epi8(mask[n][turn], result, look_up(&table[n], v));
        _mm512_storeu_si512(out + i, result);
        turn += step;
        turn -= turn >= channels ? channels : 0;
    }
    return i;
}

VBMI static int64_t map_all(const uint8_t *to, const uint8_t *in, uint8_t *out, int64_t count) {
    struct table table = load_table(to);
    int64_t i = 0;
    for (; i + 64 <= count; i += 64)
        _mm512_storeu_si512(out + i, look_up(&table, _mm512_loadu_si512(in + i)));
    return i;
}

/* Less than a vector is looked up by loads. */
static void map_permutations(const struct weft_byte_tables *tables, const uint8_t *in, uint8_t *out, int64_t count) {
    int64_t done = tables->channels > 1 ? map_channels(tables, in, out, count) : map_all(tables->to[0], in, out, count);
    for (; done < count; done++)
        out[done] = tables->to[done % tables->channels][in[done]];
}

/* Past the caches by whole lines, with a prefetch of 2 KB of input first, and without a copy from a buffer. */
static int64_t before_line(const void *out, int64_t size) {
    int64_t head = (int64_t)(-(uintptr_t)out & 63);
    return head < size ? head : size;
}

VBMI static void map_all_past_caches(const struct weft_byte_tables *tables, const uint8_t *in, uint8_t *out,
                                     int64_t count) {
    const uint8_t *to = tables->to[0];
    struct table table = load_table(to);
    int64_t i = 0, head = before_line(out, count);
    for (; i < head; i++)
        out[i] = to[in[i]];
    for (; i + 64 <= count; i += 64) {
        prefetch(in + i);
        _mm512_stream_si512((void *)(out + i), look_up(&table, _mm512_loadu_si512(in + i)));
    }
    for (; i < count; i++)
        out[i] = to[in[i]];
}

VBMI static void threshold_u16_past_caches(const uint16_t *in, uint16_t *out, int64_t count, uint16_t from,
                                           uint16_t below, uint16_t above) {
    int64_t i = (uintptr_t)out % 2 ? count : before_line(out, 2 * count) / 2;
    const __m512i least = _mm512_set1_epi16((short)from), low = _mm512_set1_epi16((short)below),
                  high = _mm512_set1_epi16((short)above);
    threshold_u16(in, out, i, from, below, above);
    for (; i + 32 <= count; i += 32) {
        prefetch(in + i);
        __mmask32 up = _mm512_cmpge_epu16_mask(_mm512_loadu_si512(in + i), least);
        _mm512_stream_si512((void *)(out + i), _mm512_mask_blend_epi16(up, low, high));
    }
    threshold_u16(in + i, out + i, count - i, from, below, above);
}

static void threshold_f32(const float *in, float *out, int64_t count, const struct weft_f32_threshold *threshold) {
    for (int64_t i = 0; i < count; i++)
        out[i] = threshold->nan_above       ? in[i] < threshold->from ? threshold->below : threshold->above
                 : in[i] >= threshold->from ? threshold->above
                                            : threshold->below;
}

static void threshold_f32_past_caches(const float *in, float *out, int64_t count,
                                      const struct weft_f32_threshold *threshold) {
    int64_t i = (uintptr_t)out % 4 ? count : before_line(out, 4 * count) / 4;
    const __m512 least = _mm512_set1_ps(threshold->from), below = _mm512_set1_ps(threshold->below),
                 above = _mm512_set1_ps(threshold->above);
    const __mmask16 turned = threshold->nan_above ? 0xffff : 0;
    threshold_f32(in, out, i, threshold);
    for (; i + 16 <= count; i += 16) {
        prefetch(in + i);
        __m512 v = _mm512_loadu_ps(in + i);
        __mmask16 up = turned ? _mm512_cmp_ps_mask(v, least, _CMP_NLT_UQ) : _mm512_cmp_ps_mask(v, least, _CMP_GE_OQ);
        _mm512_stream_ps(out + i, _mm512_mask_blend_ps(up, below, above));
    }
    threshold_f32(in + i, out + i, count - i, threshold);
}

/* Lane i of the four into vector i. */
VBMI static inline void store_lanes(float *out, __m512i a, __m512i b, __m512i c, __m512i d) {
    __m512i p = _mm512_shuffle_i32x4(a, b, 0x88), q = _mm512_shuffle_i32x4(a, b, 0xdd);
    __m512i r = _mm512_shuffle_i32x4(c, d, 0x88), s = _mm512_shuffle_i32x4(c, d, 0xdd);
    _mm512_storeu_si512(out, _mm512_shuffle_i32x4(p, r, 0x88));
    _mm512_storeu_si512(out + 16, _mm512_shuffle_i32x4(q, s, 0x88));
    _mm512_storeu_si512(out + 32, _mm512_shuffle_i32x4(p, r, 0xdd));
    _mm512_storeu_si512(out + 48, _mm512_shuffle_i32x4(q, s, 0xdd));
}

/* The bytes of the floats one after the other, and then interleaved. */
VBMI static void floats_by_permutations(const struct weft_float_table *of, const uint8_t *in, float *out, int count) {
    struct table table[4];
    int i = 0;
    for (int k = 0; k < 4; k++)
        table[k] = load_table(of->part[k]);
    for (; i + 64 <= count; i += 64) {
        __m512i v = _mm512_loadu_si512(in + i);
        __m512i a = look_up(&table[0], v), b = look_up(&table[1], v), c = look_up(&table[2], v),
                d = look_up(&table[3], v);
        __m512i low = _mm512_unpacklo_epi8(a, b), high = _mm512_unpackhi_epi8(a, b);
        __m512i then_low = _mm512_unpacklo_epi8(c, d), then_high = _mm512_unpackhi_epi8(c, d);
        store_lanes(out + i, _mm512_unpacklo_epi16(low, then_low), _mm512_unpackhi_epi16(low, then_low),
                    _mm512_unpacklo_epi16(high, then_high), _mm512_unpackhi_epi16(high, then_high));
    }
    floats_by_loads(of, in + i, out + i, count - i);
}
#endif

void KERNEL(weft_fill_bytes)(struct weft_kernels *kernels);
void KERNEL(weft_fill_bytes)(struct weft_kernels *kernels) {
    kernels->bytes_map = map_loads;
    kernels->bytes_to_floats = floats_by_loads;
    kernels->threshold_u16 = threshold_u16;
    kernels->bytes_map_past_caches = NULL;
    kernels->threshold_u16_past_caches = NULL;
    kernels->threshold_f32_past_caches = NULL;
    kernels->byte_table_filters = kernels->float_table_filters = FILTERS_BY_LOADS;
#if defined(__AVX2__) && !defined(__AVX512BW__)
    kernels->byte_table_filters = 1; /* by permutations of 16 bytes */
#endif
#ifdef __AVX512BW__
    kernels->threshold_f32_past_caches = threshold_f32_past_caches;
    if (__builtin_cpu_supports("avx512vbmi")) {
        kernels->bytes_map = map_permutations;
        kernels->bytes_to_floats = floats_by_permutations;
        kernels->bytes_map_past_caches = map_all_past_caches;
        kernels->threshold_u16_past_caches = threshold_u16_past_caches;
        kernels->byte_table_filters = kernels->float_table_filters = 1;
    }
#endif
}
