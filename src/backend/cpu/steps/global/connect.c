/* SPDX-License-Identifier: MIT
 * Rows of runs, see connect.h. A picture of noise has a quarter as many runs as pixels, other pictures have far fewer. So joining
 * runs is less work than joining pixels, and the work for each pixel, comparing and filling, is vector code. */
#include "backend/cpu/steps/global/connect.h"
#include <string.h>

#define WORD 64
#define FAR (INT32_MAX / 2)

static int64_t words_of(int64_t width) { return (width + WORD - 1) / WORD; }
static uint32_t *row_of(const struct labels *l, int64_t y) { return l->at + y * l->pitch; }
/* In a row the bits come first, then the number of runs, then the slots. They fit: a row has 64 bytes more than its pixels. */
static uint32_t *count_of(const struct labels *l, int64_t y) { return row_of(l, y) + 2 * words_of(l->width); }
static uint32_t *slots_of(const struct labels *l, int64_t y) { return count_of(l, y) + 1; }

static size_t run_numbers(int64_t width) { return ((size_t)width + 2 + 2 + 15) / 16 * 16; }
size_t weft_runs_bytes(int64_t width) {
    return 2 * run_numbers(width) * sizeof(int32_t) + (size_t)words_of(width) * sizeof(uint64_t);
}
struct runs weft_runs_of(unsigned char *memory, int64_t width) {
    int32_t *first = (int32_t *)(void *)memory, *second = first + run_numbers(width);
    return (struct runs){first, second, (uint64_t *)(void *)(second + run_numbers(width))};
}

/* Bit i of the result is byte i of 64, each of which is 0 or 1. */
static uint64_t word_of(const uint8_t *bytes) {
    uint64_t word = 0;
    for (int k = 0; k < 8; k++) {
        uint64_t eight;
        memcpy(&eight, bytes + 8 * k, sizeof eight);
        word |= (eight * 0x0102040810204080u) >> 56 << 8 * k; /* byte i goes to bit 56 + i */
    }
    return word;
}

static uint64_t exceeding(const float *values, float limit, int count) {
    uint8_t bytes[WORD] = {0};
    if (count == WORD) /* a constant: vector code */
        for (int i = 0; i < WORD; i++)
            bytes[i] = values[i] > limit;
    else
        for (int i = 0; i < count; i++)
            bytes[i] = values[i] > limit;
    return word_of(bytes);
}

void weft_mark_row(const struct labels *l, const struct runs *runs, const float *values, int64_t x, int64_t y, int count) {
    for (int n; count > 0; x += n, values += n, count -= n) {
        n = count < WORD ? count : WORD;
        uint64_t low = exceeding(values, l->connect.low, n);
        if (l->has_seeds) { /* where no pixel exceeds `low`, none exceeds a `high` that is no lower */
            runs->seeds[x / WORD] = low || l->connect.high < l->connect.low ? exceeding(values, l->connect.high, n) : 0;
            low |= runs->seeds[x / WORD];
        }
        memcpy(row_of(l, y) + x / 32, &low, sizeof low);
    }
}

static uint64_t from_byte(const uint8_t *values, uint8_t low, int count) {
    uint8_t bytes[WORD] = {0};
    if (count == WORD)
        for (int i = 0; i < WORD; i++)
            bytes[i] = values[i] >= low;
    else
        for (int i = 0; i < count; i++)
            bytes[i] = values[i] >= low;
    return word_of(bytes);
}

void weft_mark_bytes(const struct labels *l, const uint8_t *values, int low, int64_t x, int64_t y, int count) {
    for (int n; count > 0; x += n, values += n, count -= n) {
        n = count < WORD ? count : WORD;
        uint64_t word = low <= UINT8_MAX ? from_byte(values, (uint8_t)low, n) : 0;
        memcpy(row_of(l, y) + x / 32, &word, sizeof word);
    }
}

/* Writes where the runs of row y begin and end. Returns how many there are. */
static int32_t find_runs(const struct labels *l, int64_t y, int32_t *edges) {
    const uint32_t *bits = row_of(l, y);
    int32_t count = 0;
    uint64_t before = 0;
    for (int64_t k = 0; k < words_of(l->width); k++) {
        uint64_t word;
        memcpy(&word, bits + 2 * k, sizeof word);
        for (uint64_t rest = word ^ (word << 1 | before); rest; rest &= rest - 1)
            edges[count++] = (int32_t)(k * WORD) + __builtin_ctzll(rest);
        before = word >> (WORD - 1);
    }
    if (count % 2 != 0)
        edges[count++] = (int32_t)l->width;
    edges[count] = edges[count + 1] = FAR;
    return count / 2;
}

/* Returns the first slot of a component, or ONE. Shortens the path for later calls (path halving). */
static uint32_t first_of(uint32_t *labels, uint32_t label) {
    while (label & PLACE) {
        uint32_t next = labels[label & ~PLACE];
        if (next == label || !(next & PLACE))
            return next;
        label = labels[label & ~PLACE] = labels[next & ~PLACE];
    }
    return label;
}

static bool has_seed(const uint64_t *seeds, int32_t from, int32_t end) {
    int32_t k = from / WORD, last = (end - 1) / WORD;
    uint64_t first_bits = ~(uint64_t)0 << from % WORD, last_bits = ~(uint64_t)0 >> (WORD - 1 - (end - 1) % WORD);
    if (k == last)
        return (seeds[k] & first_bits & last_bits) != 0;
    bool any = (seeds[k] & first_bits) != 0 || (seeds[last] & last_bits) != 0;
    for (k++; !any && k < last; k++)
        any = seeds[k] != 0;
    return any;
}

/* Joins a component, which may be none yet, with that of a slot. */
static uint32_t join(uint32_t *labels, uint32_t component, uint32_t *slot) {
    uint32_t other = first_of(labels, *slot), least = component < other ? component : other;
    *slot = other;
    if (component == NONE)
        return other;
    if (component != other)
        labels[(component < other ? other : component) & ~PLACE] = least;
    return least;
}

/* Joins each run of `here` with the runs above that it touches. Walks along both rows at once. */
static void join_runs(const struct labels *l, const struct runs *runs, int32_t count, int64_t y, bool above) {
    const int32_t *upper = runs->above, beside = l->connect.four ? 0 : 1;
    uint32_t *slots = slots_of(l, y), *upper_slot = above ? slots_of(l, y - 1) : NULL;
    for (int32_t i = 0; i < count; i++) {
        int32_t from = runs->here[2 * i] - beside, end = runs->here[2 * i + 1] + beside;
        uint32_t component = slots[i] != NONE ? first_of(l->at, slots[i]) : NONE;
        while (upper[1] <= from)
            upper += 2, upper_slot++;
        for (; upper[0] < end; upper += 2, upper_slot++) {
            component = join(l->at, component, upper_slot);
            if (upper[1] >= end) /* it may touch the next run, too */
                break;
        }
        slots[i] = component != NONE ? component : PLACE | (uint32_t)(&slots[i] - l->at);
    }
}

void weft_label_row(const struct labels *l, struct runs *runs, int64_t y, bool above) {
    static const int32_t nothing[2] = {FAR, FAR};
    struct runs both = {.above = runs->here, .here = runs->above, .seeds = runs->seeds};
    int32_t count = find_runs(l, y, both.here);
    uint32_t *slots = slots_of(l, y);
    *count_of(l, y) = (uint32_t)count;
    for (int32_t i = 0; i < count; i++)
        slots[i] = l->has_seeds ? ONE * (uint32_t)has_seed(both.seeds, both.here[2 * i], both.here[2 * i + 1]) : NONE;
    if (!above)
        memcpy(both.above, nothing, sizeof nothing);
    join_runs(l, &both, count, y, above);
    *runs = both;
}

void weft_join_rows(const struct labels *l, struct runs *runs, int64_t y) {
    find_runs(l, y - 1, runs->above);
    join_runs(l, runs, find_runs(l, y, runs->here), y, true);
}

void weft_resolve_row(const struct labels *l, uint32_t *count, int64_t y) {
    uint32_t *slots = slots_of(l, y), runs = *count_of(l, y);
    for (uint32_t i = 0; i < runs; i++) {
        uint32_t label = slots[i];
        if (!(label & PLACE))
            continue;
        if (label != (PLACE | (uint32_t)(&slots[i] - l->at))) {
            slots[i] = l->at[label & ~PLACE]; /* an earlier one, which is a result */
            continue;
        }
        const float number = count ? (float)++*count : 0; /* beyond 2^24 the nearest */
        memcpy(&slots[i], &number, sizeof number);
    }
}

/* Fills pixels from .. end, and up to 8 behind them. */
static void fill(uint32_t *row, int32_t from, int32_t end, uint32_t value) {
    uint32_t values[4] = {value, value, value, value};
    if (end - from >= WORD && value == NONE) { /* the C library does this with wider vectors */
        memset(row + from, 0, (size_t)(end - from) * sizeof *row);
        return;
    }
    memcpy(row + from, values, sizeof values);
    memcpy(row + from + 4, values, sizeof values);
    for (int32_t x = from + 8; x < end; x += 8) {
        memcpy(row + x, values, sizeof values);
        memcpy(row + x + 4, values, sizeof values);
    }
}

/* Fills from left to right: a fill may write beyond its end, and the next one then writes there again. There is room for 16 pixels
 * behind the last one. */
void weft_fill_row(const struct labels *l, struct runs *runs, int64_t y) {
    int32_t count = find_runs(l, y, runs->here), at = 0;
    uint32_t *row = row_of(l, y), *results = (uint32_t *)(void *)runs->above;
    memcpy(results, slots_of(l, y), (size_t)count * sizeof *results);
    for (int32_t i = 0; i < count; i++) {
        fill(row, at, runs->here[2 * i], NONE);
        fill(row, runs->here[2 * i], runs->here[2 * i + 1], results[i]);
        at = runs->here[2 * i + 1];
    }
    fill(row, at, (int32_t)l->width, NONE);
}
