/* SPDX-License-Identifier: MIT
 * Medians by bits, of 8 pixels in every byte of a vector. A row becomes planes, one for each bit of its values; the
 * median's bits are then found from the highest down (Danielsson 1981; Ataman, Aatre and Wong 1980): its next bit is
 * set if more than half of the window have it set or are known to be larger. Those that differ from the median in a
 * higher bit are no candidates any more. The counts are planes of bits too, added to by full adders.
 *
 * A byte of a plane holds the same bit of 8 pixels `segment` elements apart, so a neighbor is an unaligned load away. */
#include <string.h>
#include "kernels/cpu/isa/isa.h"
#include "kernels/cpu/kernels.h"
#include "kernels/cpu/rank/rank.h"
#include "kernels/cpu/rank/rank_key.h"
#include "kernels/cpu/isa/vector.h"

#define INLINE static inline __attribute__((always_inline))

/* What is known of the median so far: nothing, so that all values are candidates; one bit; or several bits, and a list of
 * candidates. */
enum known { NOTHING, ONE_BIT, LIST };

/* Vectors of two widths, one above the other: half of one is enough where that many pixels are left. */
#define WIDE(name) name##_wide
#define BITS WIDE
#define BITS_BYTES VECTOR_BYTES
#include "kernels/cpu/rank/rank_bits_width.h"
#undef BITS
#undef BITS_BYTES
#if VECTOR_BYTES == 64
#define HALF(name) name##_half
#define BITS HALF
#define BITS_BYTES (VECTOR_BYTES / 2)
#include "kernels/cpu/rank/rank_bits_width.h"
#endif

static void slice(const unsigned char *bytes, int64_t segment, int64_t span, unsigned char *planes, int64_t stride) {
    for (int64_t p = 0; p < span; p += (int64_t)sizeof(WIDE(bits))) {
        WIDE(bits) v[8];
        for (int j = 0; j < 8; j++)
            v[j] = WIDE(bits_load)(bytes + j * segment + p);
        WIDE(transpose_bits)(v);
        for (int b = 0; b < 8; b++)
            WIDE(bits_store)(planes + (7 - b) * stride + p, v[b]);
    }
}

static void select_bits(const void *window) {
    const struct weft_rank_bits *b = window;
    for (int64_t p = 0; p < b->segment; p += VECTOR_BYTES) {
#ifdef HALF
        if (b->segment - p <= VECTOR_BYTES / 2) {
            HALF(select_at)(b, p);
            break;
        }
#endif
        WIDE(select_at)(b, p);
    }
}

/* ---- values as bytes, the highest first, and back */

#define BYTES(name, T, SIZE, TO_KEY, FROM_KEY)                                                                         \
    static void bytes_##name(const void *row, unsigned char *const *bytes, int64_t count) {                            \
        const T *in = row;                                                                                             \
        for (int k = 0; k < SIZE; k++) {                                                                               \
            unsigned char *out = bytes[k];                                                                             \
            const int shift = 8 * (SIZE - 1 - k);                                                                      \
            VECTOR_LOOP                                                                                                \
            for (int64_t x = 0; x < count; x++)                                                                        \
                out[x] = (unsigned char)((uint32_t)TO_KEY(in[x]) >> shift);                                            \
        }                                                                                                              \
    }                                                                                                                  \
    static void values_##name(const unsigned char *const *bytes, void *row, int64_t count) {                           \
        const unsigned char *a = bytes[0], *b = bytes[SIZE > 1 ? 1 : 0], *c = bytes[SIZE > 2 ? 2 : 0],                 \
                            *d = bytes[SIZE > 2 ? 3 : 0];                                                              \
        T *out = row;                                                                                                  \
        VECTOR_LOOP                                                                                                    \
        for (int64_t x = 0; x < count; x++) {                                                                          \
            const uint32_t high = (uint32_t)a[x] << 8 | b[x];                                                          \
            out[x] = FROM_KEY(SIZE > 2 ? high << 16 | (uint32_t)c[x] << 8 | d[x] : high);                              \
        }                                                                                                              \
    }
#define U16_VALUE(v) (uint16_t)(v)
#define F32_KEY(v) ((uint32_t)rank_key(v) ^ UINT32_C(0x80000000))
#define F32_VALUE(v) rank_value((int32_t)((v) ^ UINT32_C(0x80000000)))
BYTES(u16, uint16_t, 2, (uint32_t), U16_VALUE)
BYTES(f32, float, 4, F32_KEY, F32_VALUE)

void KERNEL(weft_fill_rank_bits)(struct weft_kernels *kernels);
void KERNEL(weft_fill_rank_bits)(struct weft_kernels *kernels) {
    /* Where histograms and blocks become faster, by measurement. */
    kernels->rank_bits_radius[WEFT_ROW_U8] = VECTOR_BYTES == 64 ? 11 : VECTOR_BYTES == 32 ? 10 : 7;
    kernels->rank_bits_radius[WEFT_ROW_U16] = VECTOR_BYTES == 64 ? 15 : VECTOR_BYTES == 32 ? 14 : 10;
    kernels->rank_bits_radius[WEFT_ROW_F32] = VECTOR_BYTES == 64 ? 10 : VECTOR_BYTES == 32 ? 9 : 6;
    kernels->rank_slice = slice;
    kernels->rank_select = select_bits;
    kernels->rank_bytes[WEFT_ROW_U16] = bytes_u16, kernels->rank_values[WEFT_ROW_U16] = values_u16;
    kernels->rank_bytes[WEFT_ROW_F32] = bytes_f32, kernels->rank_values[WEFT_ROW_F32] = values_f32;
}
