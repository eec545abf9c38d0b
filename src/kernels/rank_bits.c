/* SPDX-License-Identifier: MIT
 * Medians by bits, of 8 pixels in every byte of a vector. A row becomes planes, one for each bit of its values; the
 * median's bits are then found from the highest down (Danielsson 1981; Ataman, Aatre and Wong 1980): its next bit is
 * set if more than half of the window have it set or are known to be larger. Those that differ from the median in a
 * higher bit are no candidates any more. The counts are planes of bits too, added to by full adders.
 *
 * A byte of a plane holds the same bit of 8 pixels `segment` elements apart, so a neighbor is an unaligned load away. */
#include <string.h>
#include "kernels/isa.h"
#include "kernels/kernels.h"
#include "kernels/rank.h"
#include "kernels/rank_key.h"
#include "kernels/vector.h"

#define INLINE static inline __attribute__((always_inline))

typedef uint64_t bits __attribute__((vector_size(VECTOR_BYTES)));

INLINE bits bits_load(const void *from) {
    bits b;
    memcpy(&b, from, sizeof b);
    return b;
}
INLINE void bits_store(void *to, bits b) { memcpy(to, &b, sizeof b); }

/* Bit b of every byte of v[j] for bit j of every byte of v[b]. */
INLINE void exchange(bits *a, bits *b, int shift, uint64_t mask) {
    bits differ = ((*a >> shift) ^ *b) & ((bits){0} + mask);
    *b ^= differ;
    *a ^= differ << shift;
}
INLINE void transpose_bits(bits v[8]) {
    for (int j = 0; j < 4; j++)
        exchange(&v[j], &v[j + 4], 4, UINT64_C(0x0f0f0f0f0f0f0f0f));
    for (int j = 0; j < 8; j += 4)
        exchange(&v[j], &v[j + 2], 2, UINT64_C(0x3333333333333333)), exchange(&v[j + 1], &v[j + 3], 2,
                                                                              UINT64_C(0x3333333333333333));
    for (int j = 0; j < 8; j += 2)
        exchange(&v[j], &v[j + 1], 1, UINT64_C(0x5555555555555555));
}

/* The sum and the carry of three bits. */
INLINE bits add_bits(bits *sum, bits b, bits c) {
    bits a = *sum, differ = a ^ b;
    *sum = differ ^ c;
    return a ^ (differ & (a ^ c));
}

static void slice(const unsigned char *bytes, int64_t segment, int64_t span, unsigned char *planes, int64_t stride) {
    for (int64_t p = 0; p < span; p += (int64_t)sizeof(bits)) {
        bits v[8];
        for (int j = 0; j < 8; j++)
            v[j] = bits_load(bytes + j * segment + p);
        transpose_bits(v);
        for (int b = 0; b < 8; b++)
            bits_store(planes + (7 - b) * stride + p, v[b]);
    }
}

/* ---- one bit of the median */

/* What is known before: nothing, so that all are candidates; one bit; or several, so that there is a list. */
enum known { NOTHING, ONE_BIT, LIST };

struct count {
    bits plane[WEFT_RANK_COUNT_BITS]; /* of those that are larger, plus what makes the top plane the answer */
    int top;
};

/* Whether one of the window is a candidate and has the bit set. */
INLINE bits ask(const unsigned char *from, ptrdiff_t stride, bits median, bits *candidate, enum known known) {
    bits now = bits_load(from);
    if (known == NOTHING)
        return now;
    bits differ = bits_load(from - stride) ^ median, same = known == LIST ? *candidate & ~differ : ~differ;
    *candidate = same;
    return same & now;
}

/* to = plane + carry, from a plane of the count on. */
INLINE void carry_up(const bits *plane, bits *to, int from, int top, bits carry) {
    for (int i = from; i <= top; i++) {
        bits both = plane[i] & carry;
        to[i] = plane[i] ^ carry;
        carry = both;
    }
}

/* Takes the values in by 16, whose carries go up together. A window has one more than a multiple of 8. */
INLINE bits next_bit(const struct weft_rank_bits *b, int64_t at, bits median, bits *candidates, struct count *count,
                     enum known known) {
    const unsigned char *planes = b->planes + at;
    const ptrdiff_t *places = b->places, stride = b->stride;
    const int32_t last = b->window - 1;
    const int top = count->top;
    bits more[WEFT_RANK_COUNT_BITS], odd = (bits){0};
    carry_up(count->plane, more, 0, top, ask(planes + places[last], stride, median, candidates + last, known));
    bits ones = more[0], twos = more[1], fours = more[2], eights = more[3];
#define ASK(i) ask(planes + places[e + (i)], stride, median, candidates + e + (i), known)
    for (int32_t e = 0; e < last; e += 8) {
        bits a = ASK(0), b1 = add_bits(&ones, a, ASK(1)), c = ASK(2), d = add_bits(&ones, c, ASK(3));
        bits four = add_bits(&twos, b1, d);
        a = ASK(4), b1 = add_bits(&ones, a, ASK(5)), c = ASK(6), d = add_bits(&ones, c, ASK(7));
        bits eight = add_bits(&fours, four, add_bits(&twos, b1, d));
        if (e & 8)
            carry_up(more, more, 4, top, add_bits(&eights, odd, eight));
        odd = e & 8 ? (bits){0} : eight;
    }
#undef ASK
    carry_up(more, more, 4, top, add_bits(&eights, odd, (bits){0}));
    more[0] = ones, more[1] = twos, more[2] = fours, more[3] = eights;
    median = more[top];
    for (int i = 0; i <= top; i++) /* where the bit is set, those that have it are not larger for that */
        count->plane[i] = more[i] ^ (median & (more[i] ^ count->plane[i]));
    return median;
}

/* The count begins so that its top plane is set from half of the window on. */
static void begin_count(const struct weft_rank_bits *b, struct count *count) {
    int32_t half = (b->window + 1) / 2;
    count->top = 3;
    while (INT32_C(1) << count->top < half)
        count->top++;
    for (int i = 0; i <= count->top; i++)
        count->plane[i] = (bits){0} - (uint64_t)((((INT32_C(1) << count->top) - half) >> i) & 1);
}

static void select_bits(const void *window) {
    const struct weft_rank_bits *b = window;
    const int64_t wide = (int64_t)sizeof(bits);
    bits *candidates = b->candidates;
    for (int64_t p = 0; p < b->segment; p += wide) {
        struct count count;
        bits median = (bits){0};
        begin_count(b, &count);
        for (int32_t k = 0; k < b->depth; k++) {
            bits v[8];
            for (int i = 0; i < 8; i++) {
                int64_t at = p + (8 * k + i) * b->stride;
                int32_t before = 8 * k + i;
                median = before == 0   ? next_bit(b, at, median, candidates, &count, NOTHING)
                         : before == 1 ? next_bit(b, at, median, candidates, &count, ONE_BIT)
                                       : next_bit(b, at, median, candidates, &count, LIST);
                v[7 - i] = median;
            }
            transpose_bits(v);
            for (int j = 0; j < 8; j++) {
                int64_t x = j * b->segment + p, end = (j + 1) * b->segment < b->count ? (j + 1) * b->segment : b->count;
                if (end - x >= wide)
                    bits_store(b->out[k] + x, v[j]);
                else if (x < end)
                    memcpy(b->out[k] + x, &v[j], (size_t)(end - x));
            }
        }
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
