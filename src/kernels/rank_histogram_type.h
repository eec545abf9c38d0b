/* SPDX-License-Identifier: MIT
 * rank_histogram.c for one width of counts: COUNT of a column, SUM of a window; NAME(x) is a function's name. No include
 * guard: it is included for each.
 *
 * These are vectors of 16 in so many words (the compilers' own extension, for any instruction set): left to themselves,
 * the compilers store loops of 16 in halves and load them whole, which waits for the halves to leave the store queue and
 * took three times as long. */

typedef COUNT NAME(counts) __attribute__((vector_size(16 * sizeof(COUNT)), may_alias));
typedef SUM NAME(sums) __attribute__((vector_size(16 * sizeof(SUM)), may_alias));

#define COUNTS(pointer, index) (((const NAME(counts) *)(const void *)(pointer))[index])
#define WIDE(counts) __builtin_convertvector(counts, NAME(sums))

/* How many of the sums are at most `place`, which is the index of the first that is larger: a byte of ones for each. */
static inline int NAME(find)(const NAME(sums) *sums, SUM place) {
    bytes below = __builtin_convertvector(*sums <= place, bytes);
    uint64_t half[2];
    memcpy(half, &below, sizeof half);
    return (__builtin_popcountll(half[0]) + __builtin_popcountll(half[1])) >> 3;
}

static void NAME(slide)(const void *histograms, const uint8_t *enter, const uint8_t *leave) {
    const struct weft_rank_histograms *h = histograms;
    NAME(counts) *coarse = h->coarse, *fine = h->fine;
    for (int64_t x = 0; x < h->rows; x++) {
        if (enter) {
            int64_t segment = enter[x] >> 4;
            coarse[x] += __builtin_convertvector(steps[segment], NAME(counts));
            fine[segment * h->columns + x] += __builtin_convertvector(steps[enter[x] & 15], NAME(counts));
        }
        if (leave) {
            int64_t segment = leave[x] >> 4;
            coarse[x] -= __builtin_convertvector(steps[segment], NAME(counts));
            fine[segment * h->columns + x] -= __builtin_convertvector(steps[leave[x] & 15], NAME(counts));
        }
    }
}

static void NAME(histogram)(const void *histograms, uint8_t *out) {
    const struct weft_rank_histograms h = *(const struct weft_rank_histograms *)histograms;
    const int32_t *enter = h.map + h.window - 1, *leave = h.map - 1;
    int64_t at[16]; /* where each segment was brought up to date last */
    NAME(sums) segments, values[16];
    SUM place = (SUM)(h.window * h.height / 2);
    memset(&segments, 0, sizeof segments);
    for (int i = 0; i < 16; i++)
        at[i] = -2 * h.window;
    for (int64_t i = 0; i < h.window - 1; i++)
        segments += WIDE(COUNTS(h.coarse, h.map[i]));
    for (int64_t x = 0; x < h.count; x++) {
        segments += WIDE(COUNTS(h.coarse, enter[x]));
        if (h.inside)
            place = (SUM)(h.inside[x] * h.height / 2);
        int segment = NAME(find)(&segments, place);
        const NAME(counts) *fine = (const NAME(counts) *)h.fine + h.columns * segment;
        NAME(sums) v;
        if (2 * (x - at[segment]) > h.window) {
            memset(&v, 0, sizeof v);
            for (int64_t i = x; i < x + h.window; i++)
                v += WIDE(fine[h.map[i]]);
        } else {
            v = values[segment];
            for (int64_t i = at[segment] + 1; i <= x; i++)
                v += WIDE(fine[enter[i]]) - WIDE(fine[leave[i]]);
        }
        values[segment] = v;
        at[segment] = x;
        SUM below = segment > 0 ? segments[segment - 1] : 0;
        out[x] = (uint8_t)(16 * segment + NAME(find)(&v, (SUM)(place - below)));
        segments -= WIDE(COUNTS(h.coarse, h.map[x]));
    }
}
#undef COUNTS
#undef WIDE
#undef COUNT
#undef SUM
#undef NAME
