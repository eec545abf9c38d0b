/* SPDX-License-Identifier: MIT
 * Weighted sums along a row in shared memory (shared_row.h) of which fewer numbers are made than it has: the second half of what
 * `resample_down` and `halve` do with a row of the result.
 *
 *   ACTIVE     see there
 *   CALL(down_along, x0, x1, y, from)   columns x0 .. x1 - 1 of row y, from a line that begins with number `from` of the input's */
#ifndef KERNELS_GPU_DOWN_ALONG_H
#define KERNELS_GPU_DOWN_ALONG_H
#include "kernels/gpu/tile/shared_row.h"

/* Images of floats may have NaN or infinity: rows outside a sum must not be added to it, not even times 0. */
#define MAY_BE_NONE !IN_STEPS

/* Four columns side by side, two apart in the input, of one channel; the first one's pixels, less what is before them, begin
 * with quad 2 q. */
LFN(vec4, down_four_by_two, int q) {
    vec4 v = same_in_all(0.0f);
    UNROLL for (int j = -2; j < 4; j++) {
        if (4 * j + 3 >= 1 - ACTIVE && 4 * j <= ACTIVE + 6) {
            vec4 u = quad_read(line, (j & 1) * HALF_LINE + q + (j >> 1));
            UNROLL for (int e = 0; e < 4; e++) {
                UNROLL for (int i = 0; i < 4; i++) {
                    int k = 4 * j + e - 2 * i + ACTIVE - 1;
                    if (k >= 0 && k < 2 * ACTIVE)
                        set_component(v, i, component(v, i) + L.weight_x[most(least(k, 2 * ACTIVE - 1), 0)] * component(u, e));
                }
            }
        }
    }
    return v;
}
/* A column of four channels, whose pixels, less what is before them, begin with pixel 2 i. */
LFN(vec4, down_pixel_by_two, int i) {
    vec4 v = same_in_all(0.0f);
    UNROLL for (int k = 0; k < 2 * ACTIVE; k++) {
        int j = k - ACTIVE + 1;
        v = add_weighted(v, L.weight_x[k], quad_read(line, (j & 1) * HALF_LINE + i + (j >> 1)));
    }
    return v;
}
LFN(vec4, down_pixel, int x, int from) {
    vec4 v = same_in_all(0.0f);
    int channels = in_channels_known, at = int(read_u32(L.resample.first_x, x)), count = L.resample.count_x;
    if (channels == 4) {
        at -= from >> 2;
        for (int k = 0; k < count; k++)
            v = add_weighted(v, read_f32(L.resample.weights_x, k * L.resample.columns + x), line_pixel(at + k));
    } else {
        at = at * channels - from;
        for (int k = 0; k < count; k++) {
            float weight = read_f32(L.resample.weights_x, k * L.resample.columns + x);
            v.x = v.x + weight * line_number(at);
            if (channels > 1)
                v.y = v.y + weight * line_number(at + 1);
            if (channels > 2)
                v.z = v.z + weight * line_number(at + 2);
            at += channels;
        }
    }
    return v;
}
LFN(void, down_along, int x0, int x1, int y, int from) {
    if (in_channels_known == 1) {
        for (int x = x0 + 4 * THREAD_X; x < x1; x += 4 * LINE_THREADS) {
            vec4 v = same_in_all(0.0f);
            if (x >= L.resample.even_x && x + 4 <= L.resample.even_end_x) {
                v = CALL(down_four_by_two, (2 * x - from) >> 3);
            } else {
                vec4 a = CALL(down_pixel, x, from), b = CALL(down_pixel, least(x + 1, x1 - 1), from);
                vec4 c = CALL(down_pixel, least(x + 2, x1 - 1), from), d = CALL(down_pixel, least(x + 3, x1 - 1), from);
                v = rgba(a.x, b.x, c.x, d.x);
            }
            CALL(deliver_line, x, x1, y, scale_pixel(v, LINE_SCALE));
        }
    } else {
        for (int x = x0 + THREAD_X; x < x1; x += LINE_THREADS) {
            vec4 v = same_in_all(0.0f);
            if (in_channels_known == 4 && x >= L.resample.even_x && x < L.resample.even_end_x)
                v = CALL(down_pixel_by_two, x - (from >> 3));
            else
                v = CALL(down_pixel, x, from);
            CALL(deliver_pixel, x, y, scale_pixel(v, LINE_SCALE));
        }
    }
}

#endif
