/* SPDX-License-Identifier: MIT
 * How threads of extremum_bytes.h read: the words of one column of rows, inside the image or outside, in the form in which they are
 * compared. For a file that defines PIXEL_BYTES, IN_BYTES, NOTHING, SEGMENT and compared_word. */
#ifndef KERNELS_GPU_EXTREMUM_ROWS_H
#define KERNELS_GPU_EXTREMUM_ROWS_H

/* What stands in for a word outside the image, as it is compared. */
LFN0(uint, outside_word) {
    if (NUMBERS != 0)
        return border_known == BORDER_CONSTANT ? compared_word(bits_of_uint(L.border_value)) : NOTHING;
    return PACKED_OUTSIDE(NOTHING & 255u) * 0x01010101u;
}
/* Byte `column` of row y and the three after it, wherever that is. Only border=wrap looks at what lies outside: what
 * replicate, mirror and symmetric repeat is in the window already. */
LFN(uint, word_at_edge, int column, int y, bool whole, uint outside) {
    int row = CALL(packed_row, y, L.radius_y), bytes = IN_BYTES;
    bool there = y >= 0 && y < L.in_height && column + 3 >= 0 && column < bytes;
    uint w = outside;
    if (there || border_known == BORDER_WRAP) {
        address from = CALL(packed_input, row);
        if (NUMBERS != 0)
            w = compared_word(read_u32(from, packed_place(column, L.in_width, PIXEL_BYTES, border_known) >> 2));
        else if (whole && column >= 0 && column + 4 <= bytes)
            w = read_u32(from, column >> 2);
        else
            w = packed_around(from, column, L.in_width, in_channels_known, border_known, outside & 255u);
    }
    return w;
}
/* The same, once in CUDA's code: rows are read in unrolled loops. */
#if defined(GLSL)
#define far_word word_at_edge
#else
FN_FAR uint far_word(const gpu_launch &L, thread_state &S, int column, int y, bool whole, uint outside) {
    return CALL(word_at_edge, column, y, whole, outside);
}
#endif

/* How a thread reads a row: ROWS_INSIDE where its block needs none but those that are there, and no bytes beyond their ends;
 * ROWS_NEAR where what is beyond is one word for all; ROWS_ANY a word at a time, in a function. The first two have no branches, so
 * that several loads are in flight: blocks at the edges must not be slow, since the last blocks of a launch are among them. */
#define ROWS_INSIDE 0
#define ROWS_NEAR 1
#define ROWS_ANY 2
/* Where drivers inline all functions, rows of ROWS_ANY are read in a loop, so that their code exists once. */
#if defined(GLSL)
#define ROWS_ONE_BY_ONE true
#else
#define ROWS_ONE_BY_ONE false
#endif
struct column_of_rows {
    address before; /* the word before that of row `first`: nvcc sees that memory is global where an index is not 0 */
    address top;    /* the same of row 0 */
    int first, pitch, column, lowest, highest, height; /* the lowest and highest row that are there */
    uint outside;
    int way;
    bool beyond, inside, whole; /* its column is no byte of the image, or all of it */
};
/* Bytes from a row to the one k further down: one product of 32 bits, as neither is below 0. */
FN address rows_apart(column_of_rows c, int k) { return address(uint(k)) * address(uint(c.pitch)); }
/* Row k from `first` on. */
LFN(uint, row_at, column_of_rows c, int k) {
    if (c.way == ROWS_INSIDE)
        return compared_word(read_u32(c.before + rows_apart(c, k), 1));
    if (c.way == ROWS_NEAR) {
        int y = c.first + k, row = min(max(y, c.lowest), c.highest);
        uint w = compared_word(read_u32(c.top + rows_apart(c, row), 1));
        return c.beyond || y < 0 || y >= c.height ? c.outside : w;
    }
    return CALL(far_word, c.column, c.first + k, c.whole, c.outside);
}
/* Rows k .. k + count - 1 to v[at] and on. */
LFN(void, rows_at, column_of_rows c, int k, int count, INOUT_ARRAY(uint, v, SEGMENT), int at) {
    if (ROWS_ONE_BY_ONE && c.way == ROWS_ANY) {
        ROLLED for (int j = 0; j < count; j++) {
            uint w = CALL(row_at, c, k + j);
            UNROLL for (int i = 0; i < SEGMENT; i++)
                v[i] = i == at + j ? w : v[i];
        }
    } else {
        UNROLL for (int j = 0; j < SEGMENT; j++)
            if (j < count)
                v[min(at + j, SEGMENT - 1)] = CALL(row_at, c, k + j);
    }
}
FN column_of_rows rows_from(column_of_rows c, int k) {
    c.before += rows_apart(c, k);
    c.first += k;
    return c;
}
LFN(column_of_rows, make_column, int column, int first) {
    column_of_rows c;
    int bytes = IN_BYTES;
    c.whole = PACKED_IN_WHOLE(4) && L.image[0].pitch < long_int(1 << 30);
    c.inside = c.whole && column >= 0 && column + 4 <= bytes;
    c.beyond = column + 4 <= 0 || column >= bytes;
    c.way = c.whole && border_known != BORDER_WRAP && (c.inside || c.beyond) && bytes >= 4 ? ROWS_NEAR : ROWS_ANY;
    c.pitch = int(L.image[0].pitch);
    c.column = column;
    c.lowest = max(L.from_y - L.radius_y, 0);
    c.highest = min(L.to_y - 1 + L.radius_y, L.in_height - 1);
    c.height = L.in_height;
    c.outside = CALL0(outside_word);
    c.top = L.image[0].first + address(long_int(c.inside ? column - 4 : -4));
    c.before = c.top + address(long_int(first) * long_int(c.pitch));
    c.first = first;
    return c;
}
/* Whether all that the block reads of the columns is inside. */
LFN(bool, columns_are_inside, column_of_rows c) {
    int column = BLOCK_X * L.extremum.made - L.extremum.halo;
    return c.whole && column >= 0 && column + EXTREMUM_READ <= IN_BYTES;
}

#endif
