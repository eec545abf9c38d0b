/* SPDX-License-Identifier: MIT
 * Rows resampled: pixels moved, and weighted sums at places that differ from output to output. Which of the forms is
 * the fastest depends on the table of the axis; backend/cpu/steps/resample/resample_x.c chooses. */
#include <string.h>
#include "kernels/cpu/isa/isa.h"
#include "kernels/cpu/kernels.h"
#include "kernels/cpu/isa/vector.h"

#define INLINE static inline __attribute__((always_inline))

/* ---- moves */

#define MOVES(T, name)                                                                                                 \
    static void move_indexed_##name(const void *from, const int32_t *place, int32_t origin, void *to, int count) {     \
        const T *in = from;                                                                                            \
        T *out = to;                                                                                                   \
        VECTOR_LOOP                                                                                                    \
        for (int x = 0; x < count; x++)                                                                                \
            out[x] = in[place[x] - origin];                                                                            \
    }
MOVES(float, f32)
MOVES(uint8_t, u8)
MOVES(uint16_t, u16)
#undef MOVES

/* ---- few taps at any places */

/* With `taps` a constant the sum is unrolled, and the loop over x becomes vector code with gathers. */
INLINE void gather_taps(const float *in, const int32_t *place, int32_t origin, const float *weights, size_t stride,
                        int taps, float *out, int count) {
    VECTOR_LOOP
    for (int x = 0; x < count; x++) {
        const int32_t at = place[x] - origin;
        float sum = weights[x] * in[at];
        for (int k = 1; k < taps; k++)
            sum += weights[(size_t)k * stride + (size_t)x] * in[at + k];
        out[x] = sum;
    }
}

static void resample_gather(const float *in, const int32_t *place, int32_t origin, const float *weights, size_t stride,
                            int taps, float *out, int count) {
    switch (taps) {
    case 1: gather_taps(in, place, origin, weights, stride, 1, out, count); break;
    case 2: gather_taps(in, place, origin, weights, stride, 2, out, count); break;
    case 3: gather_taps(in, place, origin, weights, stride, 3, out, count); break;
    case 4: gather_taps(in, place, origin, weights, stride, 4, out, count); break;
    default: gather_taps(in, place, origin, weights, stride, taps, out, count); break;
    }
}

/* ---- more taps: the sum itself is vector code. Each ends as four parts, and those of many outputs are added up at
 * once. */

typedef float four __attribute__((vector_size(16)));
typedef int32_t four_bits __attribute__((vector_size(16)));

INLINE four load_four(const float *from) {
    four v;
    memcpy(&v, from, sizeof v);
    return v;
}

/* The first taps of a product, whole vectors of them. */
INLINE four multiply_vectors(const float *w, const float *from, int taps) {
    vector sum = vector_load(w) * vector_load(from);
    for (int k = LANES; k < taps; k += LANES)
        sum += vector_load(w + k) * vector_load(from + k);
    float lane[LANES];
    vector_store(lane, sum);
    four result = load_four(lane);
    for (int k = 4; k < LANES; k += 4)
        result += load_four(lane + k);
    return result;
}

static void resample_dot(const float *in, const int32_t *place, int32_t origin, const float *weights, size_t stride,
                         int period, int phase, int taps, float *out, int count) {
    enum { BLOCK = 64 };
    static const int32_t masks[8] = {0, 0, 0, 0, -1, -1, -1, -1};
    /* The last four taps overlap those before; the mask leaves out what has been added already. */
    int wide = 2 * taps >= 3 * LANES ? taps / LANES * LANES : 0, last = taps - 4;
    four_bits mask;
    memcpy(&mask, masks + (taps % 4 ? taps % 4 : 4), sizeof mask);
    for (int x = 0; x < count; x += BLOCK) {
        int n = count - x < BLOCK ? count - x : BLOCK;
        float parts[4 * BLOCK];
        for (int i = 0; i < n; i++) {
            const float *w = weights + (size_t)phase * stride, *from = in + (place[x + i] - origin);
            phase = phase + 1 < period ? phase + 1 : 0;
            if (taps < 4) {
                float sum = w[0] * from[0];
                for (int k = 1; k < taps; k++)
                    sum += w[k] * from[k];
                memcpy(parts + 4 * i, &(four){sum}, sizeof(four));
                continue;
            }
            four sum = wide > 0 ? multiply_vectors(w, from, wide) : (four){0};
            for (int k = wide; k < last; k += 4)
                sum += load_four(w + k) * load_four(from + k);
            if (wide < taps)
                sum += (four)((four_bits)load_four(w + last) & mask) * load_four(from + last);
            memcpy(parts + 4 * i, &sum, sizeof sum);
        }
        VECTOR_LOOP
        for (int i = 0; i < n; i++)
            out[x + i] = (parts[4 * i] + parts[4 * i + 1]) + (parts[4 * i + 2] + parts[4 * i + 3]);
    }
}

/* ---- growing: a block of outputs has the same inputs, so these need not be gathered */

static void resample_grow(const float *in, const float *weights, size_t stride, int period, int phase, int taps,
                          float *out, int count) {
    for (int x = 0; x < count; in++) {
        int end = count - x < period - phase ? count - x + phase : period;
        for (int p = phase; p < end; p += WEFT_GROW_BLOCK) {
            float sum[WEFT_GROW_BLOCK] = {0};
            for (int k = 0; k < taps; k++) {
                const float *w = weights + (size_t)k * stride + p, v = in[k];
                VECTOR_LOOP
                for (int i = 0; i < WEFT_GROW_BLOCK; i++)
                    sum[i] += w[i] * v;
            }
            if (end - p >= WEFT_GROW_BLOCK) {
                VECTOR_LOOP
                for (int i = 0; i < WEFT_GROW_BLOCK; i++)
                    out[x + i] = sum[i];
                x += WEFT_GROW_BLOCK;
            } else {
                for (int i = 0; i < end - p; i++)
                    out[x + i] = sum[i];
                x += end - p;
            }
        }
        phase = 0;
    }
}

/* ---- every n-th element */

/* With n a constant the compilers make shuffles of the strided accesses. */
INLINE void take_apart_by(const float *in, int n, float *const *planes, int groups) {
    for (int k = 0; k < n; k++) {
        float *out = planes[k];
        VECTOR_LOOP
        for (int x = 0; x < groups; x++)
            out[x] = in[x * n + k];
    }
}

INLINE void put_together_by(const float *const *planes, int n, float *out, int groups) {
    if (n > 8) { /* too many for one loop to have pointers to */
        for (int x = 0; x < groups; x++, out += n)
            for (int k = 0; k < n; k++)
                out[k] = planes[k][x];
        return;
    }
    const float *p[8];
    for (int k = 0; k < n; k++)
        p[k] = planes[k];
    VECTOR_LOOP
    for (int x = 0; x < groups; x++)
        for (int k = 0; k < n; k++)
            out[x * n + k] = p[k][x];
}

#define BY_CONSTANT(FUNCTION)                                                                                          \
    switch (n) {                                                                                                       \
    case 2: FUNCTION(2) break;                                                                                         \
    case 3: FUNCTION(3) break;                                                                                         \
    case 4: FUNCTION(4) break;                                                                                         \
    case 5: FUNCTION(5) break;                                                                                         \
    case 6: FUNCTION(6) break;                                                                                         \
    case 7: FUNCTION(7) break;                                                                                         \
    case 8: FUNCTION(8) break;                                                                                         \
    default: FUNCTION(n) break;                                                                                        \
    }

static void take_apart(const float *in, int n, float *const *planes, int count) {
    int groups = count / n;
#define TAKE(constant) take_apart_by(in, constant, planes, groups);
    BY_CONSTANT(TAKE)
#undef TAKE
    for (int i = groups * n; i < count; i++)
        planes[i - groups * n][groups] = in[i];
}

static void put_together(const float *const *planes, int n, float *out, int count) {
    int groups = count / n;
#define PUT(constant) put_together_by(planes, constant, out, groups);
    BY_CONSTANT(PUT)
#undef PUT
    for (int i = groups * n; i < count; i++)
        out[i] = planes[i - groups * n][groups];
}

/* ---- rows into sums */

static void spread_row(const float *in, const float *weights, float *const *sums, int rows, int count) {
    int k = 0;
    for (; k + 4 <= rows; k += 4) {
        float *s0 = sums[k], *s1 = sums[k + 1], *s2 = sums[k + 2], *s3 = sums[k + 3];
        const float w0 = weights[k], w1 = weights[k + 1], w2 = weights[k + 2], w3 = weights[k + 3];
        VECTOR_LOOP
        for (int x = 0; x < count; x++) {
            const float v = in[x];
            s0[x] += w0 * v;
            s1[x] += w1 * v;
            s2[x] += w2 * v;
            s3[x] += w3 * v;
        }
    }
    for (; k < rows; k++) {
        float *s = sums[k];
        const float w = weights[k];
        VECTOR_LOOP
        for (int x = 0; x < count; x++)
            s[x] += w * in[x];
    }
}

void KERNEL(weft_fill_resample)(struct weft_kernels *kernels);
void KERNEL(weft_fill_resample)(struct weft_kernels *kernels) {
    kernels->move_indexed[WEFT_ROW_F32] = move_indexed_f32;
    kernels->move_indexed[WEFT_ROW_U8] = move_indexed_u8;
    kernels->move_indexed[WEFT_ROW_U16] = move_indexed_u16;
    kernels->resample_gather = resample_gather;
    kernels->resample_dot = resample_dot;
    kernels->resample_grow = resample_grow;
    kernels->take_apart = take_apart;
    kernels->put_together = put_together;
    kernels->spread_row = spread_row;
}
