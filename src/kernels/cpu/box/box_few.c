/* SPDX-License-Identifier: MIT
 * Means along a row over few columns whose sums fit 16 bits: every sum by itself, divided by a multiplication. In the plain loop
 * compilers do not use the 16-bit multiplication that keeps the high half; with its intrinsic box=1 on u8x1 at 3840x2160, one
 * thread, is about 1.4 times as fast. And the same for u16, whose sums are exact as f32. */
#include "kernels/cpu/isa/fixed.h"
#include "kernels/cpu/isa/isa.h"
#include "kernels/cpu/kernels.h"
#include "kernels/rows.h"
#if defined(__AVX512BW__)
#include "kernels/cpu/box/box_few_avx512.h"
#endif

#define INLINE static inline __attribute__((always_inline))

/* With the window a constant the sum is unrolled. */
INLINE void few(const uint16_t *line, int window, ptrdiff_t stride, uint16_t add, uint16_t factor, int shift,
                uint8_t *out, int64_t count) {
    int64_t x = 0;
#ifdef FIXED_LANES
    const fixed begin = fixed_all((int16_t)add), by = fixed_all((int16_t)factor), middle = fixed_all(-128);
#ifdef BOX_FEW_READ
    if (window >= BOX_FEW_LEAST && stride <= 4 && count + (window - 1) * stride >= BOX_FEW_READ) {
        struct box_blocks blocks;
        box_few_begin(&blocks, (const int16_t *)line, (int)stride);
        for (;;) {
            fixed sum = fixed_add(begin, box_few_sums(&blocks, window, (int)stride));
            fixed_store_u8(out + x, fixed_add(fixed_shift_unsigned(fixed_multiply_high(sum, by), shift), middle));
            x += FIXED_LANES;
            if (x + BOX_FEW_READ > count + (window - 1) * stride)
                break;
            box_few_go_on(&blocks, (const int16_t *)line + x, (int)stride);
        }
    }
#endif
    while (x < count && count >= FIXED_LANES) {
        fixed sum = begin;
        for (int k = 0; k < window; k++)
            sum = fixed_add(sum, fixed_load((const int16_t *)line + x + k * stride));
        fixed_store_u8(out + x, fixed_add(fixed_shift_unsigned(fixed_multiply_high(sum, by), shift), middle));
        x += FIXED_LANES;
        if (x < count && x > count - FIXED_LANES) /* the last block overlaps the one before */
            x = count - FIXED_LANES;
    }
#endif
    for (; x < count; x++) {
        uint32_t sum = add;
        for (int k = 0; k < window; k++)
            sum += line[x + k * stride];
        out[x] = (uint8_t)(sum * factor >> 16 >> shift);
    }
}

#ifdef BOX_FEW_READ
/* With constants the shuffles are known at compile time. */
INLINE void many(const uint16_t *line, int window, int stride, uint16_t add, uint16_t factor, int shift, uint8_t *out,
                 int64_t count) {
#define WITH(w, s)                                                                                                     \
    if (window == (w) && stride == (s)) {                                                                              \
        few(line, w, s, add, factor, shift, out, count);                                                               \
        return;                                                                                                        \
    }
    WITH(5, 1) WITH(5, 3) WITH(5, 4) WITH(7, 1) WITH(7, 3) WITH(7, 4)
    WITH(9, 1) WITH(9, 3) WITH(9, 4) WITH(11, 1) WITH(11, 3) WITH(11, 4)
    WITH(13, 1) WITH(13, 3) WITH(13, 4) WITH(15, 1) WITH(15, 3) WITH(15, 4)
#undef WITH
    few(line, window, stride, add, factor, shift, out, count);
}
#else
INLINE void many(const uint16_t *line, int window, int stride, uint16_t add, uint16_t factor, int shift, uint8_t *out,
                 int64_t count) {
    if (window == 5)
        few(line, 5, stride, add, factor, shift, out, count);
    else if (window == 7)
        few(line, 7, stride, add, factor, shift, out, count);
    else
        few(line, window, stride, add, factor, shift, out, count);
}
#endif

static void line_few(const uint16_t *line, int64_t window, int stride, uint16_t add, uint16_t factor, int shift,
                     uint8_t *out, int64_t count) {
    if (window == 3)
        few(line, 3, stride, add, factor, shift, out, count);
    else
        many(line, (int)window, stride, add, factor, shift, out, count);
}

/* For u16 and windows of up to 5 columns, a sum for each pixel takes fewer instructions than a running sum, and quotients in
 * single precision are exact. */
INLINE void few_u16(const uint32_t *line, int window, ptrdiff_t stride, float add, float scale, uint16_t *out,
                    int64_t count) {
    VECTOR_LOOP
    for (int64_t x = 0; x < count; x++) {
        uint32_t sum = line[x];
        for (int k = 1; k < window; k++)
            sum += line[x + k * stride];
        out[x] = (uint16_t)(int32_t)(((float)(int32_t)sum + add) * scale);
    }
}

static void line_few_u16(const uint32_t *line, int64_t window, int stride, float add, float scale, uint16_t *out,
                         int64_t count) {
    switch (window) {
    case 1:
        few_u16(line, 1, stride, add, scale, out, count);
        break;
    case 3:
        few_u16(line, 3, stride, add, scale, out, count);
        break;
    default:
        few_u16(line, 5, stride, add, scale, out, count);
        break;
    }
}

void KERNEL(weft_fill_box_few)(struct weft_kernels *kernels);
void KERNEL(weft_fill_box_few)(struct weft_kernels *kernels) {
    kernels->box_line_few = line_few;
    kernels->box_line_few_u16 = line_few_u16;
}
