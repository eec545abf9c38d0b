/* SPDX-License-Identifier: MIT
 * Numbers (f32) with their neighbors in registers, for kernels of 3 x 3 whose threads lie side by side and walk down, each on
 * NEAR_MADE numbers of a row. For launches that read image 0 without a load program and write one image alone. PLANES are the
 * channels.
 *
 *   NEAR_WIDE                   words of a row: those before a thread's own, its own, those after, PLANES of them each
 *   NEAR_MOST_WIDE              the same of any channels, from row to row of an array
 *   NEAR_BEGIN                  declares i, the place in a row of a thread's first number, rows y0 to y1 that it makes, whether
 *                               rows are read and written by four words, and `beside`, places of the words before and after; of
 *                               whole_block, a constant: all of the block's are
 *   WALK_NEAR(walk)             all that a kernel's block does: CALL(walk, whole_block)
 *   CALL(near_read, y, i, whole, outside, beside, w, at)    row y to w[at] and on; `outside` is the word beyond the borders
 *   CALL(near_write, y, i, whole, v)                        the numbers that were made, where row y is wanted */
#ifndef KERNELS_GPU_REGISTER_ROWS_H
#define KERNELS_GPU_REGISTER_ROWS_H
#include "kernels/gpu/dialect/packed.h"
#include "kernels/gpu/tile/tile.h"

#define NEAR_MOST_WIDE (NEAR_MADE + 2 * 4)
#define NEAR_WIDE (NEAR_MADE + 2 * PLANES)

/* The last numbers of a row are made with some before them again, so that all of a thread's are inside. */
#define NEAR_BEGIN                                                                                                     \
    int near_rows = L.walk / TILE_THREAD_ROWS, first = (BLOCK_X * TILE_COLUMNS + THREAD_X) * NEAR_MADE;           \
    int y0 = L.from_y + BLOCK_Y * L.walk + THREAD_Y * near_rows, y1 = min(y0 + near_rows, L.to_y);                \
    int count = L.width * PLANES, i = min(first, count - NEAR_MADE), beside[8];                                        \
    bool whole = whole_block || (i == first && PACKED_IN_WHOLE(16));                                                   \
    bool whole_stored = whole_block || (i == first && PACKED_OUT_WHOLE(16));                                           \
    UNROLL for (int k = 0; k < PLANES; k++) {                                                                          \
        beside[k] = packed_place(i - PLANES + k, L.in_width, PLANES, border_known);                                    \
        beside[4 + k] = packed_place(i + NEAR_MADE + k, L.in_width, PLANES, border_known);                             \
    }

/* `whole_block` is a constant: with branches on which threads differ, compilers wait for a load at once, not where it is used. */
#define WALK_NEAR(walk)                                                                                                \
    bool lies_whole = ((BLOCK_X + 1) * TILE_COLUMNS * NEAR_MADE <= L.width * PLANES || L.width * PLANES % NEAR_MADE == 0) && \
                      PACKED_IN_WHOLE(16) && PACKED_OUT_WHOLE(16);                                                     \
    if (lies_whole)                                                                                                    \
        CALL(walk, true);                                                                                              \
    else                                                                                                               \
        CALL(walk, false);

/* The pixel at a place, of four words that lie side by side as its own do. */
#define NEAR_PIXEL(to, place)                                                                                          \
    {                                                                                                                  \
        uvec4 pixel = read_u32x4(row, max(place, 0) >> 2);                                                             \
        w[to] = pixel.x;                                                                                               \
        w[to + 1] = pixel.y;                                                                                           \
        w[to + 2] = pixel.z;                                                                                           \
        w[to + 3] = pixel.w;                                                                                           \
    }

/* Reads row y. Where an element of `beside` is -1, or the row does not exist, the word of the border takes its place. */
LFN(void, near_read, int y, int i, bool whole, uint outside, INOUT_ARRAY(int, beside, 8),
    INOUT_ARRAY(uint, w, WALK_ROWS *NEAR_MOST_WIDE), int at) {
    int there = CALL(packed_row, y, 1);
    address row = CALL(packed_near, there, y);
    if (whole) {
        NEAR_PIXEL(at + PLANES, i)
    } else {
        UNROLL for (int k = 0; k < NEAR_MADE; k++)
            w[at + PLANES + k] = read_u32(row, i + k);
    }
    if (PLANES == 4 && whole) {
        NEAR_PIXEL(at, beside[0])
        NEAR_PIXEL(at + PLANES + NEAR_MADE, beside[4])
    } else {
        UNROLL for (int k = 0; k < PLANES; k++) {
            w[at + k] = read_u32(row, max(beside[k], 0));
            w[at + PLANES + NEAR_MADE + k] = read_u32(row, max(beside[4 + k], 0));
        }
    }
    UNROLL for (int k = 0; k < NEAR_WIDE; k++) {
        bool aside = k < PLANES || k >= PLANES + NEAR_MADE;
        int from = k < PLANES ? k : k < PLANES + NEAR_MADE ? 0 : 4 + k - PLANES - NEAR_MADE;
        w[at + k] = there < 0 || (aside && beside[from] < 0) ? outside : w[at + k];
    }
}

LFN(void, near_write, int y, int i, bool whole, INOUT_ARRAY(uint, v, NEAR_MADE)) {
    address row;
    bool wanted = CALL(packed_result, y, row);
    if (wanted && whole) {
        write_u32x4(row, i >> 2, words(v[0], v[1], v[2], v[3]));
    } else if (wanted) {
        UNROLL for (int k = 0; k < NEAR_MADE; k++)
            write_u32(row, i + k, v[k]);
    }
}

#endif
