/* SPDX-License-Identifier: MIT
 * Extrema of windows over bytes, four in a word, for kernels that have PLANES channels and look for the largest (MAXIMUM 1)
 * or the smallest, and for the host, which sizes their blocks.
 *
 * A block reads 1024 bytes of 16 rows, a word a thread and row, and puts what windows along y make of them into shared
 * memory, in lines along which a window's next number is STRIDE words on: words of a row are such a line where pixels are
 * words (four channels); elsewhere the bytes of four rows in a column make a word. Then a thread makes SEGMENT words of a
 * line, an odd number, so that threads are in different banks. */
#ifndef KERNELS_GPU_EXTREMUM_BYTES_H
#define KERNELS_GPU_EXTREMUM_BYTES_H

#define EXTREMUM_THREADS 256
#define EXTREMUM_READ (4 * EXTREMUM_THREADS) /* bytes of a row */
#define EXTREMUM_ROWS 16
/* Those on each side that are read for what is between them; and those between, whole words and pixels. */
#define EXTREMUM_HALO(radius, channels) (((radius) * (channels) + 3) / 4 * 4)
#define EXTREMUM_MADE(radius, channels)                                                                                \
    ((EXTREMUM_READ - 2 * EXTREMUM_HALO(radius, channels)) / ((channels) == 3 ? 12 : 4) * ((channels) == 3 ? 12 : 4))

#if defined(GLSL) || defined(__CUDACC__)
#include "kernels/gpu/packed.h"

#define SEGMENT 17
#define STRIDE (PLANES == 4 ? 1 : PLANES)
#define LINES (PLANES == 4 ? EXTREMUM_ROWS : EXTREMUM_ROWS / 4)
#define LINE_WORDS (PLANES == 4 ? EXTREMUM_READ / 4 : EXTREMUM_READ)
#define LINE_PITCH (LINE_WORDS + (PLANES == 4 ? 1 : 0))
SHARED(uint, lines, EXTREMUM_ROWS * (EXTREMUM_READ / 4 + 1));

#define FURTHER(a, b) (MAXIMUM != 0 ? lanes_max(a, b) : lanes_min(a, b))
#define FURTHER_3(a, b, c) (MAXIMUM != 0 ? lanes_max_3(a, b, c) : lanes_min_3(a, b, c))
#define NOTHING (MAXIMUM != 0 ? 0u : 0xffffffffu)

/* The extremum of four bytes each of some words. */
struct four_lanes {
    uint even, odd;
};
FN four_lanes no_lanes() {
    four_lanes v;
    v.even = even_lanes(NOTHING);
    v.odd = odd_lanes(NOTHING);
    return v;
}
FN four_lanes with_word(four_lanes v, uint w) {
    v.even = FURTHER(v.even, even_lanes(w));
    v.odd = FURTHER(v.odd, odd_lanes(w));
    return v;
}
FN four_lanes with_words(four_lanes v, uint a, uint b) {
    v.even = FURTHER_3(v.even, even_lanes(a), even_lanes(b));
    v.odd = FURTHER_3(v.odd, odd_lanes(a), odd_lanes(b));
    return v;
}
FN uint word_of(four_lanes v) { return bytes_of_lanes(v.even, v.odd); }

/* `count` windows, at most SEGMENT, each one on from the one before it. They have a core in common; above[i] is in the first
 * i + 1 of them besides, below[i] in those from number i on (after van Herk 1992). */
FN void make_windows(int count, four_lanes core, INOUT_ARRAY(uint, above, SEGMENT), INOUT_ARRAY(uint, below, SEGMENT),
                     INOUT_ARRAY(uint, made, SEGMENT)) {
    uint even[SEGMENT], odd[SEGMENT];
    four_lanes best = core;
    UNROLL for (int i = SEGMENT - 1; i >= 0; i--) {
        if (i < count - 1)
            best = with_word(best, above[i]);
        even[i] = best.even;
        odd[i] = best.odd;
    }
    best = no_lanes();
    made[0] = bytes_of_lanes(even[0], odd[0]);
    UNROLL for (int i = 1; i < SEGMENT; i++)
        if (i < count) {
            best = with_word(best, below[i]);
            made[i] = bytes_of_lanes(FURTHER(even[i], best.even), FURTHER(odd[i], best.odd));
        }
}
/* The same of windows of one or three numbers: those from the first one's on. */
FN void make_narrow_windows(int count, int radius, INOUT_ARRAY(uint, w, SEGMENT + 2), INOUT_ARRAY(uint, made, SEGMENT)) {
    UNROLL for (int i = 0; i < SEGMENT; i++)
        if (i < count) {
            four_lanes v = no_lanes();
            made[i] = radius == 0 ? w[i] : word_of(with_words(with_word(v, w[i]), w[i + 1], w[i + 2]));
        }
}

/* What the block reads: byte `column` of the image and the three after it, for each thread; a window's outside. */
LFN0(uint, outside_window) { return PACKED_OUTSIDE(NOTHING & 255u) * 0x01010101u; }
/* Words of any row, at the image's edges. Only border=wrap looks at what lies outside: what replicate, mirror and symmetric
 * repeat is in the window already. */
LFN(uint, word_at_edge, int column, int y, bool whole) {
    int row = CALL(packed_row, y, L.radius_y), last = PACKED_IN_BYTES - 1;
    bool there = y >= 0 && y < L.in_height && column + 3 >= 0 && column <= last;
    uint w = CALL0(outside_window);
    if (border_known == BORDER_WRAP || there)
        w = CALL(packed_word, CALL(packed_input, row), column, whole, w & 255u);
    return w;
}
#endif

#endif
