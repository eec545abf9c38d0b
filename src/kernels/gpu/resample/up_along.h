/* SPDX-License-Identifier: MIT
 * Weighted sums along a row in shared memory (shared_row.h) of which more numbers are made than it has: what `resample_up` and
 * `doubling` do with a row of the input. A thread makes four columns side by side of one channel, or one column of several, and,
 * as group 1, those that the whole block's threads have first further on.
 *
 *   TAPS       weights of a column
 *   up_column(x0)                              a thread's column of group 0 in a block that begins with column x0
 *   up_columns c = CALL(up_columns_of, x, x1, from)   what a thread knows of its columns before there is a row
 *   CALL(up_along, c, i, x, x1, from, line)    group i, columns before x1, from the line that begins with quad `line` and with
 *                                              number `from` of the input's
 *   CALL(up_deliver, i, x, x1, y, v)           group i of row y to the result */
#ifndef KERNELS_GPU_UP_ALONG_H
#define KERNELS_GPU_UP_ALONG_H
#include "kernels/gpu/tile/shared_row.h"

#define UP_GROUP (in_channels_known == 1 ? 4 * LINE_THREADS : LINE_THREADS)
#define up_column(x0) ((x0) + (in_channels_known == 1 ? 4 : 1) * THREAD_X)

#define UP_MOST_TAPS 6
/* For several channels: where the pixels for the column of each group begin in a line, and their weights. */
struct up_columns {
    int at[2];
    float weight[2 * UP_MOST_TAPS];
};
LFN(up_columns, up_columns_of, int x, int x1, int from) {
    up_columns c;
    int channels = in_channels_known;
    UNROLL for (int i = 0; i < 2; i++) {
        int column = least(x + UP_GROUP * i, x1 - 1), first = int(read_u32(L.resample.first_x, column));
        c.at[i] = channels == 4 ? first - (from >> 2) : first * channels - from;
        UNROLL for (int k = 0; k < TAPS; k++)
            c.weight[TAPS * i + k] = read_f32(L.resample.weights_x, k * L.resample.columns + column);
    }
    return c;
}

FN float up_one_of(vec4 a, vec4 b, vec4 c, int n) {
    return n < 4 ? component(a, n & 3) : n < 8 ? component(b, n & 3) : component(c, n & 3);
}

/* Four columns, even and odd alternately, which share most of what they read. The columns of every second thread begin in the
 * middle of a quad: all threads read three quads and select from them. */
LFN(vec4, up_four_by_two, int x, int from, int line_at) {
    int middle = x >> 1, q = line_at + ((middle - from) >> 2);
    bool between = (middle & 2) != 0;
    vec4 a = line_pixel(q - 1), b = line_pixel(q), c = line_pixel(q + 1), v = same_in_all(0.0f);
    UNROLL for (int n = 1; n <= 8; n++) {
        if (n >= 4 - TAPS / 2 && n <= 5 + TAPS / 2) {
            float there = between ? up_one_of(a, b, c, n + 2) : up_one_of(a, b, c, n);
            UNROLL for (int i = 0; i < 4; i++) {
                int k = n - (4 - TAPS / 2 + (i + 1) / 2), weight = most(least(k, TAPS - 1), 0);
                if (k >= 0 && k < TAPS)
                    set_component(v, i, component(v, i) + (i % 2 == 0 ? L.weight_x[weight] : L.weight_y[weight]) * there);
            }
        }
    }
    return v;
}
LFN(float, up_number, int x, int from, int line_at) {
    int at = int(read_u32(L.resample.first_x, x)) - from + 4 * line_at;
    float v = 0.0f;
    UNROLL for (int k = 0; k < TAPS; k++)
        v = v + read_f32(L.resample.weights_x, k * L.resample.columns + x) * line_number(at + k);
    return v;
}

LFN(vec4, up_along, up_columns columns, int i, int x, int x1, int from, int line_at) {
    int channels = in_channels_known, column = x + UP_GROUP * i;
    vec4 v = same_in_all(0.0f);
    if (channels == 1 && column < x1) {
        if (column >= L.resample.even_x && column + 4 <= L.resample.even_end_x)
            v = CALL(up_four_by_two, column, from, line_at);
        else
            v = rgba(CALL(up_number, column, from, line_at), CALL(up_number, least(column + 1, x1 - 1), from, line_at),
                     CALL(up_number, least(column + 2, x1 - 1), from, line_at),
                     CALL(up_number, least(column + 3, x1 - 1), from, line_at));
    } else if (channels != 1) {
        UNROLL for (int k = 0; k < TAPS; k++) {
            vec4 u = same_in_all(0.0f);
            if (channels == 4) {
                u = line_pixel(line_at + columns.at[i] + k);
            } else {
                int at = 4 * line_at + columns.at[i] + k * channels;
                u.x = line_number(at);
                u.y = line_number(at + 1);
                if (channels > 2)
                    u.z = line_number(at + 2);
            }
            v = add_planes(v, columns.weight[TAPS * i + k], u);
        }
    }
    return v;
}

LFN(void, up_deliver, int i, int x, int x1, int y, vec4 v) {
    int column = x + UP_GROUP * i;
    v = scale_pixel(v, LINE_SCALE);
    if (in_channels_known == 1)
        CALL(deliver_line, column, x1, y, v);
    else if (column < x1)
        CALL(deliver_pixel, column, y, v);
}

#endif
