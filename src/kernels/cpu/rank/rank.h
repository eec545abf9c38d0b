/* SPDX-License-Identifier: MIT
 * What the kernels of rank filters take. */
#ifndef KERNELS_RANK_H
#define KERNELS_RANK_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Cumulative counts of columns of 8-bit values: how many values are at most so large. A value's upper half says in which of 16
 * segments it is. Elements are uint8_t, or uint16_t where wide. */
struct weft_rank_histograms {
    void *coarse;          /* [columns][16]: those in segments up to this one */
    void *fine;            /* [16][columns][16]: within a segment, up to this value */
    int64_t columns;       /* that there is room for */
    int64_t rows;          /* columns of a row that slides in */
    int64_t window, count; /* columns of a window; windows, one per output */
    const int32_t *map;    /* window x has columns map[x .. x + window - 1] */
    const int32_t *inside; /* the values counted in a row of window x, NULL for `window` */
    int64_t height;        /* rows that are counted */
};

/* A block of width x height outputs, whose windows lie in a region of width + 2 radius by height + 2 radius. */
struct weft_rank_block {
    int64_t radius, width, height;
    const void *const *rows; /* of the region; NULL for one that is outside */
    const int32_t *map;      /* column i of the region is element map[i] of its rows; -1: outside */
    const void *outside;     /* the value there; NULL where it does not count */
    void *memory;            /* weft_rank_block_bytes(...), aligned for uint64_t */
    void *out;
    size_t out_stride; /* bytes */
};

/* Pixels of the region. */
static inline size_t weft_rank_block_size(int64_t radius, int64_t width, int64_t height) {
    return (size_t)(width + 2 * radius) * (size_t)(height + 2 * radius);
}
/* Bytes of memory for a block, less than 32 for each pixel of the region: for each, two pairs of key and place to sort,
 * a rank and a bit. The bits are words of 64, two of them extra; counts of the sort follow. */
static inline size_t weft_rank_block_bytes(size_t size) { return size * 20 + (size / 64 + 3) * 8 + 3 * 2048 * 4 + 64; }

/* Rows of bytes as planes of bits, for medians. A byte of a plane holds one bit of 8 values, `segment` values apart; the
 * planes of a row begin with that of the highest bit and are `stride` bytes apart. */
struct weft_rank_bits {
    const unsigned char *planes; /* of all rows of the window */
    const ptrdiff_t *places;     /* for each value in the window of the first output: the offset of its highest bit */
    void *candidates;            /* room for `window` vectors, aligned to WEFT_RANK_VECTOR */
    int64_t stride, segment, count;
    int32_t window;        /* values, an odd number squared and more than 1 */
    int32_t depth;         /* bytes of a value */
    unsigned char *out[4]; /* bytes of the medians, the highest first */
};
#define WEFT_RANK_VECTOR 64
/* Bits of a counter of the values in a window: enough for windows of fewer than 2^20 values. */
#define WEFT_RANK_COUNT_BITS 20

#endif
