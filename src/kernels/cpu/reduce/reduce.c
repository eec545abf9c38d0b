/* SPDX-License-Identifier: MIT
 * Reduces a row to one number or counts it into a table. Sums and extremes are kept in many lanes, as vectors do, so that an
 * addition does not wait for the one before. */
#include <math.h>
#include <string.h>
#include "image/bins.h"
#include "kernels/cpu/isa/isa.h"
#include "kernels/cpu/kernels.h"

#define LANES 32

/* ---- extremes. Comparisons are false for NaN, so it never gets in. */

#define EXTREME(name, T, NEUTRAL, BEFORE)                                                                              \
    static T name(const T *in, int count) {                                                                            \
        T lane[LANES], result = NEUTRAL;                                                                               \
        int x = 0;                                                                                                     \
        for (int i = 0; i < LANES; i++)                                                                                \
            lane[i] = NEUTRAL;                                                                                         \
        for (; x + LANES <= count; x += LANES) {                                                                       \
            VECTOR_LOOP                                                                                                \
            for (int i = 0; i < LANES; i++)                                                                            \
                lane[i] = in[x + i] BEFORE lane[i] ? in[x + i] : lane[i];                                              \
        }                                                                                                              \
        for (; x < count; x++)                                                                                         \
            result = in[x] BEFORE result ? in[x] : result;                                                             \
        for (int i = 0; i < LANES; i++)                                                                                \
            result = lane[i] BEFORE result ? lane[i] : result;                                                         \
        return result;                                                                                                 \
    }
EXTREME(least_f32, float, INFINITY, <)
EXTREME(most_f32, float, -INFINITY, >)
EXTREME(least_u8, uint8_t, 255, <)
EXTREME(most_u8, uint8_t, 0, >)
EXTREME(least_u16, uint16_t, 65535, <)
EXTREME(most_u16, uint16_t, 0, >)
#undef EXTREME

/* An infinite result may be the neutral element, of nothing but NaN. */
static double or_nan(double v, const float *in, int count) {
    for (int x = 0; isinf(v) && x < count; x++)
        if (!isnan(in[x]))
            return v;
    return isinf(v) ? (double)NAN : v;
}
static double min_f32(const void *row, int count) { return or_nan((double)least_f32(row, count), row, count); }
static double max_f32(const void *row, int count) { return or_nan((double)most_f32(row, count), row, count); }
static double min_u8(const void *row, int count) { return least_u8(row, count); }
static double max_u8(const void *row, int count) { return most_u8(row, count); }
static double min_u16(const void *row, int count) { return least_u16(row, count); }
static double max_u16(const void *row, int count) { return most_u16(row, count); }

/* ---- sums */

static double sum_f32(const void *row, int count) {
    const float *in = row;
    double lane[LANES] = {0}, result = 0;
    int x = 0;
    for (; x + LANES <= count; x += LANES) {
        VECTOR_LOOP
        for (int i = 0; i < LANES; i++)
            lane[i] += (double)in[x + i];
    }
    for (; x < count; x++)
        result += (double)in[x];
    for (int i = 0; i < LANES; i++)
        result += lane[i];
    return result;
}

/* In pieces whose sum fits 32 bits. */
#define SUM(name, T)                                                                                                   \
    static double name(const void *row, int count) {                                                                   \
        const T *in = row;                                                                                             \
        uint64_t result = 0;                                                                                           \
        for (int x = 0; x < count; x += 32768) {                                                                       \
            int n = count - x < 32768 ? count - x : 32768;                                                             \
            uint32_t part = 0;                                                                                         \
            _Pragma("omp simd reduction(+ : part)") for (int i = 0; i < n; i++) part += in[x + i];                     \
            result += part;                                                                                            \
        }                                                                                                              \
        return (double)result;                                                                                         \
    }
SUM(sum_u8, uint8_t)
SUM(sum_u16, uint16_t)
#undef SUM

/* ---- counts. Neighbors of equal value would increment one counter, each waiting for the store before it: several tables are
 * used. */

#define BLOCK 256

static void count_up(const int32_t *bin, uint64_t *tables, size_t stride, int count) {
    uint64_t *a = tables, *b = a + stride, *c = b + stride, *d = c + stride;
    int i = 0;
    for (; i + 4 <= count; i += 4)
        a[bin[i]]++, b[bin[i + 1]]++, c[bin[i + 2]]++, d[bin[i + 3]]++;
    for (; i < count; i++)
        a[bin[i]]++;
}

/* Which of `steps` values of an integer format is nearest; NaN is `nothing`. In f32, whose roundings are smaller than BIN_REACH: in
 * double counts took 1.7 to 6 times as long. */
static inline __attribute__((always_inline)) void steps_of_f32(const float *in, int32_t steps, int32_t nothing, int32_t *step,
                                                               int count) {
    const float scale = (float)steps * (1.0f + BIN_REACH);
    VECTOR_LOOP
    for (int i = 0; i < count; i++) {
        const float v = in[i], low = v > 0.0f ? v : 0.0f;
        const int32_t at = (int32_t)((low < 1.0f ? low : 1.0f) * scale + 0.5f), limited = at < steps ? at : steps;
        step[i] = v == v ? limited : nothing;
    }
}

/* The bin of any value, in double, where the product is exact; NaN is bin `bins`. */
static inline __attribute__((always_inline)) void bins_of_f32(const float *in, int32_t bins, int32_t *bin, int count) {
    const double scale = (1 + (double)BIN_REACH) * bins;
    VECTOR_LOOP
    for (int i = 0; i < count; i++) {
        const float v = in[i], low = v > 0.0f ? v : 0.0f;
        const int32_t at = (int32_t)((double)(low < 1.0f ? low : 1.0f) * scale), limited = at < bins ? at : bins - 1;
        bin[i] = v == v ? limited : bins;
    }
}

/* floor(v * bins / 65535) by whole numbers, of at most 65536 bins: the quotient of t < 65535 * 65536 is
 * (t + 1 + t / 65536) / 65536. */
static inline __attribute__((always_inline)) int32_t bin_of_u16(uint32_t v, int bins) {
    const uint32_t t = v * (uint32_t)bins;
    return v < 65535 ? (int32_t)((t + 1 + (t >> 16)) >> 16) : bins - 1;
}

static void count_f32(const void *row, int steps, int bins, uint64_t *tables, size_t stride, int count) {
    const float *in = row;
    for (int x = 0; x < count; x += BLOCK) {
        int32_t bin[BLOCK];
        int n = count - x < BLOCK ? count - x : BLOCK;
        if (steps == 255) {
            steps_of_f32(in + x, 255, 256, bin, n);
        } else if (steps) {
            steps_of_f32(in + x, steps, -1, bin, n);
            VECTOR_LOOP
            for (int i = 0; i < n; i++)
                bin[i] = bin[i] < 0 ? bins : bin_of_u16((uint32_t)bin[i], bins);
        } else {
            bins_of_f32(in + x, bins, bin, n);
        }
        count_up(bin, tables, stride, n);
    }
}

static void count_u16(const void *row, int steps, int bins, uint64_t *tables, size_t stride, int count) {
    const uint16_t *in = row;
    (void)steps;
    for (int x = 0; x < count; x += BLOCK) {
        int32_t bin[BLOCK];
        int n = count - x < BLOCK ? count - x : BLOCK;
        VECTOR_LOOP
        for (int i = 0; i < n; i++)
            bin[i] = bin_of_u16(in[x + i], bins);
        count_up(bin, tables, stride, n);
    }
}

/* The values themselves; the bins are made of them in the end. All components of a pixel in one loop, each into a table of its
 * channel; a channel has `many` tables, which successive pixels use in rotation. A load of 8 bytes is 8 values. So few tables fit a
 * first-level cache of 32 KB beside the row that is read, and the next addition to the same table comes 8 counters later with four
 * channels. The table of each byte is known at compile time, so that counting a byte is a shift and an addition to memory. */
#define COUNT_PIXELS 8
/* Byte b of word w: of channel c, of pixel p. */
#define COUNT_BYTE(b)                                                                                                  \
    {                                                                                                                  \
        const int at = 8 * w + (b), c = at % n, p = at / n;                                                            \
        tables[(size_t)((c * many + p % many) * 256) + (word >> 8 * (b) & 255)]++;                                     \
    }
static inline __attribute__((always_inline)) void count_pixels(const uint8_t *in, const int n, const int many,
                                                               uint64_t *tables, int count) {
    int i = 0;
    for (; i + COUNT_PIXELS <= count; i += COUNT_PIXELS)
        for (int w = 0; w < n; w++, in += 8) {
            uint64_t word;
            memcpy(&word, in, sizeof word);
            COUNT_BYTE(0) COUNT_BYTE(1) COUNT_BYTE(2) COUNT_BYTE(3)
            COUNT_BYTE(4) COUNT_BYTE(5) COUNT_BYTE(6) COUNT_BYTE(7)
        }
    for (; i < count; i++, in += n)
        for (int k = 0; k < n; k++)
            tables[k * many * 256 + in[k]]++;
}
static void count_bytes(const uint8_t *in, int channels, uint64_t *tables, int count) {
    switch (channels) {
    case 1: count_pixels(in, 1, WEFT_BYTE_COUNTERS(1), tables, count); break;
    case 2: count_pixels(in, 2, WEFT_BYTE_COUNTERS(2), tables, count); break;
    case 3: count_pixels(in, 3, WEFT_BYTE_COUNTERS(3), tables, count); break;
    default: count_pixels(in, 4, WEFT_BYTE_COUNTERS(4), tables, count); break;
    }
}

void KERNEL(weft_fill_reduce)(struct weft_kernels *kernels);
void KERNEL(weft_fill_reduce)(struct weft_kernels *kernels) {
    kernels->reduce_min[WEFT_ROW_F32] = min_f32, kernels->reduce_max[WEFT_ROW_F32] = max_f32;
    kernels->reduce_min[WEFT_ROW_U8] = min_u8, kernels->reduce_max[WEFT_ROW_U8] = max_u8;
    kernels->reduce_min[WEFT_ROW_U16] = min_u16, kernels->reduce_max[WEFT_ROW_U16] = max_u16;
    kernels->reduce_sum[WEFT_ROW_F32] = sum_f32;
    kernels->reduce_sum[WEFT_ROW_U8] = sum_u8;
    kernels->reduce_sum[WEFT_ROW_U16] = sum_u16;
    kernels->reduce_count[WEFT_ROW_F32] = count_f32;
    kernels->reduce_count[WEFT_ROW_U16] = count_u16;
    kernels->reduce_count_bytes = count_bytes;
}
