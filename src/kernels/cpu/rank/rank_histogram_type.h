/* SPDX-License-Identifier: MIT
 * rank_histogram.c for one width of counts: COUNT of a column, SUM of a window; NAME(x) is a function's name. No
 * include guard: it is included for each.
 *
 * These are explicit vectors (by the compilers' extension, for any instruction set): in plain loops over 16 counts compilers store
 * halves and then load the whole, which waits until both halves have left the store queue and took three times as long. gcc splits
 * vectors of more than 16 bytes where the instruction set has none. */

typedef COUNT NAME(counts) __attribute__((vector_size(16 * sizeof(COUNT)), may_alias));
typedef SUM NAME(part) __attribute__((vector_size(16)));
typedef struct NAME(sums) {
    NAME(part) part[sizeof(SUM)]; /* 16 sums */
} NAME(sums);

static inline void NAME(add)(NAME(sums) * sums, const COUNT *counts) {
    NAME(part) wide[sizeof(SUM)];
    WIDEN(counts, wide);
    for (size_t i = 0; i < sizeof(SUM); i++)
        sums->part[i] += wide[i];
}
static inline void NAME(subtract)(NAME(sums) * sums, const COUNT *counts) {
    NAME(part) wide[sizeof(SUM)];
    WIDEN(counts, wide);
    for (size_t i = 0; i < sizeof(SUM); i++)
        sums->part[i] -= wide[i];
}

/* How many of the sums are at most `place`, which is the index of the first that is larger. */
static inline int NAME(find)(const NAME(sums) * sums, SUM place) {
    int bits = 0;
    for (size_t i = 0; i < sizeof(SUM); i++) {
        NAME(part) below = (NAME(part))(sums->part[i] <= place);
        uint64_t half[2];
        memcpy(half, &below, sizeof half);
        bits += __builtin_popcountll(half[0]) + __builtin_popcountll(half[1]);
    }
    return bits / (int)(8 * sizeof(SUM));
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
    const COUNT *coarse = h.coarse;
    int64_t at[16]; /* where each segment was brought up to date last */
    NAME(sums) segments, values[16];
    SUM place = (SUM)(h.window * h.height / 2);
    memset(&segments, 0, sizeof segments);
    for (int i = 0; i < 16; i++)
        at[i] = -2 * h.window;
    for (int64_t i = 0; i < h.window - 1; i++)
        NAME(add)(&segments, coarse + 16 * (int64_t)h.map[i]);
    for (int64_t x = 0; x < h.count; x++) {
        NAME(add)(&segments, coarse + 16 * (int64_t)enter[x]);
        if (h.inside)
            place = (SUM)(h.inside[x] * h.height / 2);
        int segment = NAME(find)(&segments, place);
        const COUNT *fine = (const COUNT *)h.fine + 16 * h.columns * segment;
        NAME(sums) v;
        if (2 * (x - at[segment]) > h.window) {
            memset(&v, 0, sizeof v);
            for (int64_t i = x; i < x + h.window; i++)
                NAME(add)(&v, fine + 16 * (int64_t)h.map[i]);
        } else {
            v = values[segment];
            for (int64_t i = at[segment] + 1; i <= x; i++) {
                NAME(add)(&v, fine + 16 * (int64_t)enter[i]);
                NAME(subtract)(&v, fine + 16 * (int64_t)leave[i]);
            }
        }
        values[segment] = v;
        at[segment] = x;
        SUM below = 0;
        if (segment > 0)
            memcpy(&below, (const char *)&segments + (size_t)(segment - 1) * sizeof below, sizeof below);
        out[x] = (uint8_t)(16 * segment + NAME(find)(&v, (SUM)(place - below)));
        NAME(subtract)(&segments, coarse + 16 * (int64_t)h.map[x]);
    }
}
#undef WIDEN
#undef COUNT
#undef SUM
#undef NAME
