/* SPDX-License-Identifier: MIT
 * The filters of PNG: what a row is instead of itself, so that it takes fewer bytes. */
#ifndef IO_PNG_FILTER_H
#define IO_PNG_FILTER_H
#include <stddef.h>

/* Bytes in front of every row, all 0, that stand for the pixel left of it; no pixel has more. */
enum { WEFT_PNG_MARGIN = 8 };

/* Writes the number of a filter and what it makes of the row, `size` bytes of pixels of `step` bytes: the filter of
 * which the least is left. `above` is the row before, zeros for the first one. Both rows have a margin. `work` holds 4
 * * size bytes. */
void weft_png_filter(const unsigned char *row, const unsigned char *above, size_t size, size_t step,
                     unsigned char *work, unsigned char *target);

#endif
