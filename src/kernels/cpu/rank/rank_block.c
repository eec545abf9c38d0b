/* SPDX-License-Identifier: MIT
 * Medians of any radius and any values, block by block, after Suomela (2014): all pixels that the block's windows see are sorted
 * once; then a pixel is represented by its rank, a bit in a set. When a window moves by one pixel, the bits of the pixels that
 * enter and leave are flipped; the median is the bit with half of the set bits below it, and it is never far from the previous
 * median. */
#include <string.h>
#ifdef __BMI2__
#include <immintrin.h>
#endif
#include "kernels/cpu/isa/isa.h"
#include "kernels/cpu/kernels.h"
#include "kernels/cpu/rank/rank.h"
#include "kernels/cpu/rank/rank_key.h"

/* A pixel of the region while it is sorted: key in the upper half, place in the lower. */
typedef uint64_t pair;

/* The pieces of block->memory. `ranks` is by columns of the region; a pixel that does not count has the rank `size`. */
struct work {
    const struct weft_rank_block *block;
    pair *pairs, *spare;
    uint64_t *bits;
    void *ranks;
    uint32_t *counts;
    int64_t rows, columns, size; /* of the region */
    int64_t word, below;         /* the median's word of bits, and the number of bits in the words below it */
};

#define DIGIT 11
#define DIGITS (1 << DIGIT)

/* Sorts pairs by key, from the lowest digit upwards; the order ends up in pairs. */
static void sort(struct work *w, int64_t count, int key_bits) {
    uint32_t *counts = w->counts;
    int passes = (key_bits + DIGIT - 1) / DIGIT;
    memset(counts, 0, (size_t)passes * DIGITS * sizeof *counts);
    for (int64_t i = 0; i < count; i++)
        for (int pass = 0; pass < passes; pass++)
            counts[pass * DIGITS + (int)(w->pairs[i] >> (32 + pass * DIGIT) & (DIGITS - 1))]++;
    for (int pass = 0; pass < passes; pass++) {
        uint32_t *next = counts + pass * DIGITS, total = 0;
        int shift = 32 + pass * DIGIT;
        for (int i = 0; i < DIGITS; i++) {
            uint32_t here = next[i];
            next[i] = total;
            total += here;
        }
        for (int64_t i = 0; i < count; i++)
            w->spare[next[w->pairs[i] >> shift & (DIGITS - 1)]++] = w->pairs[i];
        pair *other = w->pairs;
        w->pairs = w->spare, w->spare = other;
    }
}

/* The key of the median, given how many bits are below it. */
static inline uint32_t find(struct work *w, int64_t place) {
    while (w->below > place)
        w->below -= __builtin_popcountll(w->bits[--w->word]);
    for (int64_t here; w->below + (here = __builtin_popcountll(w->bits[w->word])) <= place; w->word++)
        w->below += here;
    uint64_t bits = w->bits[w->word];
#ifdef __BMI2__ /* takes a third of the whole time less than a loop, whose length cannot be predicted */
    bits = _pdep_u64(UINT64_C(1) << (place - w->below), bits);
#else
    for (int64_t skip = place - w->below; skip > 0; skip--)
        bits &= bits - 1;
#endif
    return (uint32_t)(w->pairs[64 * w->word + __builtin_ctzll(bits)] >> 32);
}

#define RANK uint16_t
#define NAME(x) x##_u16
#include "kernels/cpu/rank/rank_block_type.h"
#define RANK uint32_t
#define NAME(x) x##_u32
#include "kernels/cpu/rank/rank_block_type.h"

static struct work begin(const struct weft_rank_block *block) {
    struct work w = {
        .block = block, .columns = block->width + 2 * block->radius, .rows = block->height + 2 * block->radius};
    w.size = w.rows * w.columns;
    w.pairs = block->memory;
    w.spare = w.pairs + w.size;
    w.bits = w.spare + w.size;
    w.counts = (uint32_t *)(void *)(w.bits + w.size / 64 + 3);
    w.ranks = w.counts + 3 * DIGITS;
    return w;
}

/* Gathers the pixels that count, sorts them and slides the windows. */
#define BLOCK(type, T, TO_KEY, FROM_KEY, KEY_BITS)                                                                     \
    static void put_##type(void *out, uint32_t key) { *(T *)out = FROM_KEY(key); }                                     \
    static void block_##type(const void *call) {                                                                       \
        const struct weft_rank_block *block = call;                                                                    \
        struct work w = begin(block);                                                                                  \
        int64_t count = 0;                                                                                             \
        const T *outside = block->outside;                                                                             \
        for (int64_t i = 0; i < w.columns; i++) {                                                                      \
            int64_t from = block->map[i];                                                                              \
            for (int64_t j = 0; j < w.rows; j++) {                                                                     \
                const T *row = block->rows[j], *in = from < 0 || !row ? outside : row + from;                          \
                if (in)                                                                                                \
                    w.pairs[count++] = (uint64_t)TO_KEY(*in) << 32 | (uint64_t)(i * w.rows + j);                       \
            }                                                                                                          \
        }                                                                                                              \
        sort(&w, count, KEY_BITS);                                                                                     \
        (w.size < 65536 ? slide_u16 : slide_u32)(&w, count, put_##type, sizeof(T));                                    \
    }
#define F32_TO_KEY(v) ((uint32_t)rank_key(v) ^ UINT32_C(0x80000000))
#define F32_FROM_KEY(key) rank_value((int32_t)((key) ^ UINT32_C(0x80000000)))
#define U8_FROM_KEY(key) ((uint8_t)(key))
#define U16_FROM_KEY(key) ((uint16_t)(key))
BLOCK(f32, float, F32_TO_KEY, F32_FROM_KEY, 32)
BLOCK(u8, uint8_t, , U8_FROM_KEY, 8)
BLOCK(u16, uint16_t, , U16_FROM_KEY, 16)

void KERNEL(weft_fill_rank_block)(struct weft_kernels *kernels);
void KERNEL(weft_fill_rank_block)(struct weft_kernels *kernels) {
    kernels->rank_block[WEFT_ROW_F32] = block_f32;
    kernels->rank_block[WEFT_ROW_U8] = block_u8;
    kernels->rank_block[WEFT_ROW_U16] = block_u16;
}
