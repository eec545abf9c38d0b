/* SPDX-License-Identifier: MIT
 * The rows of walk_whole.h: what a thread reads of one, how it is taken apart, and what becomes of it. For a file that
 * includes walk.h. */
#ifndef KERNELS_GPU_WALK_WHOLE_ROWS_H
#define KERNELS_GPU_WALK_WHOLE_ROWS_H
#include "kernels/gpu/dialect/packed.h"

/* Luminance is made of pixels that are words. */
#define WHOLE_LUMINANCE (WALK_CHANNELS != WALK_SOURCE)
#define WHOLE_WORDS WALK_WHOLE_WORDS(WALK_SOURCE, WALK_CHANNELS, WALK_FEW)
#define WHOLE_NUMBERS (WHOLE_LUMINANCE ? WHOLE_WORDS : 8) /* registers of a row's numbers */
#define MOST_RAW 10
#define MOST_NUMBERS 8

struct whole_walk {
    address from, to; /* row 0 of the input and of the result */
    long_int from_pitch, to_pitch;
    int i, y0, y1; /* the first byte, and rows */
    bool inside, whole, out_whole; /* inside: all that it needs is somewhere */
    int place[8]; /* of the four bytes before and after, as many as count; of pixels that are words, number 3 and 4 */
};
LFN0(whole_walk, begin_whole) {
    whole_walk w;
    int rows = L.walk / TILE_THREAD_ROWS, bytes = L.in_width * WALK_SOURCE, image = STORED_IMAGE;
    w.from = L.image[SOURCE_IMAGE].first;
    w.from_pitch = L.image[SOURCE_IMAGE].pitch;
    w.to = L.image[image].first;
    w.to_pitch = L.image[image].pitch;
    int first = (BLOCK_X * TILE_COLUMNS + THREAD_X) * 4 * WHOLE_WORDS;
    /* The last bytes of a row are made with some before them again, so that all of a thread's are inside. */
    w.i = min(first, bytes - 4 * WHOLE_WORDS);
    w.y0 = L.from_y + BLOCK_Y * L.walk + THREAD_Y * rows;
    w.y1 = first < bytes ? min(w.y0 + rows, L.to_y) : w.y0;
    w.whole = w.i == first && lies_on(w.from, w.from_pitch, 16);
    w.out_whole = w.i == first && lies_on(w.to, w.to_pitch, WHOLE_LUMINANCE ? WHOLE_WORDS : 16);
    /* Bytes beside the row's ends, and rows above and below, are others that are there, so that only a border of one number, rows
     * that begin anywhere and the ends of such are not inside: a warp that goes both ways takes twice as long. */
    w.inside = w.whole && w.out_whole && w.y0 >= L.image[image].from_y && w.y1 <= L.image[image].to_y &&
               (border_known != BORDER_CONSTANT || (w.y0 > 0 && w.y1 < L.in_height));
    UNROLL for (int k = 0; k < 8; k++) {
        int wanted = w.i + (k < 4 ? k - 4 : k - 4 + 4 * WHOLE_WORDS);
        w.place[k] = wanted;
        if (WALK_SOURCE == 4) {
            if (k == 3 || k == 4)
                w.place[k] = 4 * border_place((w.i >> 2) + (k == 3 ? -1 : WHOLE_WORDS), L.in_width, border_known);
        } else if (k > 3 - WALK_SOURCE && k < 4 + WALK_SOURCE && (wanted < 0 || wanted >= bytes)) {
            w.place[k] = packed_place(wanted, L.in_width, WALK_SOURCE, border_known);
        }
        if (k > 3 - min(WALK_SOURCE, 3) && k < 4 + min(WALK_SOURCE, 3) && (WALK_SOURCE != 4 || k == 3 || k == 4))
            w.inside = w.inside && w.place[k] >= 0;
    }
    return w;
}
/* Whether that is so of all threads of a block that have rows to make. */
LFN0(bool, block_lies_inside) {
    int image = STORED_IMAGE, wide = TILE_COLUMNS * 4 * WHOLE_WORDS, bytes = L.in_width * WALK_SOURCE;
    int y0 = L.from_y + BLOCK_Y * L.walk, y1 = min(y0 + L.walk, L.to_y), end = (BLOCK_X + 1) * wide;
    return (end <= bytes || bytes % (4 * WHOLE_WORDS) == 0) &&
           lies_on(L.image[SOURCE_IMAGE].first, L.image[SOURCE_IMAGE].pitch, 16) &&
           lies_on(L.image[image].first, L.image[image].pitch, WHOLE_LUMINANCE ? WHOLE_WORDS : 16) &&
           y0 >= L.image[image].from_y && y1 <= L.image[image].to_y &&
           ((border_known != BORDER_CONSTANT && border_known != BORDER_SHRINK) ||
            (BLOCK_X > 0 && end < bytes && y0 > 0 && y1 < L.in_height));
}
/* A byte of a row that is there, or the border's. */
FN uint byte_beside(address row, int at, uint outside) { return at < 0 ? outside : read_u8(row, max(at, 0)); }

FN uint read_bytes(address row, int i) {
    return read_u8(row, i) | read_u8(row, i + 1) << 8 | read_u8(row, i + 2) << 16 | read_u8(row, i + 3) << 24;
}
/* The words of a row, from the one before the thread's to the one after. Rows further down than the last result's neighbors
 * may not be there. */
LFN(void, read_whole, whole_walk w, int y, INOUT_ARRAY(uint, raw, MOST_RAW)) {
    int there = border_place(min(y, w.y1), L.in_height, border_known);
    if (w.inside) {
        address row = row_of(w.from, w.from_pitch, there);
        UNROLL for (int k = 0; k < WHOLE_WORDS / 4; k++) {
            uvec4 v = read_u32x4(row, (w.i >> 4) + k);
            raw[4 * k + 1] = v.x;
            raw[4 * k + 2] = v.y;
            raw[4 * k + 3] = v.z;
            raw[4 * k + 4] = v.w;
        }
        raw[0] = WALK_SOURCE == 4 ? read_u32(row, w.place[3] >> 2) : read_u8(row, w.place[3]) << 24;
        raw[WHOLE_WORDS + 1] = WALK_SOURCE == 4 ? read_u32(row, w.place[4] >> 2) : read_u8(row, w.place[4]);
        if (WALK_SOURCE == 3) {
            raw[0] |= read_u8(row, w.place[2]) << 16 | read_u8(row, w.place[1]) << 8;
            raw[WHOLE_WORDS + 1] |= read_u8(row, w.place[5]) << 8 | read_u8(row, w.place[6]) << 16;
        }
    } else {
        uint outside = PACKED_OUTSIDE(0u);
        address row = row_of(w.from, w.from_pitch, there < 0 ? min(max(y, 0), L.in_height - 1) : there);
        UNROLL for (int k = 0; k < WHOLE_WORDS / 4; k++) {
            if (w.whole) {
                uvec4 v = read_u32x4(row, (w.i >> 4) + k);
                raw[4 * k + 1] = v.x;
                raw[4 * k + 2] = v.y;
                raw[4 * k + 3] = v.z;
                raw[4 * k + 4] = v.w;
            } else {
                UNROLL for (int j = 0; j < 4; j++)
                    raw[4 * k + j + 1] = read_bytes(row, w.i + 16 * k + 4 * j);
            }
        }
        if (WALK_SOURCE == 4) {
            raw[0] = w.place[3] < 0 ? outside * 0x01010101u : read_bytes(row, max(w.place[3], 0));
            raw[WHOLE_WORDS + 1] = w.place[4] < 0 ? outside * 0x01010101u : read_bytes(row, max(w.place[4], 0));
        } else {
            raw[0] = 0u;
            raw[WHOLE_WORDS + 1] = 0u;
            UNROLL for (int k = 0; k < 3; k++) {
                if (k < WALK_SOURCE) {
                    raw[0] |= byte_beside(row, w.place[3 - k], outside) << (24 - 8 * k);
                    raw[WHOLE_WORDS + 1] |= byte_beside(row, w.place[4 + k], outside) << (8 * k);
                }
            }
        }
        UNROLL for (int k = 0; k < WHOLE_WORDS + 2; k++)
            raw[k] = there < 0 ? outside * 0x01010101u : raw[k];
    }
}

/* The numbers of a row and, of each, the one a pixel before and after it. */
struct whole_row {
    uint left[MOST_NUMBERS], center[MOST_NUMBERS], right[MOST_NUMBERS];
};
FN whole_row split_whole(INOUT_ARRAY(uint, raw, MOST_RAW)) {
    whole_row row;
    uint even[6], odd[6];
    UNROLL for (int k = 0; k < 6; k++) {
        even[k] = even_bytes(raw[k]);
        odd[k] = odd_bytes(raw[k]);
    }
    UNROLL for (int k = 0; k < 4; k++) {
        row.center[2 * k] = even[k + 1];
        row.center[2 * k + 1] = odd[k + 1];
        if (WALK_SOURCE == 4) {
            row.left[2 * k] = even[k];
            row.left[2 * k + 1] = odd[k];
            row.right[2 * k] = even[k + 2];
            row.right[2 * k + 1] = odd[k + 2];
        } else if (WALK_SOURCE == 3) {
            row.left[2 * k] = odd[k];
            row.left[2 * k + 1] = next_lanes(even[k], even[k + 1]);
            row.right[2 * k] = next_lanes(odd[k + 1], odd[k + 2]);
            row.right[2 * k + 1] = even[k + 2];
        } else {
            row.left[2 * k] = next_lanes(odd[k], odd[k + 1]);
            row.left[2 * k + 1] = even[k + 1];
            row.right[2 * k] = odd[k + 1];
            row.right[2 * k + 1] = next_lanes(even[k + 1], even[k + 2]);
        }
    }
    return row;
}

LFN(void, write_whole, whole_walk w, int y, INOUT_ARRAY(uint, made, 4)) {
    int image = STORED_IMAGE, i = WHOLE_LUMINANCE ? w.i >> 2 : w.i;
    address row = row_of(w.to, w.to_pitch, y);
    if (w.inside && !WHOLE_LUMINANCE) {
        write_u32x4(row, i >> 4, words(made[0], made[1], made[2], made[3]));
    } else if (w.inside && WHOLE_WORDS == 8) {
        write_u32x2(row, i >> 3, words(made[0], made[1], 0u, 0u));
    } else if (w.inside) {
        write_u32(row, i >> 2, made[0]);
    } else if (y >= L.image[image].from_y && y < L.image[image].to_y) {
        UNROLL for (int k = 0; k < (WHOLE_LUMINANCE ? WHOLE_WORDS / 4 : 4); k++) {
            if (w.out_whole) {
                write_u32(row, (i >> 2) + k, made[k]);
            } else {
                UNROLL for (int j = 0; j < 4; j++)
                    write_u8(row, i + 4 * k + j, made[k] >> (8 * j) & 255u);
            }
        }
    }
}

/* What rows have come to: of sums, of the result in the row before without its last row, and of the row's own with its first
 * one; of lengths, the same of differences along x, and the sums of this row and of the one before it. */
struct whole_state {
    uint most_done[MOST_NUMBERS], begun[MOST_NUMBERS], summed[MOST_NUMBERS], summed_before[MOST_NUMBERS];
};
#endif
