/* SPDX-License-Identifier: MIT
 * The result of convolve_matrix.gpu: a thread's sums become pixels, and results that are NaN are made again. For a file that
 * defines TYPE, IN_FLOATS, WHOLE, CHUNK, TILES, REACHED and ALL_SUMS. */
#ifndef KERNELS_GPU_CONVOLVE_MATRIX_RESULT_H
#define KERNELS_GPU_CONVOLVE_MATRIX_RESULT_H
#include "kernels/gpu/mma/mma_floats.h"
#include "kernels/gpu/dialect/pixel_arithmetic.h"

struct sums {
    float of[4];
};
/* The outputs of chunk r, counted from the first that this chunk reaches. */
#define OUT(r, n) ((r) * ALL_SUMS + (n))

FN bool is_finite(vec4 v) { return abs((v.x + v.y) + (v.z + v.w)) < float_of_uint(0x7f800000u); }
/* A pixel of the result by itself. */
FN_FAR vec4 alone(const gpu_launch &L, int x, int y) {
    thread_state S;
    vec4 sum = same_in_all(0.0f);
    for (int i = -L.radius_x; i <= L.radius_x; i++) {
        vec4 column = same_in_all(0.0f);
        int inside = 1;
        for (int k = -L.radius_y; k <= L.radius_y; k++)
            column = add_weighted(column, weight_at(L.convolve.weights_y, L.radius_y, k),
                                  CALL(fetch_around, x + i, y + k, inside));
        sum = add_weighted(sum, weight_at(L.convolve.weights_x, L.radius_x, i), column);
    }
    return sum;
}
LFN(void, put_pixel, address row, int x, int y, vec4 v) {
    if (x >= L.width)
        return;
    if (!WHOLE && !is_finite(v))
        v = alone(L, x, y);
    write_pixel(row, x, TYPE, 4, CALL(hand_out, v));
}
/* The words of a pixel of the result. */
LFN(uvec4, words_of, vec4 v) {
    if (STORES_CONVERTED || IN_FLOATS)
        return bits_of_four(CALL(hand_out, WHOLE ? scale_pixel(v, 1.0f / 65535.0f) : v), TYPE);
    if (WHOLE) { /* whole numbers are the lower bits of such a float */
        vec4 w = rgba(min(max(v.x, 0.0f), 65535.0f) + 8388608.0f, min(max(v.y, 0.0f), 65535.0f) + 8388608.0f,
                      min(max(v.z, 0.0f), 65535.0f) + 8388608.0f, min(max(v.w, 0.0f), 65535.0f) + 8388608.0f);
        return words(pick_bytes(bits_of_uint(w.x), bits_of_uint(w.y), 0x5410u),
                     pick_bytes(bits_of_uint(w.z), bits_of_uint(w.w), 0x5410u), 0u, 0u);
    }
    return words(halves_of(v.x, v.y), halves_of(v.z, v.w), 0u, 0u);
}

/* Column 2 t + e % 2 of tile i, of row g or, for e > 1, g + 8. */
FN vec4 pixel_of(INOUT_ARRAY(sums, out, REACHED *ALL_SUMS), int i, int e) {
    return rgba(out[i].of[e], out[TILES + i].of[e], out[2 * TILES + i].of[e], out[3 * TILES + i].of[e]);
}
/* The first outputs, which are whole: the chunk at x of the rows from y on. */
LFN(void, write_chunk, int x, int y, INOUT_ARRAY(sums, out, REACHED *ALL_SUMS)) {
    int t = THREAD_X & 3, g = THREAD_X >> 2, image = STORED_IMAGE;
    bool quick = lies_on(L.image[image].first, L.image[image].pitch, 16) && x + CHUNK <= L.width;
    UNROLL for (int e = 0; e < 4; e += 2) {
        int row = y + g + 4 * e;
        if (row < most(L.from_y, L.image[image].from_y) || row >= least(L.to_y, L.image[image].to_y))
            continue;
        address to = row_of(L.image[image].first, L.image[image].pitch, row);
        bool good = quick;
        UNROLL for (int i = 0; !WHOLE && i < TILES; i++)
            good = good && is_finite(pixel_of(out, i, e)) && is_finite(pixel_of(out, i, e + 1));
        UNROLL for (int n = 0; n < 2; n++) {
            int column = x + TILES * (2 * t + n);
            if (good) {
                uvec4 a = CALL(words_of, pixel_of(out, 0, e + n)), b = CALL(words_of, pixel_of(out, TILES - 1, e + n));
                write_u32x4(to + address(column * (4 * bytes_of(TYPE))), 0, IN_FLOATS ? a : words(a.x, a.y, b.x, b.y));
            } else {
                UNROLL for (int i = 0; i < TILES; i++)
                    CALL(put_pixel, to, column + i, row, scale_pixel(pixel_of(out, i, e + n), WHOLE ? 1.0f / 65535.0f : 1.0f));
            }
        }
    }
    SYNC_WARP;
}

#endif
