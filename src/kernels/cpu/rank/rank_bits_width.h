/* SPDX-License-Identifier: MIT
 * What rank_bits.c does with vectors of BITS_BYTES, from which names are made by BITS(name). */
#define bits BITS(bits)
#define bits_load BITS(bits_load)
#define bits_store BITS(bits_store)
#define exchange BITS(exchange)
#define transpose_bits BITS(transpose_bits)
#define add_bits BITS(add_bits)
#define counts BITS(counts)
#define ask BITS(ask)
#define carry_up BITS(carry_up)
#define next_bit BITS(next_bit)
#define begin_count BITS(begin_count)
#define select_at BITS(select_at)

typedef uint64_t bits __attribute__((vector_size(BITS_BYTES)));

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

/* ---- one bit of the median */

struct counts {
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

/* Adds the values 16 at a time, whose carries are propagated together. The number of values is a multiple of 8 plus one. */
INLINE bits next_bit(const struct weft_rank_bits *b, int64_t at, bits median, bits *candidates, struct counts *count,
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
    for (int i = 0; i <= top; i++) /* where the median's bit is set, values that have it set are not larger */
        count->plane[i] = more[i] ^ (median & (more[i] ^ count->plane[i]));
    return median;
}

/* The count begins so that its top plane is set from half of the window on. */
static void begin_count(const struct weft_rank_bits *b, struct counts *count) {
    int32_t half = (b->window + 1) / 2;
    count->top = 3;
    while (INT32_C(1) << count->top < half)
        count->top++;
    for (int i = 0; i <= count->top; i++)
        count->plane[i] = (bits){0} - (uint64_t)((((INT32_C(1) << count->top) - half) >> i) & 1);
}

/* The medians of 8 times BITS_BYTES pixels, from byte p of the planes on. */
static void select_at(const struct weft_rank_bits *b, int64_t p) {
    const int64_t wide = (int64_t)sizeof(bits);
    bits *candidates = b->candidates;
    struct counts count;
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

#undef bits
#undef bits_load
#undef bits_store
#undef exchange
#undef transpose_bits
#undef add_bits
#undef counts
#undef ask
#undef carry_up
#undef next_bit
#undef begin_count
#undef select_at
