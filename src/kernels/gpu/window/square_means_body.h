/* SPDX-License-Identifier: MIT
 * Means of squares (squares.h), and how much colors vary in them. A thread sums up RUN neighboring windows at a time, along columns
 * and then along rows in shared memory: first the part that all of them share, then backwards what only earlier windows have, and
 * forwards what only later ones have. Nothing is subtracted, so that NaN and infinity stay in the squares that hold them.
 * A block is wide or not (square_means.gpu, square_means_wide.gpu); that file defines THREADS.
 *
 *   RUN        windows that a thread makes together, no more than a square is wide
 *   PLANES     channels of the input, at least */
#ifndef KERNELS_GPU_SQUARE_MEANS_BODY_H
#define KERNELS_GPU_SQUARE_MEANS_BODY_H
#define READS_INPUT_ONLY
#include "kernels/gpu/dialect/bits.h"
#include "kernels/gpu/dialect/shared_vectors.h"
#include "kernels/gpu/tile/strip.h"
#include "kernels/gpu/window/squares.h"

#define COLORS (in_channels_known < 3 ? 1 : 3)
#define LANES (THREADS / SQUARES_ROWS) /* threads of a row */
#define SLOT SQUARES_SLOT
#define PITCH SLOT(THREADS)
SHARED(quad, tile, SQUARES_BYTES(THREADS) / 16);

/* The colors of a pixel and the sum of their squares. These are taken from the middle of the range, where they have most digits. */
#define MIDDLE 0.5f
FN float squares_of(vec4 v, int colors) {
    float x = v.x - MIDDLE, y = v.y - MIDDLE, z = v.z - MIDDLE;
    return colors == 1 ? x * x : x * x + y * y + z * z;
}
/* Those of a pixel by its words; `outside`: it is none of the image. */
LFN(vec4, numbers_of, uvec4 bits, bool outside) {
    vec4 v = CALL(strip_numbers, bits);
    if (border_known == BORDER_CONSTANT && outside)
        v = same_in_all(L.border_value);
    v.w = squares_of(v, COLORS);
    return v;
}
/* Those of the pixel at that column, which may be below 0 where nothing is, and row. */
LFN(vec4, numbers_at, int column, int row) {
    row = least(most(row, L.from_y - L.radius_y), L.to_y - 1); /* others may be missing */
    row = border_place(row, L.in_height, border_known);
    uvec4 bits = CALL(strip_bits, most(column, 0), row < 0 ? least(L.from_y, L.in_height - 1) : row);
    return CALL(numbers_of, bits, column < 0 || row < 0);
}

/* What RUN windows of rows have by themselves is added to what all of them share, v[RUN - 1]: v[k], and behind[k]. */
FN void add_ends(INOUT_ARRAY(vec4, v, SQUARES_ROWS), INOUT_ARRAY(vec4, behind, RUN)) {
    vec4 sum = same_in_all(0.0f);
    UNROLL for (int k = RUN - 2; k >= 0; k--)
        v[k] = add_pixels(v[k + 1], v[k]);
    UNROLL for (int k = 1; k < RUN; k++) {
        sum = add_pixels(sum, behind[k]);
        v[k] = add_pixels(v[k], sum);
    }
}
/* RUN windows of rows from row y on. */
LFN(void, sum_rows, int column, int y, INOUT_ARRAY(vec4, v, SQUARES_ROWS)) {
    int wide = L.radius_y + 1;
    vec4 sum = same_in_all(0.0f), behind[RUN];
    for (int i = RUN - 1; i < wide; i++)
        sum = add_pixels(sum, CALL(numbers_at, column, y + i));
    v[RUN - 1] = sum;
    UNROLL for (int k = RUN - 2; k >= 0; k--)
        v[k] = CALL(numbers_at, column, y + k);
    UNROLL for (int k = 1; k < RUN; k++)
        behind[k] = CALL(numbers_at, column, y + wide + k - 1);
    add_ends(v, behind);
}
/* The same of rows that are there, of words as they lie. They are read from the first to the last, several before their numbers are
 * made. */
#define AT_ONCE 4
LFN(void, sum_rows_near, int column, int y, INOUT_ARRAY(vec4, v, SQUARES_ROWS)) {
    int of_all = L.radius_y + 2 - RUN, type = source_type;
    bool whole = lies_on(L.image[SOURCE_IMAGE].first, L.image[SOURCE_IMAGE].pitch, 4 * bytes_of(type)), outside = column < 0;
    address pitch = address(L.image[SOURCE_IMAGE].pitch);
    address place = row_of(L.image[SOURCE_IMAGE].first, L.image[SOURCE_IMAGE].pitch, y) +
                    address(most(column, 0) * (STRIP_CHANNELS * bytes_of(type)));
    uvec4 first[RUN], last[RUN], some[AT_ONCE];
    vec4 sum = same_in_all(0.0f), behind[RUN];
    UNROLL for (int k = 0; k < RUN - 1; k++) {
        first[k] = read_bits_of_pixel(place, 0, type, STRIP_CHANNELS, whole);
        place = place + pitch;
    }
    ROLLED for (int i = 0; i < of_all; i += AT_ONCE) {
        UNROLL for (int k = 0; k < AT_ONCE; k++) {
            some[k] = read_bits_of_pixel(place, 0, type, STRIP_CHANNELS, whole);
            if (i + k < of_all)
                place = place + pitch;
        }
        UNROLL for (int k = 0; k < AT_ONCE; k++) {
            if (i + k < of_all)
                sum = add_pixels(sum, CALL(numbers_of, some[k], outside));
        }
    }
    v[RUN - 1] = sum;
    UNROLL for (int k = 1; k < RUN; k++) {
        last[k] = read_bits_of_pixel(place, 0, type, STRIP_CHANNELS, whole);
        place = place + pitch;
    }
    UNROLL for (int k = 0; k < RUN - 1; k++)
        v[k] = CALL(numbers_of, first[k], outside);
    UNROLL for (int k = 1; k < RUN; k++)
        behind[k] = CALL(numbers_of, last[k], outside);
    add_ends(v, behind);
}
/* RUN windows of columns from column x of the tile's row on. */
LFN(void, sum_columns, int first, int x, int to, INOUT_ARRAY(vec4, v, SQUARES_ROWS)) {
    int wide = L.radius_x + 1;
    vec4 sum = same_in_all(0.0f);
    int i = RUN - 1;
    for (; i + AT_ONCE <= wide; i += AT_ONCE) {
        UNROLL for (int k = 0; k < AT_ONCE; k++)
            sum = add_pixels(sum, quad_read(tile, first + SLOT(x + i + k)));
    }
    for (; i < wide; i++)
        sum = add_pixels(sum, quad_read(tile, first + SLOT(x + i)));
    v[to + RUN - 1] = sum;
    UNROLL for (int k = RUN - 2; k >= 0; k--) {
        sum = add_pixels(sum, quad_read(tile, first + SLOT(x + k)));
        v[to + k] = sum;
    }
    sum = same_in_all(0.0f);
    UNROLL for (int k = 1; k < RUN; k++) {
        sum = add_pixels(sum, quad_read(tile, first + SLOT(x + wide + k - 1)));
        v[to + k] = add_pixels(v[to + k], sum);
    }
}
/* The means of a square's sums, and how much its colors vary. */
LFN(vec4, mean_of, vec4 sum) {
    float part = 1.0f / to_float((L.radius_x + 1) * (L.radius_y + 1));
    vec4 v = scale_pixel(sum, part);
    v.w = abs(v.w - squares_of(v, COLORS));
    return v;
}

LFN0(void, make_square_means) {
    int t = THREAD_X, radius = L.radius_x, made = L.window.made, x0 = BLOCK_X * made, column = x0 - radius + t;
    int top = (L.from_y / SQUARES_ROWS + BLOCK_Y) * SQUARES_ROWS, first = top - radius; /* whatever rows a launch makes */
    bool near = STRIP_WORDS && first >= 0 && top + SQUARES_ROWS <= L.in_height && top >= L.from_y && top + SQUARES_ROWS <= L.to_y;
    vec4 v[SQUARES_ROWS];
    UNROLL for (int k = 0; k < SQUARES_ROWS; k++)
        v[k] = same_in_all(0.0f);
    column = border_place(column, L.in_width, border_known);
    for (int row = 0; row < SQUARES_ROWS; row += RUN) {
        if (near)
            CALL(sum_rows_near, column, first + row, v);
        else
            CALL(sum_rows, column, first + row, v);
        UNROLL for (int k = 0; k < RUN; k++)
            quad_write(tile, (row + k) * PITCH + SLOT(t), v[k]);
    }
    BARRIER;
    int place = t / LANES * PITCH, lane = t % LANES;
    UNROLL for (int k = 0; k < SQUARES_ROWS; k += RUN) {
        int x = (lane + k / RUN * LANES) * RUN;
        if (x < made + radius)
            CALL(sum_columns, place, x, k, v);
    }
    BARRIER;
    UNROLL for (int k = 0; k < SQUARES_ROWS; k++) {
        int x = (lane + k / RUN * LANES) * RUN + k % RUN;
        if (x < made + radius)
            quad_write(tile, place + SLOT(x), CALL(mean_of, v[k]));
    }
    BARRIER;
    int image = STORES_PLAIN ? STORED_IMAGE : 0;
    if (t < made && x0 + t < L.width) {
        UNROLL for (int k = 0; k < SQUARES_ROWS; k++) {
            vec4 left = quad_read(tile, k * PITCH + SLOT(t)), right = quad_read(tile, k * PITCH + SLOT(t + radius));
            bool second = right.w < left.w;
            vec4 best = rgba(second ? right.x : left.x, second ? right.y : left.y, second ? right.z : left.z,
                             second ? right.w : left.w);
            if (COLORS == 1)
                best.y = best.w;
            bool makes = top + k >= L.from_y && top + k < L.to_y;
            if (makes && L.window.bytes != 0)
                write_u32x2(row_of(L.image[image].first, L.image[image].pitch, top + k), x0 + t,
                            words(bits_of_four(rgba(best.x, best.y, best.z, 0.0f), TYPE_U8).x, bits_of_uint(best.w), 0u, 0u));
            else if (makes)
                CALL(deliver, x0 + t, top + k, best);
        }
    }
}

#endif
