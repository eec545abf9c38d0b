/* SPDX-License-Identifier: MIT
 * Labels of connected pixels, see global.c: one for each pixel, 0 where it belongs to no component, ONE where it or what it is
 * connected to is a seed, otherwise PLACE and the number of a pixel of its component. */
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
};

/* What a label leads to: a result, or the first place of a component. */
static inline uint32_t follow_label(const uint32_t *labels, uint32_t label) {
    while (label & PLACE && labels[label & ~PLACE] != label)
        label = labels[label & ~PLACE];
    return label;
}

/* connect.c: labels pixels x .. x + count of row y, whose values are given, after those before them; above: and joins them
 * with those of the row above, which are labelled. */
void weft_label_row(const struct labels *l, const float *values, int64_t x, int64_t y, int count, bool above);
/* Makes of the labels of row y, which lead elsewhere, what they lead to. Others may do so with other rows at a time. */
void weft_finish_row(const struct labels *l, int64_t y);

#endif
