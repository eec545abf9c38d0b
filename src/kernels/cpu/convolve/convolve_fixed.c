/* SPDX-License-Identifier: MIT
 * Convolution of rows of u8 with symmetric weights in fixed point: products of 16 bits, sums of 32, which are exact.
 * Between the two directions a row is 16 bits wide, 128 steps being 0 so that the sum of two pixels fits.
 *
 * The blocks keep the sums of two vectors in registers; narrower rows take the plain loops. From these gcc 12 makes code that takes
 * more than ten times as long (gaussian on u8x1 at 3840x2160, x86-64-v4, one thread), and rows of f32 take three times as long; so
 * where the instruction set has no such vectors, rows of f32 are used. */
#include <math.h>
#include "kernels/cpu/isa/fixed.h"
#include "kernels/cpu/isa/isa.h"
#include "kernels/cpu/kernels.h"
#include "kernels/cpu/isa/vector.h"

#define INLINE FIXED_INLINE

#ifdef FIXED_LANES
#define STEP (2 * FIXED_LANES)

/* CENTER(i) is vector i of the middle, PAIR(i, k) the sum of the two that are k away from it. */
#define BLOCK(CENTER, PAIR, STORE)                                                                                     \
    {                                                                                                                  \
        fixed start = fixed_all_32(fixed_->start), w = fixed_all_32(fixed_two(fixed_->weight, 0));                     \
        struct fixed_sums s = {{start, start}, {start, start}};                                                        \
        fixed_add_products(&s, 0, CENTER(0), radius > 0 ? PAIR(0, 1) : fixed_zero(), w);                               \
        fixed_add_products(&s, 1, CENTER(1), radius > 0 ? PAIR(1, 1) : fixed_zero(), w);                               \
        int k = 2;                                                                                                     \
        for (; k < radius; k += 2) {                                                                                   \
            w = fixed_all_32(fixed_two(fixed_->weight, k));                                                            \
            fixed_add_products(&s, 0, PAIR(0, k), PAIR(0, k + 1), w);                                                  \
            fixed_add_products(&s, 1, PAIR(1, k), PAIR(1, k + 1), w);                                                  \
        }                                                                                                              \
        if (k == radius) {                                                                                             \
            w = fixed_all_32(fixed_two(fixed_->weight, k));                                                            \
            fixed_add_products(&s, 0, PAIR(0, k), fixed_zero(), w);                                                    \
            fixed_add_products(&s, 1, PAIR(1, k), fixed_zero(), w);                                                    \
        }                                                                                                              \
        STORE(out + x, fixed_finish(&s, 0, fixed_->shift));                                                            \
        STORE(out + x + FIXED_LANES, fixed_finish(&s, 1, fixed_->shift));                                              \
    }
/* All blocks of a row, the last of which overlaps the one before. */
#define BLOCKS(CENTER, PAIR, STORE)                                                                                    \
    for (; x + STEP <= count; x += STEP)                                                                               \
        BLOCK(CENTER, PAIR, STORE)                                                                                     \
    if (x < count && count >= STEP) {                                                                                  \
        x = count - STEP;                                                                                              \
        BLOCK(CENTER, PAIR, STORE)                                                                                     \
        x = count;                                                                                                     \
    }
#else
#define BLOCKS(CENTER, PAIR, STORE)
#endif

INLINE void rows_by(const uint8_t *const *rows, const struct weft_fixed_weights *fixed_, int radius, int16_t *out,
                    int count) {
    int x = 0;
#define ROW(i, n) fixed_load_u8(rows[n] + x + (i)*FIXED_LANES)
#define CENTER(i) ROW(i, radius)
#define PAIR(i, k) fixed_add(ROW(i, radius - (k)), ROW(i, radius + (k)))
/* The last row is read for the first time. */
#define STORE(to, v) (prefetch(rows[2 * radius] + x), fixed_store(to, v))
    BLOCKS(CENTER, PAIR, STORE)
#undef STORE
#undef ROW
#undef CENTER
#undef PAIR
    for (; x < count; x++) {
        int32_t sum = fixed_->start + fixed_->weight[0] * rows[radius][x];
        for (int k = 1; k <= radius; k++)
            sum += fixed_->weight[k] * (rows[radius - k][x] + rows[radius + k][x]);
        out[x] = fixed_limit_s16(sum >> fixed_->shift);
    }
}

INLINE void row_by(const int16_t *in, const struct weft_fixed_weights *fixed_, int radius, int stride, uint8_t *out,
                   int count) {
    int x = 0;
#define AT(i, n) fixed_load(in + x + (i)*FIXED_LANES + (ptrdiff_t)(n)*stride)
#define CENTER(i) AT(i, 0)
#define PAIR(i, k) fixed_add(AT(i, -(k)), AT(i, k))
    BLOCKS(CENTER, PAIR, fixed_store_u8)
#undef AT
#undef CENTER
#undef PAIR
    for (; x < count; x++) {
        int32_t sum = fixed_->start + fixed_->weight[0] * in[x];
        for (int k = 1; k <= radius; k++)
            sum += fixed_->weight[k] * (in[x - k * stride] + in[x + k * stride]);
        out[x] = fixed_limit_u8(sum >> fixed_->shift);
    }
}

/* With a small radius a constant, the loops over the taps are unrolled. */
#define BY_RADIUS(FUNCTION, ...)                                                                                       \
    switch (weights->radius) {                                                                                         \
    case 1:                                                                                                            \
        FUNCTION(__VA_ARGS__, 1);                                                                                      \
        break;                                                                                                         \
    case 2:                                                                                                            \
        FUNCTION(__VA_ARGS__, 2);                                                                                      \
        break;                                                                                                         \
    case 3:                                                                                                            \
        FUNCTION(__VA_ARGS__, 3);                                                                                      \
        break;                                                                                                         \
    case 4:                                                                                                            \
        FUNCTION(__VA_ARGS__, 4);                                                                                      \
        break;                                                                                                         \
    default:                                                                                                           \
        FUNCTION(__VA_ARGS__, weights->radius);                                                                        \
        break;                                                                                                         \
    }

static void rows_fixed(const uint8_t *const *rows, const struct weft_fixed_weights *weights, int16_t *out, int count) {
#define ROWS(rows, weights, out, count, radius) rows_by(rows, weights, radius, out, count)
    BY_RADIUS(ROWS, rows, weights, out, count)
#undef ROWS
}

static void row_fixed(const int16_t *in, const struct weft_fixed_weights *weights, int stride, uint8_t *out,
                      int count) {
#define ROW(in, weights, stride, out, count, radius) row_by(in, weights, radius, stride, out, count)
    BY_RADIUS(ROW, in, weights, stride, out, count)
#undef ROW
}

/* Bytes as they are, u16 minus 32768. */
#define NUMBER_u8(v) (v)
#define RESULT_u8(v) fixed_limit_u8(v)
#define NUMBER_u16(v) ((v) + INT16_MIN)
#define RESULT_u16(v) (uint16_t)(fixed_limit_s16(v) - INT16_MIN)
#ifdef FIXED_LANES
#define load_u8 fixed_load_u8
#define store_u8 fixed_store_u8
INLINE fixed load_u16(const uint16_t *from) { return fixed_add(fixed_load((const void *)from), fixed_all(INT16_MIN)); }
INLINE void store_u16(uint16_t *to, fixed v) { fixed_store((void *)to, fixed_add(v, fixed_all(INT16_MIN))); }

/* All blocks of a row, the last of which overlaps the one before. */
#define TAPS_BLOCKS(T, type)                                                                                           \
    while (x < count && count >= STEP) {                                                                               \
        fixed start = fixed_all_32(begin);                                                                             \
        struct fixed_sums s = {{start, start}, {start, start}};                                                        \
        for (int i = 0; i < (int)sizeof(T); i++)                                                                       \
            prefetch(taps[count_of_taps - 1] + x + i * FIXED_LANES);                                                   \
        for (int k = 0; k < count_of_taps; k += 2) {                                                                   \
            fixed w = fixed_all_32(fixed_two(weights, k));                                                             \
            const T *a = taps[k] + x, *b = taps[k + 1] + x;                                                            \
            fixed_add_products(&s, 0, load_##type(a), load_##type(b), w);                                              \
            fixed_add_products(&s, 1, load_##type(a + FIXED_LANES), load_##type(b + FIXED_LANES), w);                  \
        }                                                                                                              \
        store_##type(out + x, fixed_finish(&s, 0, shift));                                                             \
        store_##type(out + x + FIXED_LANES, fixed_finish(&s, 1, shift));                                               \
        x += STEP;                                                                                                     \
        if (x < count && x > count - STEP)                                                                             \
            x = count - STEP;                                                                                          \
    }
#else
#define TAPS_BLOCKS(T, type)
#endif
#define TAPS(T, type)                                                                                                  \
    static void taps_fixed_##type(const T *const *taps, const int16_t *weights, int count_of_taps, int32_t begin,      \
                                  int shift, T *out, int count) {                                                      \
        int x = 0;                                                                                                     \
        TAPS_BLOCKS(T, type)                                                                                           \
        for (; x < count; x++) {                                                                                       \
            uint32_t sum = (uint32_t)begin;                                                                            \
            for (int k = 0; k < count_of_taps; k++)                                                                    \
                sum += (uint32_t)(weights[k] * NUMBER_##type(taps[k][x]));                                             \
            out[x] = RESULT_##type((int32_t)sum >> shift);                                                             \
        }                                                                                                              \
    }
TAPS(uint8_t, u8)
TAPS(uint16_t, u16)

#ifdef FIXED_LANES
/* The squares of both sums together fit 32 bits. */
INLINE fixed lengths_of(fixed x, fixed y, float factor) {
    fixed low = fixed_low(x, y), high = fixed_high(x, y);
    return fixed_narrow(fixed_roots(fixed_multiply_add(low, low), factor),
                        fixed_roots(fixed_multiply_add(high, high), factor));
}
#endif

/* Lengths of bytes, two vectors of numbers at a time. Where the loops are unrolled, which terms of a sum are 0 is known at compile
 * time. */
INLINE void byte_lengths_by(const uint8_t *const *taps, const struct weft_fixed_lengths *lengths, int count_of_taps, int x_end,
                            int y_first, uint8_t *out, int count) {
    int i = 0;
#ifdef FIXED_LANES
    while (i < count && count >= STEP) {
        fixed x[2] = {fixed_zero(), fixed_zero()}, y[2] = {fixed_zero(), fixed_zero()};
        prefetch(taps[count_of_taps - 1] + i);
        for (int k = 0; k < count_of_taps; k += 2) {
            fixed a = fixed_load_bytes(taps[k] + i), b = fixed_load_bytes(taps[k + 1] + i);
            fixed low = fixed_low_bytes(a, b), high = fixed_high_bytes(a, b);
            fixed v = fixed_two_bytes(lengths->x + k), w = fixed_two_bytes(lengths->y + k);
            if (k < x_end)
                x[0] = fixed_add(x[0], fixed_multiply_bytes(low, v)), x[1] = fixed_add(x[1], fixed_multiply_bytes(high, v));
            if (k >= y_first)
                y[0] = fixed_add(y[0], fixed_multiply_bytes(low, w)), y[1] = fixed_add(y[1], fixed_multiply_bytes(high, w));
        }
        fixed_store_bytes(out + i, lengths_of(x[0], y[0], lengths->factor), lengths_of(x[1], y[1], lengths->factor));
        i += STEP;
        if (i < count && i > count - STEP)
            i = count - STEP;
    }
#endif
    for (; i < count; i++) {
        int32_t x = 0, y = 0;
        for (int k = 0; k < count_of_taps; k++)
            x += lengths->x[k] * taps[k][i], y += lengths->y[k] * taps[k][i];
        float length = lengths->factor * sqrtf((float)(x * x + y * y));
        out[i] = length < 255.0f ? (uint8_t)(length + 0.5f) : 255;
    }
}

/* Works on 16-bit values minus 32768, one vector at a time, and adds back what that takes from a sum. It uses the instruction for
 * square roots, which runs in parallel with the others; an estimate with a Newton step would compete with them. */
INLINE void u16_lengths_by(const uint16_t *const *taps, const struct weft_fixed_lengths *lengths, int count_of_taps, int x_end,
                            int y_first, uint16_t *out, int count) {
    int i = 0;
#ifdef FIXED_LANES
    int32_t x_two[WEFT_STENCIL_ROWS * WEFT_STENCIL_ROWS / 2 + 2], y_two[WEFT_STENCIL_ROWS * WEFT_STENCIL_ROWS / 2 + 2];
    int32_t x_start = 0, y_start = 0;
    for (int k = 0; k < count_of_taps; k += 2) {
        x_two[k / 2] = fixed_two((const int16_t[]){lengths->x[k], lengths->x[k + 1]}, 0);
        y_two[k / 2] = fixed_two((const int16_t[]){lengths->y[k], lengths->y[k + 1]}, 0);
        x_start += 32768 * (lengths->x[k] + lengths->x[k + 1]), y_start += 32768 * (lengths->y[k] + lengths->y[k + 1]);
    }
    while (i < count && count >= FIXED_LANES) {
        fixed x[2] = {fixed_all_32(x_start), fixed_all_32(x_start)}, y[2] = {fixed_all_32(y_start), fixed_all_32(y_start)};
        prefetch(taps[count_of_taps - 1] + i);
        for (int k = 0; k < count_of_taps; k += 2) {
            fixed a = load_u16(taps[k] + i), b = load_u16(taps[k + 1] + i);
            fixed low = fixed_low(a, b), high = fixed_high(a, b);
            fixed v = fixed_all_32(x_two[k / 2]), w = fixed_all_32(y_two[k / 2]);
            if (k < x_end)
                x[0] = fixed_add_32(x[0], fixed_multiply_add(low, v)), x[1] = fixed_add_32(x[1], fixed_multiply_add(high, v));
            if (k >= y_first)
                y[0] = fixed_add_32(y[0], fixed_multiply_add(low, w)), y[1] = fixed_add_32(y[1], fixed_multiply_add(high, w));
        }
        fixed_store((void *)(out + i), fixed_narrow_unsigned(fixed_lengths(x[0], y[0], lengths->factor),
                                                             fixed_lengths(x[1], y[1], lengths->factor)));
        i += FIXED_LANES;
        if (i < count && i > count - FIXED_LANES)
            i = count - FIXED_LANES;
    }
#endif
    for (; i < count; i++) {
        int32_t x = 0, y = 0;
        for (int k = 0; k < count_of_taps; k++)
            x += lengths->x[k] * taps[k][i], y += lengths->y[k] * taps[k][i];
        float length = lengths->factor * sqrtf((float)x * (float)x + (float)y * (float)y);
        out[i] = length < 65535.0f ? (uint16_t)(length + 0.5f) : 65535;
    }
}

/* Sobel's sums, with loops unrolled, and any other. */
#define BY_SUMS(FUNCTION)                                                                                              \
    if (lengths->taps == 8 && lengths->x_end == 6 && lengths->y_first == 2)                                            \
        FUNCTION(taps, lengths, 8, 6, 2, out, count);                                                                  \
    else                                                                                                               \
        FUNCTION(taps, lengths, lengths->taps, lengths->x_end, lengths->y_first, out, count)

static void lengths_fixed(const uint8_t *const *taps, const struct weft_fixed_lengths *lengths, uint8_t *out, int count) {
    BY_SUMS(byte_lengths_by);
}
static void u16_lengths_fixed(const uint16_t *const *taps, const struct weft_fixed_lengths *lengths, uint16_t *out,
                               int count) {
    BY_SUMS(u16_lengths_by);
}

void KERNEL(weft_fill_convolve_fixed)(struct weft_kernels *kernels);
void KERNEL(weft_fill_convolve_fixed)(struct weft_kernels *kernels) {
    kernels->has_fixed = false;
#ifdef FIXED_LANES
    kernels->has_fixed = true;
#endif
    kernels->weigh_rows_fixed = rows_fixed;
    kernels->convolve_row_fixed = row_fixed;
    kernels->weigh_taps_fixed = taps_fixed_u8;
    kernels->weigh_lengths_fixed = lengths_fixed;
    kernels->weigh_u16_lengths_fixed = u16_lengths_fixed;
    kernels->weigh_u16_taps_fixed = taps_fixed_u16;
}
