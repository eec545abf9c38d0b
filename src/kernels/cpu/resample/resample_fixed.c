/* SPDX-License-Identifier: MIT
 * Resampling of u8 in fixed point: sums of rows with weights of 16 bits, exact in 32. Along y the rows are of u8, and
 * the result has 16 bits, 128 steps being 0; along x they are of 16 bits: every tap of an output is a row of its own,
 * once the pixels that are `advance` apart lie beside one another.
 *
 * Blocks keep the sums of two vectors in registers; narrower rows take the plain loops, for which compilers do not make such
 * products (kernels/cpu/convolve/convolve_fixed.c). */
#include "kernels/cpu/isa/fixed.h"
#include "kernels/cpu/isa/isa.h"
#include "kernels/cpu/kernels.h"
#include "kernels/cpu/isa/split.h"

#define INLINE FIXED_INLINE

#ifdef FIXED_LANES
#define STEP (2 * FIXED_LANES)

/* All blocks of a row, the last of which overlaps the one before. TERM(i, k) is vector i of what weight k is for. */
#define BLOCKS(TERM, STORE)                                                                                            \
    while (x < count && count >= STEP) {                                                                               \
        fixed start = fixed_all_32(sum->start);                                                                        \
        struct fixed_sums s = {{start, start}, {start, start}};                                                        \
        for (int k = 0; k < terms; k += 2) {                                                                           \
            fixed w = fixed_all_32(fixed_two(sum->weights, k));                                                        \
            fixed_add_products(&s, 0, TERM(0, k), TERM(0, k + 1), w);                                                  \
            fixed_add_products(&s, 1, TERM(1, k), TERM(1, k + 1), w);                                                  \
        }                                                                                                              \
        STORE(out + x, fixed_finish(&s, 0, sum->shift));                                                               \
        STORE(out + x + FIXED_LANES, fixed_finish(&s, 1, sum->shift));                                                 \
        x += STEP;                                                                                                     \
        if (x < count && x > count - STEP)                                                                             \
            x = count - STEP;                                                                                          \
    }
#else
#define BLOCKS(TERM, STORE)
#endif

/* With `folded` and a small number of terms constants, the loop over the terms is unrolled. */
#define SUM(name, T, R, LOAD, STORE, LIMIT)                                                                            \
    INLINE void name##_by(const T *const *rows, const struct weft_fixed_sum *sum, bool folded, int terms, R *out,      \
                          int count) {                                                                                 \
        int x = 0, last = sum->taps - 1;                                                                               \
        (void)last;                                                                                                    \
        if (folded) {                                                                                                  \
            BLOCKS(name##_PAIR, STORE)                                                                                 \
        } else {                                                                                                       \
            BLOCKS(name##_ONE, STORE)                                                                                  \
        }                                                                                                              \
        for (; x < count; x++) {                                                                                       \
            int32_t v = sum->start;                                                                                    \
            for (int k = 0; k < terms; k++)                                                                            \
                v += sum->weights[k] * (folded ? rows[k][x] + rows[last - k][x] : rows[k][x]);                         \
            out[x] = LIMIT(v >> sum->shift);                                                                           \
        }                                                                                                              \
    }                                                                                                                  \
    static void name(const T *const *rows, const struct weft_fixed_sum *sum, R *out, int count) {                      \
        int terms = sum->folded ? (sum->taps + 2) / 4 * 2 : sum->taps;                                                 \
        if (sum->folded && terms == 2)                                                                                 \
            name##_by(rows, sum, true, 2, out, count);                                                                 \
        else if (sum->folded && terms == 4)                                                                            \
            name##_by(rows, sum, true, 4, out, count);                                                                 \
        else if (sum->folded && terms == 6)                                                                            \
            name##_by(rows, sum, true, 6, out, count);                                                                 \
        else if (sum->folded)                                                                                          \
            name##_by(rows, sum, true, terms, out, count);                                                             \
        else                                                                                                           \
            name##_by(rows, sum, false, terms, out, count);                                                            \
    }
#define sum_columns_ONE(i, k) fixed_load_u8(rows[k] + x + (i)*FIXED_LANES)
#define sum_columns_PAIR(i, k) fixed_add(sum_columns_ONE(i, k), sum_columns_ONE(i, last - (k)))
#define sum_row_ONE(i, k) fixed_load(rows[k] + x + (i)*FIXED_LANES)
#define sum_row_PAIR(i, k) fixed_add(sum_row_ONE(i, k), sum_row_ONE(i, last - (k)))
SUM(sum_columns, uint8_t, int16_t, fixed_load_u8, fixed_store, fixed_limit_s16)
SUM(sum_row, int16_t, uint8_t, fixed_load, fixed_store_u8, fixed_limit_u8)

/* Every n-th pixel; with n a constant compilers make shuffles of the strided accesses. */
#define TAKE(T)                                                                                                        \
    INLINE void take_##T(const T *in, int n, int16_t *const *rows, int count) {                                        \
        for (int k = 0; k < n; k++) {                                                                                  \
            T *out = (T *)(void *)rows[k];                                                                             \
            VECTOR_LOOP                                                                                                \
            for (int x = 0; x < count; x++)                                                                            \
                out[x] = in[x * n + k];                                                                                \
        }                                                                                                              \
    }
TAKE(split_2)
TAKE(split_4)
TAKE(split_8)
#undef TAKE
#define TAKE(T)                                                                                                        \
    switch (advance) {                                                                                                 \
    case 3:                                                                                                            \
        take_##T((const void *)in, 3, rows, whole);                                                                    \
        break;                                                                                                         \
    case 4:                                                                                                            \
        take_##T((const void *)in, 4, rows, whole);                                                                    \
        break;                                                                                                         \
    default:                                                                                                           \
        take_##T((const void *)in, advance, rows, whole);                                                              \
        break;                                                                                                         \
    }

static void take_u16(const int16_t *in, int channels, int advance, int16_t *const *rows, int pixels) {
    size_t pixel = (size_t)channels * sizeof(int16_t);
    int whole = pixels / advance, done = whole * advance;
    if (advance == 1)
        memcpy(rows[0], in, (size_t)pixels * pixel);
    else if (advance == 2)
        split_pixels(in, pixel, rows[0], rows[1], whole);
    else if (channels == 1)
        TAKE(split_2)
    else if (channels == 2)
        TAKE(split_4)
    else if (channels == 4)
        TAKE(split_8)
    else
        for (int k = 0; k < advance; k++)
            for (int x = 0; x < whole; x++)
                memcpy(rows[k] + 3 * x, in + 3 * (x * advance + k), 3 * sizeof(int16_t));
    for (int i = done; i < pixels; i++)
        memcpy(rows[i % advance] + whole * channels, in + i * channels, pixel);
}

void KERNEL(weft_fill_resample_fixed)(struct weft_kernels *kernels);
void KERNEL(weft_fill_resample_fixed)(struct weft_kernels *kernels) {
    kernels->sum_columns_fixed = sum_columns;
    kernels->sum_row_fixed = sum_row;
    kernels->take_u16 = take_u16;
}
