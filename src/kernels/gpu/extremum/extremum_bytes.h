/* SPDX-License-Identifier: MIT
 * Extrema of windows over bytes, four in a word, or of f32 (NUMBERS 1), for kernels that have PLANES channels and look for the
 * largest (MAXIMUM 1) or the smallest, and for the host, which sizes their blocks. NaN is none of the numbers (extremum_floats.h).
 *
 * A block reads 1024 bytes of 16 rows, a word a thread and row, and puts what windows along y make of them into shared
 * memory, in lines along which a window's next number is STRIDE words on: words of a row are such a line where pixels
 * are words (four channels, or numbers); elsewhere the bytes of four rows in a column make a word. Then a thread makes SEGMENT
 * words of a line, an odd number, so that threads have no bank conflicts. Of wide windows these are those that begin in a cell
 * of as many words, and what windows have in common is cells, of which each thread makes one. */
#ifndef KERNELS_GPU_EXTREMUM_BYTES_H
#define KERNELS_GPU_EXTREMUM_BYTES_H

#define EXTREMUM_THREADS 256
#define EXTREMUM_READ (4 * EXTREMUM_THREADS) /* bytes of a row */
#define EXTREMUM_ROWS 16
/* HALO: the bytes that a block reads on each side of its output. MADE: the bytes of its output, in whole words and whole pixels
 * of `pixel` bytes. */
#define EXTREMUM_HALO(radius, pixel) (((radius) * (pixel) + 3) / 4 * 4)
#define EXTREMUM_UNIT(pixel) ((pixel) % 4 == 0 ? (pixel) : (pixel) == 3 ? 12 : 4)
#define EXTREMUM_MADE(radius, pixel)                                                                                   \
    ((EXTREMUM_READ - 2 * EXTREMUM_HALO(radius, pixel)) / EXTREMUM_UNIT(pixel) * EXTREMUM_UNIT(pixel))

#if defined(GLSL) || defined(__CUDACC__)
#include "kernels/gpu/extremum/extremum_floats.h"
#include "kernels/gpu/dialect/packed.h"
#include "kernels/gpu/dialect/code_path.h"

#define SEGMENT 17
#define PIXEL_BYTES (NUMBERS != 0 ? 4 * PLANES : PLANES)
#define IN_BYTES (L.in_width * PIXEL_BYTES)
#define OUT_BYTES (L.width * PIXEL_BYTES)
#define WORDS_ALONG (NUMBERS != 0 || PLANES == 4)
#define STRIDE (NUMBERS == 0 && PLANES == 4 ? 1 : PLANES)
#define LINES (WORDS_ALONG ? EXTREMUM_ROWS : EXTREMUM_ROWS / 4)
#define LINE_WORDS (WORDS_ALONG ? EXTREMUM_READ / 4 : EXTREMUM_READ)
#define LINE_PITCH (LINE_WORDS + (WORDS_ALONG ? 1 : 8)) /* so that threads of all lines have no bank conflicts */
/* With what windows behind a line's last one would read; their results are not used. */
#define LINES_SIZE (EXTREMUM_ROWS * (EXTREMUM_READ / 4 + 1) + (SEGMENT - 1) * 4)
#if defined(GLSL)
SHARED(uint, lines, LINES_SIZE);
#else
SHARED(uvec4, line_quads, LINES_SIZE / 4);
#define lines ((uint *)line_quads)
#endif
/* Whole cells of a line, for each number that a window's next one is apart from; a thread's is that of its number among
 * lines, then among numbers apart, then along. */
#define CELLS (LINE_WORDS / STRIDE / SEGMENT)
SHARED(uint, cells, EXTREMUM_THREADS);

#define NOTHING (NUMBERS != 0 ? NO_NUMBER_COMPARED : MAXIMUM != 0 ? 0u : 0xffffffffu)
#define FURTHER(a, b) (NUMBERS != 0 ? further_number(a, b) : MAXIMUM != 0 ? lanes_max(a, b) : lanes_min(a, b))
#define FURTHER_3(a, b, c)                                                                                             \
    (NUMBERS != 0   ? further_number(further_number(a, b), c)                                                          \
     : MAXIMUM != 0 ? lanes_max_3(a, b, c)                                                                             \
                    : lanes_min_3(a, b, c))

/* A word as it lies in the image and as it is compared. */
FN uint compared_word(uint w) { return NUMBERS == 0 ? w : compared_number(w); }
FN uint word_compared(uint w) { return NUMBERS == 0 ? w : number_compared(w); }

/* The extremum of four bytes each of some words, or of some numbers. */
struct four_lanes {
    uint even, odd;
};
FN uint even_part(uint w) { return NUMBERS != 0 ? w : even_lanes(w); }
FN uint odd_part(uint w) { return NUMBERS != 0 ? 0u : odd_lanes(w); }
FN uint word_of_parts(uint even, uint odd) { return NUMBERS != 0 ? even : bytes_of_lanes(even, odd); }
FN four_lanes no_lanes() {
    four_lanes v;
    v.even = even_part(NOTHING);
    v.odd = odd_part(NOTHING);
    return v;
}
FN four_lanes with_word(four_lanes v, uint w) {
    v.even = FURTHER(v.even, even_part(w));
    if (NUMBERS == 0)
        v.odd = FURTHER(v.odd, odd_part(w));
    return v;
}
FN four_lanes with_words(four_lanes v, uint a, uint b) {
    v.even = FURTHER_3(v.even, even_part(a), even_part(b));
    if (NUMBERS == 0)
        v.odd = FURTHER_3(v.odd, odd_part(a), odd_part(b));
    return v;
}
FN uint word_of(four_lanes v) { return word_of_parts(v.even, v.odd); }

/* `count` windows, at most SEGMENT, each one on from the one before it. They have a core in common; above[i] is in the
 * first i + 1 of them besides, below[i] in those from number i on (after van Herk 1992). Gives below's extremum. */
FN four_lanes make_windows(int count, four_lanes core, INOUT_ARRAY(uint, above, SEGMENT), INOUT_ARRAY(uint, below, SEGMENT),
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
    made[0] = word_of_parts(even[0], odd[0]);
    UNROLL for (int i = 1; i < SEGMENT; i++)
        if (i < count) {
            best = with_word(best, below[i]);
            made[i] = word_of_parts(FURTHER(even[i], best.even), NUMBERS != 0 ? 0u : FURTHER(odd[i], best.odd));
        }
    return best;
}
/* The same for windows of one or three numbers: w begins with the first number of the first window. */
FN void make_narrow_windows(int count, int radius, INOUT_ARRAY(uint, w, SEGMENT + 2),
                            INOUT_ARRAY(uint, made, SEGMENT)) {
    UNROLL for (int i = 0; i < SEGMENT; i++)
        if (i < count) {
            four_lanes v = no_lanes();
            made[i] = radius == 0 ? w[i] : word_of(with_words(with_word(v, w[i]), w[i + 1], w[i + 2]));
        }
}

#include "kernels/gpu/extremum/extremum_rows.h"

/* Four words of a line, from a multiple of 4 on. */
#if defined(GLSL)
FN void put_quad(int at, uvec4 w) {
    lines[at] = w.x;
    lines[at + 1] = w.y;
    lines[at + 2] = w.z;
    lines[at + 3] = w.w;
}
FN uvec4 quad_at(int at) { return words(lines[at], lines[at + 1], lines[at + 2], lines[at + 3]); }
#else
FN void put_quad(int at, uvec4 w) { line_quads[at / 4] = w; }
FN uvec4 quad_at(int at) { return line_quads[at / 4]; }
#endif

/* Words of `count` rows at a thread's column to the lines, from the block's row `first` on. */
FN void keep_rows(int count, int first, INOUT_ARRAY(uint, v, SEGMENT)) {
    UNROLL for (int i = 0; i < EXTREMUM_ROWS; i += 4)
        if (i < count) {
            if (WORDS_ALONG) {
                UNROLL for (int k = 0; k < 4; k++)
                    lines[(first + i + k) * LINE_PITCH + THREAD_X] = v[i + k];
            } else {
                transpose_bytes(v[i], v[i + 1], v[i + 2], v[i + 3]);
                put_quad((first + i) / 4 * LINE_PITCH + 4 * THREAD_X, words(v[i], v[i + 1], v[i + 2], v[i + 3]));
            }
        }
}

/* `count` windows along a line; the first one's middle is at `center`. They go to made[first] and on. */
LFN(void, windows_along, int count, int center, int first, INOUT_ARRAY(uint, made, SEGMENT)) {
    int radius = L.radius_x, from = center - radius * STRIDE, last = 2 * radius;
    uint some[SEGMENT];
    if (EXTREMUM_ALONG == EXTREMUM_NARROW) {
        uint w[SEGMENT + 2];
        UNROLL for (int k = 0; k < SEGMENT + 2; k++)
            w[k] = k < count + last ? lines[from + k * STRIDE] : 0u;
        make_narrow_windows(count, radius, w, some);
    } else {
        uint above[SEGMENT], below[SEGMENT];
        four_lanes core = no_lanes();
        int k = count - 1;
        for (; k + 1 <= last; k += 2)
            core = with_words(core, lines[from + k * STRIDE], lines[from + (k + 1) * STRIDE]);
        if (k <= last)
            core = with_word(core, lines[from + k * STRIDE]);
        UNROLL for (int i = 0; i < SEGMENT; i++) {
            if (i < count - 1)
                above[i] = lines[from + i * STRIDE];
            if (i > 0 && i < count)
                below[i] = lines[from + (last + i) * STRIDE];
        }
        make_windows(count, core, above, below, some);
    }
    UNROLL for (int i = 0; i < SEGMENT; i++)
        if (i < count)
            made[first + i] = some[i];
}

/* Four rows from number `first` on of what lies in the lines at a thread's column. */
FN uvec4 rows_made(int first) {
    if (WORDS_ALONG) {
        int at = first * LINE_PITCH + THREAD_X;
        return words(word_compared(lines[at]), word_compared(lines[at + LINE_PITCH]), word_compared(lines[at + 2 * LINE_PITCH]),
                     word_compared(lines[at + 3 * LINE_PITCH]));
    }
    uvec4 w = quad_at(first / 4 * LINE_PITCH + 4 * THREAD_X);
    transpose_bytes(w.x, w.y, w.z, w.w);
    return w;
}
/* At the image's edges, too. */
FN_FAR void write_bytes_of(address row, int i, int bytes, uint w) { write_packed_word(row, i, bytes, false, w); }
/* The block's rows from y0 on, those before y1. Blocks that are inside as a whole need no test for each row. */
LFN(void, write_rows, int column, int y0, int y1) {
    address row;
    bool wanted = CALL(packed_result, y0, row);
    long_int pitch = L.image[STORED_IMAGE].pitch;
    if (wanted && y0 + EXTREMUM_ROWS <= min(y1, L.image[STORED_IMAGE].to_y) && PACKED_OUT_WHOLE(4) && column + 4 <= OUT_BYTES) {
        row += address(column);
        UNROLL for (int i = 0; i < EXTREMUM_ROWS; i += 4) {
            uvec4 w = rows_made(i);
            write_u32(row, 0, w.x);
            write_u32(row + address(pitch), 0, w.y);
            write_u32(row + address(2 * pitch), 0, w.z);
            write_u32(row + address(3 * pitch), 0, w.w);
            row += address(4 * pitch);
        }
    } else {
        ROLLED for (int i = 0; i < EXTREMUM_ROWS; i += 4) {
            uvec4 w = rows_made(i);
            ROLLED for (int k = 0; k < 4; k++) {
                wanted = CALL(packed_result, y0 + i + k, row);
                if (wanted && y0 + i + k < y1)
                    write_bytes_of(row, column, OUT_BYTES, k == 0 ? w.x : k == 1 ? w.y : k == 2 ? w.z : w.w);
            }
        }
    }
}

/* Windows of narrow radius along the lines. The last segments of a line begin earlier, so that none reads or makes more than there
 * is. */
LFN(void, windows_by_segments, int beside, int count, INOUT_ARRAY(uint, made, SEGMENT), INOUT(int) center) {
    int q = THREAD_X / LINES, of_stride = q % STRIDE;
    int first = min(q / STRIDE * SEGMENT, (count - 1 - of_stride) / STRIDE - (SEGMENT - 1));
    center = q / STRIDE * SEGMENT * STRIDE < count ? THREAD_X % LINES * LINE_PITCH + beside + of_stride + first * STRIDE : -1;
    if (center >= 0) {
        if (EXTREMUM_ALONG == EXTREMUM_BY_16) {
            CALL(windows_along, 17, center, 0, made);
        } else if (EXTREMUM_ALONG == EXTREMUM_BY_8) {
            CALL(windows_along, 9, center, 0, made);
            CALL(windows_along, 8, center + 9 * STRIDE, 9, made);
        } else if (EXTREMUM_ALONG == EXTREMUM_BY_4) {
            CALL(windows_along, 5, center, 0, made);
            CALL(windows_along, 4, center + 5 * STRIDE, 5, made);
            CALL(windows_along, 4, center + 9 * STRIDE, 9, made);
            CALL(windows_along, 4, center + 13 * STRIDE, 13, made);
        } else {
            CALL(windows_along, 17, center, 0, made);
        }
    }
}

/* Windows that each begin at a word of the thread's own cell: their core is the cell's last word, the whole cells after it, and the
 * rest of one more. */
LFN(void, windows_by_cells, int beside, int count, INOUT_ARRAY(uint, made, SEGMENT), INOUT(int) center) {
    int radius = L.radius_x, q = THREAD_X / LINES, place_along = q / STRIDE * SEGMENT * STRIDE + q % STRIDE;
    int from = THREAD_X % LINES * LINE_PITCH + beside - radius * STRIDE + place_along;
    bool has_cell = q < CELLS * STRIDE, needed = has_cell && place_along < count;
    uint above[SEGMENT], below[SEGMENT];
    four_lanes core = no_lanes();
    center = needed ? from + radius * STRIDE : -1;
    if (has_cell) {
        four_lanes all = no_lanes();
        UNROLL for (int i = 0; i < SEGMENT; i++)
            above[i] = lines[from + i * STRIDE];
        core = with_word(core, above[SEGMENT - 1]);
        UNROLL for (int i = 0; i < SEGMENT - 1; i += 2)
            all = with_words(all, above[i], above[i + 1]);
        cells[THREAD_X] = word_of(with_word(all, above[SEGMENT - 1]));
    }
    BARRIER;
    if (needed) {
        int inner = 2 * radius + 1 - SEGMENT, whole = inner / SEGMENT, at = from + (whole + 1) * SEGMENT * STRIDE;
        for (int k = 1; k <= whole; k++)
            core = with_word(core, cells[THREAD_X + k * STRIDE * LINES]);
        for (int k = inner - whole * SEGMENT; k > 0; k--) {
            core = with_word(core, lines[at]);
            at += STRIDE;
        }
        UNROLL for (int i = 1; i < SEGMENT; i++)
            below[i] = lines[at + (i - 1) * STRIDE];
        make_windows(SEGMENT, core, above, below, made);
    }
}

/* From the rows in the lines to the result. */
LFN(void, finish_rows, int column, int y0, int y1) {
    int halo = L.extremum.halo, width = L.extremum.made, center = -1;
    int beside = WORDS_ALONG ? halo / 4 : halo, count = WORDS_ALONG ? width / 4 : width;
    uint made[SEGMENT];
    BARRIER;
    if (EXTREMUM_ALONG == EXTREMUM_BY_CELLS)
        CALL(windows_by_cells, beside, count, made, center);
    else
        CALL(windows_by_segments, beside, count, made, center);
    BARRIER;
    if (center >= 0) {
        UNROLL for (int i = 0; i < SEGMENT; i++)
            lines[center + i * STRIDE] = made[i];
    }
    BARRIER;
    if (4 * THREAD_X >= halo && 4 * THREAD_X < halo + width && column < OUT_BYTES)
        CALL(write_rows, column, y0, y1);
}
#endif

#endif
