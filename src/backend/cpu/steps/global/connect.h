/* SPDX-License-Identifier: MIT
 * Components of connected pixels by runs: pixels of a row that follow one another and all belong to some component (He, Chao and
 * Suzuki 2008). Until the result is there, a row of its memory holds a bit for each pixel, how many runs these are, and a slot for
 * each run: PLACE and the number of an earlier slot of the same component, or of itself; ONE where a seed is in the run or in what
 * it is connected to. A slot's value never grows, and ONE is smaller than all places. The first slot of a component that has no
 * seed is that of its first pixel. */
#ifndef CPU_CONNECT_H
#define CPU_CONNECT_H
#include <stdbool.h>
#include <stdint.h>
#include "filter/filter.h"

#define ONE 0x3f800000u /* the bits of 1.0f */
#define NONE 0u
#define PLACE 0x80000000u

struct labels {
    uint32_t *at;
    int64_t width, pitch;
    struct weft_connect connect;
    bool has_seeds;
};

/* A lane's memory: the runs of two rows, one above the other, while they are joined (where each begins and where it ends, and
 * behind them a run that is never reached), and a bit for each seed of a row. */
struct runs {
    int32_t *above, *here;
    uint64_t *seeds;
};

/* Its bytes for rows of such a width, and what lies where. */
size_t weft_runs_bytes(int64_t width);
struct runs weft_runs_of(unsigned char *memory, int64_t width);

/* Marks pixels x .. x + count of row y whose values exceed the limits. x is a whole number of words of 64 and so is count, but at
 * the row's end. */
void weft_mark_row(const struct labels *l, const struct runs *runs, const float *values, int64_t x, int64_t y, int count);
/* The same for bytes. Bytes from `low` on belong to components. There are no seeds. */
void weft_mark_bytes(const struct labels *l, const uint8_t *values, int low, int64_t x, int64_t y, int count);
/* Makes slots of row y, all of which is marked, and joins them with those of the row above, whose runs the last call has left;
 * above: whether there is one. */
void weft_label_row(const struct labels *l, struct runs *runs, int64_t y, bool above);
/* Joins the slots of row y with those of the row above, both of which have theirs. */
void weft_join_rows(const struct labels *l, struct runs *runs, int64_t y);
/* Turns the slots of row y into results, after those of all rows above: 1, or 0 without a seed. With `count` the result is the
 * number of the component, and *count counts components. */
void weft_resolve_row(const struct labels *l, uint32_t *count, int64_t y);
/* Turns the results of row y into pixels. */
void weft_fill_row(const struct labels *l, struct runs *runs, int64_t y);

#endif
