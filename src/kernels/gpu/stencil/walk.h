/* SPDX-License-Identifier: MIT
 * Stencils of radius 1 of images that lie in memory as the body sees them, or whose luminance it sees: threads side by side
 * walk down, each on WALK_PIXELS of a row, with three rows of numbers in registers. A row is read once by a thread, as many
 * bytes as memory takes at once and a pixel on each side, three rows under way; what the neighbors of several pixels have in
 * common is computed once. There is no shared memory and no barrier.
 *
 *   WALK_TYPE    of the image: TYPE_U8 or TYPE_F32
 *   WALK_STORED  of the result: the same, or bytes of f32
 *   WALK_SOURCE  its channels: as many as the body's, or luminance is made of them
 *   way          STENCIL_WALKING, or STENCIL_WHOLE: blocks are those of walk_whole.h
 *   walk         rows that a block walks */
#include "kernels/gpu/dialect/byte_numbers.h"
#if defined(FORMAT_SOURCE)
#define WALK_TYPE FORMAT_SOURCE_TYPE
#define WALK_STORED FORMAT_SOURCE_STORED
#define WALK_SOURCE FORMAT_SOURCE
#define WALK_CHANNELS 1
#else
#define WALK_TYPE source_type
#define WALK_STORED stored_type
#define WALK_SOURCE source_channels
#define WALK_CHANNELS in_channels_known
#endif
#if defined(GLSL)
#define WALK_FEW true
#else
#define WALK_FEW false
#endif
#define WALK_MADE WALK_PIXELS(WALK_TYPE, WALK_SOURCE, WALK_CHANNELS, WALK_FEW)
#define WALK_BYTES (WALK_MADE * WALK_SOURCE * bytes_of(WALK_TYPE)) /* of a thread's pixels in a row: 12, 16, 24 or 32 */
#define WALK_ACCESS (WALK_BYTES % 16 == 0 ? 16 : 4)                /* that memory takes as a whole */
#define WALK_STORED_ACCESS (WALK_MADE * WALK_CHANNELS * bytes_of(WALK_STORED) == 16 ? 16 : 4)
#define PIXEL_WORDS (WALK_TYPE == TYPE_U8 ? 1 : WALK_SOURCE)
#define WALK_ALONE (WALK_MADE * WALK_CHANNELS / 4 * 4) /* bytes from here on are not four, and are written one by one */
#define BESIDE (WALK_BYTES / 4)       /* where the pixels on both sides lie among the words of a row */
#define WALK_WORDS 12                 /* of a row, at most */
#define WALK_NUMBERS 24               /* of a row, at most */

/* A pixel on one side as words, those of a byte each in one; the first one stands for one that is not there, which
 * walk_numbers_around knows: where only some threads load, the compiler waits for the load at once. */
LFN(void, walk_read_beside, address row, int column, bool whole, INOUT_ARRAY(uint, w, 3 * WALK_WORDS), int first) {
    int there = max(column, 0);
    if (WALK_TYPE == TYPE_U8) {
        w[first] = 0u;
        UNROLL for (int c = 0; c < WALK_SOURCE; c++)
            w[first] |= read_u8(row, there * WALK_SOURCE + c) << (8 * c);
    } else if (WALK_SOURCE == 4 && whole) {
        uvec4 v = read_u32x4(row, there);
        w[first] = v.x;
        w[first + 1] = v.y;
        w[first + 2] = v.z;
        w[first + 3] = v.w;
    } else {
        UNROLL for (int c = 0; c < WALK_SOURCE; c++)
            w[first + c] = read_u32(row, there * WALK_SOURCE + c);
    }
}
/* The words of a row that is there, from word `at` on; `whole`: memory takes them so. */
LFN(void, walk_read, int y, int x, int before, int after, bool whole, INOUT_ARRAY(uint, w, 3 * WALK_WORDS), int at) {
    address row = row_of(L.image[SOURCE_IMAGE].first, L.image[SOURCE_IMAGE].pitch, y);
    int i = x * WALK_SOURCE * bytes_of(WALK_TYPE);
    if (whole && WALK_ACCESS == 16) {
        UNROLL for (int k = 0; k < WALK_BYTES / 16; k++) {
            uvec4 v = read_u32x4(row, (i >> 4) + k);
            w[at + 4 * k] = v.x;
            w[at + 4 * k + 1] = v.y;
            w[at + 4 * k + 2] = v.z;
            w[at + 4 * k + 3] = v.w;
        }
    } else if (whole || WALK_TYPE == TYPE_F32) {
        UNROLL for (int k = 0; k < BESIDE; k++)
            w[at + k] = read_u32(row, (i >> 2) + k);
    } else {
        UNROLL for (int k = 0; k < BESIDE; k++)
            w[at + k] = read_u8(row, i + 4 * k) | read_u8(row, i + 4 * k + 1) << 8 |
                        read_u8(row, i + 4 * k + 2) << 16 | read_u8(row, i + 4 * k + 3) << 24;
    }
    CALL(walk_read_beside, row, before, whole, w, at + BESIDE);
    CALL(walk_read_beside, row, after, whole, w, at + BESIDE + PIXEL_WORDS);
}
/* The same for a row that may be outside. Where no row stands for it, reads the nearest one: a band may not have row 0. */
LFN(void, walk_read_around, int y, int x, int before, int after, bool whole, INOUT_ARRAY(uint, w, 3 * WALK_WORDS), int at) {
    int row = border_place(y, L.in_height, border_known), nearest = min(max(y, 0), L.in_height - 1);
    CALL(walk_read, row < 0 ? nearest : row, x, before, after, whole, w, at);
}

/* Component c of pixel k of a row's words, or of one beside it whose words begin at `first`. */
FN float walk_number(INOUT_ARRAY(uint, w, 3 * WALK_WORDS), int first, int i) {
    return WALK_TYPE == TYPE_U8 ? number_of_byte(w[first + (i >> 2)], i & 3) : float_of_uint(w[first + i]);
}
/* One weight of the luminance: its value for a pixel that has one component alone. */
LFN(float, walk_weight, float x, float y, float z) {
    place at = PLACE_AT(0, 0, 1, 1);
    vec4 v = rgba(x, y, z, 1.0f);
    return OPERATION_LUMINANCE(v, v, at, BLOCK_ADDRESS(LOAD_0(block)), WALK_SOURCE | 1 << 8).x;
}
FN float walk_luminance(vec4 weights, INOUT_ARRAY(uint, w, 3 * WALK_WORDS), int first, int i) {
    vec4 v = rgba(walk_number(w, first, i), walk_number(w, first, i + 1), walk_number(w, first, i + 2), 1.0f);
    return weighted(v, weights.x, weights.y, weights.z); /* exact for grey pixels */
}
/* The numbers of a row whose words begin at `at`: those of the pixel before, of the thread's pixels, of the one after. */
FN void walk_numbers(vec4 weights, INOUT_ARRAY(uint, w, 3 * WALK_WORDS), int at, INOUT_ARRAY(float, v, 3 * WALK_NUMBERS),
                     int slot) {
    int to = slot * WALK_NUMBERS, last = to + (WALK_MADE + 1) * WALK_CHANNELS;
    if (WALK_CHANNELS == WALK_SOURCE) {
        UNROLL for (int c = 0; c < WALK_CHANNELS; c++) {
            v[to + c] = walk_number(w, at + BESIDE, c);
            v[last + c] = walk_number(w, at + BESIDE + PIXEL_WORDS, c);
        }
        UNROLL for (int i = 0; i < WALK_MADE * WALK_CHANNELS; i++)
            v[to + WALK_CHANNELS + i] = walk_number(w, at, i);
    } else {
        v[to] = walk_luminance(weights, w, at + BESIDE, 0);
        v[last] = walk_luminance(weights, w, at + BESIDE + PIXEL_WORDS, 0);
        UNROLL for (int i = 0; i < WALK_MADE; i++)
            v[to + 1 + i] = walk_luminance(weights, w, at, WALK_SOURCE * i);
    }
}
/* The same for a row that may be outside; the border value where the row, or a pixel beside it, does not exist. */
LFN(void, walk_numbers_around, int y, int before, int after, vec4 weights, INOUT_ARRAY(uint, w, 3 * WALK_WORDS), int at,
    INOUT_ARRAY(float, v, 3 * WALK_NUMBERS), int slot) {
    int to = slot * WALK_NUMBERS, last = to + (WALK_MADE + 1) * WALK_CHANNELS;
    if (border_known == BORDER_CONSTANT && (y < 0 || y >= L.in_height)) {
        UNROLL for (int i = 0; i < (WALK_MADE + 2) * WALK_CHANNELS; i++)
            v[to + i] = L.border_value;
    } else {
        walk_numbers(weights, w, at, v, slot);
        UNROLL for (int c = 0; c < WALK_CHANNELS; c++) {
            v[to + c] = before < 0 ? L.border_value : v[to + c];
            v[last + c] = after < 0 ? L.border_value : v[last + c];
        }
    }
}

/* The pixels of a row from column x on; `whole`: they are written as u32, or 16 bytes at a time. */
LFN(void, walk_write, int y, int x, bool whole, INOUT_ARRAY(float, made, 16)) {
    int image = STORED_IMAGE, i = x * WALK_CHANNELS;
    address row = row_of(L.image[image].first, L.image[image].pitch, y);
    bool wanted = y >= L.image[image].from_y && y < L.image[image].to_y;
    if (wanted && WALK_STORED == TYPE_U8) {
        uint w[4];
        UNROLL for (int k = WALK_ALONE; k < WALK_MADE * WALK_CHANNELS; k++)
            write_u8(row, i + k, placed_byte(made[k]) >> 8 & 255u);
        UNROLL for (int k = 0; k < WALK_MADE * WALK_CHANNELS / 4; k++) {
            w[k] = placed_bytes(placed_byte(made[4 * k]), placed_byte(made[4 * k + 1]), placed_byte(made[4 * k + 2]),
                                placed_byte(made[4 * k + 3]));
            if (!whole) {
                UNROLL for (int j = 0; j < 4; j++)
                    write_u8(row, i + 4 * k + j, w[k] >> (8 * j) & 255u);
            } else if (WALK_MADE * WALK_CHANNELS != 16) {
                write_u32(row, (i >> 2) + k, w[k]);
            }
        }
        if (whole && WALK_MADE * WALK_CHANNELS == 16)
            write_u32x4(row, i >> 4, words(w[0], w[1], w[2], w[3]));
    } else if (wanted && whole) {
        write_f32x4(row, i >> 2, rgba(made[0], made[1], made[2], made[3]));
    } else if (wanted) {
        UNROLL for (int k = 0; k < 4; k++)
            write_f32(row, i + k, made[k]);
    }
}

/* Whether all that a block reads and writes from column `first` on are whole words of floats; the same for all threads
 * of a block, so that no branch diverges. CUDA gains nothing by it. */
LFN(bool, walk_lies_whole, int first) {
    return WALK_FEW && WALK_TYPE == TYPE_F32 &&
           (first + TILE_COLUMNS * WALK_MADE <= L.width || L.width % WALK_MADE == 0) &&
           lies_on(L.image[SOURCE_IMAGE].first, L.image[SOURCE_IMAGE].pitch, WALK_ACCESS) &&
           lies_on(L.image[STORED_IMAGE].first, L.image[STORED_IMAGE].pitch, WALK_STORED_ACCESS);
}

LFN(void, walk, int first, bool whole_block) {
    int rows = L.walk / TILE_THREAD_ROWS, place_x = first + THREAD_X * WALK_MADE;
    int y0 = L.from_y + BLOCK_Y * L.walk + THREAD_Y * rows, y1 = min(y0 + rows, L.to_y);
    /* The last pixels of a row are made with some before them again, so that all of a thread's are inside. */
    int x = min(place_x, L.width - WALK_MADE);
    int before = border_place(x - 1, L.in_width, border_known), after = border_place(x + WALK_MADE, L.in_width, border_known);
    bool in_place = x == place_x;
    bool whole = whole_block || (in_place && lies_on(L.image[SOURCE_IMAGE].first, L.image[SOURCE_IMAGE].pitch, WALK_ACCESS));
    bool whole_stored =
        whole_block || (in_place && lies_on(L.image[STORED_IMAGE].first, L.image[STORED_IMAGE].pitch, WALK_STORED_ACCESS));
    BLOCK P = BLOCK_AT(BLOCK, BLOCK_ADDRESS(L.block)); /* a copy: stores cannot change it */
    vec4 weights = rgba(0.0f, 0.0f, 0.0f, 0.0f);
    if (WALK_CHANNELS != WALK_SOURCE)
        weights = rgba(CALL(walk_weight, 1.0f, 0.0f, 0.0f), CALL(walk_weight, 0.0f, 1.0f, 0.0f),
                       CALL(walk_weight, 0.0f, 0.0f, 1.0f), 0.0f);
    float v[3 * WALK_NUMBERS];
    uint w[3 * WALK_WORDS];
    bool keeps_last = L.stencil.channels < WALK_CHANNELS;
    if (place_x < L.width && y0 < y1) {
        UNROLL for (int k = 0; k < 2; k++) {
            CALL(walk_read_around, y0 - 1 + k, x, before, after, whole, w, 0);
            CALL(walk_numbers_around, y0 - 1 + k, before, after, weights, w, 0, v, k);
        }
        for (int y = y0; y < y1; y += 3) {
            /* Rows further down than the last output's neighbors may not be there. */
            UNROLL for (int k = 0; k < 3; k++)
                CALL(walk_read_around, min(y + k + 1, y1), x, before, after, whole, w, k * WALK_WORDS);
            UNROLL for (int k = 0; k < 3; k++) {
                CALL(walk_numbers_around, min(y + k + 1, y1), before, after, weights, w, k * WALK_WORDS, v, (k + 2) % 3);
                if (y + k < y1) {
                    float made[16];
                    UNROLL for (int i = 0; i < WALK_MADE * WALK_CHANNELS; i++) {
                        float near[9];
                        UNROLL for (int j = 0; j < 9; j++)
                            near[j] = v[(k + j / 3) % 3 * WALK_NUMBERS + i + j % 3 * WALK_CHANNELS];
                        made[i] = body(near, P);
                        if (WALK_CHANNELS % 2 == 0 && i % WALK_CHANNELS == WALK_CHANNELS - 1)
                            made[i] = keeps_last ? near[4] : made[i];
                    }
                    CALL(walk_write, y + k, x, whole_stored, made);
                }
            }
        }
    }
}
