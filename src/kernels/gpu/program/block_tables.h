/* SPDX-License-Identifier: MIT
 * Tables that a block makes of a program before the pixels, so that a pixel takes fewer instructions. Filters at a program's
 * beginning that see one component at a time are run on all 256 bytes, a thread a byte, and leave a table of floats for each
 * component. Filters in a row whose results are weighted sums of the components and a number are run on black and on each component
 * alone, and leave a matrix. The instructions' shapes say which these are (launch.h, backend/gpu/pass/block_tables.c). */
#ifndef KERNELS_GPU_BLOCK_TABLES_H
#define KERNELS_GPU_BLOCK_TABLES_H
#include "kernels/gpu/dialect/wide.h"

/* The tables of the four components, of 256 values each: that of component c begins at 256 c. */
SHARED(float, byte_numbers, 4 * 256);
/* The matrix of run r, five pixels from 5 r on: the result for black, then what each of the four components adds to it. */
SHARED(uvec4, run_sums, 5 * PREPARED_RUNS);

FN uvec4 bits_of_pixel(vec4 v) {
    return words(bits_of_uint(v.x), bits_of_uint(v.y), bits_of_uint(v.z), bits_of_uint(v.w));
}
FN vec4 pixel_of_floats(uvec4 w) {
    return rgba(float_of_uint(w.x), float_of_uint(w.y), float_of_uint(w.z), float_of_uint(w.w));
}

FN void keep_byte(int byte, vec4 v) {
    byte_numbers[byte] = v.x;
    byte_numbers[256 + byte] = v.y;
    byte_numbers[512 + byte] = v.z;
    byte_numbers[768 + byte] = v.w;
}

/* What thread 0 to 4 runs filters on: nothing, or one component, or, where none sees another, all. */
FN vec4 probe(int thread, bool apart) {
    vec4 v = rgba(thread == 1 ? 1.0f : 0.0f, thread == 2 ? 1.0f : 0.0f, thread == 3 ? 1.0f : 0.0f, thread == 4 ? 1.0f : 0.0f);
    return apart ? rgba(1.0f, 1.0f, 1.0f, 1.0f) : v;
}
/* `v` is what became of it, `black` what became of 0. */
FN void keep_sums(int run, int thread, vec4 v, vec4 black) {
    vec4 more = rgba(v.x - black.x, v.y - black.y, v.z - black.z, v.w - black.w);
    if (thread < 5)
        run_sums[5 * run + thread] = bits_of_pixel(thread == 0 ? black : more);
}

FN vec4 scaled_and_added(vec4 sum, float v, vec4 weight) {
    return rgba(sum.x + v * weight.x, sum.y + v * weight.y, sum.z + v * weight.z, sum.w + v * weight.w);
}
FN vec4 sums_of_all(vec4 v, vec4 number, vec4 x, vec4 y, vec4 z, vec4 w) {
    return scaled_and_added(scaled_and_added(scaled_and_added(scaled_and_added(number, v.x, x), v.y, y), v.z, z), v.w, w);
}
/* The same where the last component is independent of the others. */
FN vec4 sums_of_three(vec4 v, vec4 number, vec4 x, vec4 y, vec4 z, vec4 w) {
    return rgba(number.x + v.x * x.x + v.y * y.x + v.z * z.x, number.y + v.x * x.y + v.y * y.y + v.z * z.y,
                number.z + v.x * x.z + v.y * y.z + v.z * z.z, number.w + v.w * w.w);
}
FN four_pixels run_matrix(int run, four_pixels p) {
    uvec4 last = run_sums[5 * run + 4];
    vec4 number = pixel_of_floats(run_sums[5 * run]), x = pixel_of_floats(run_sums[5 * run + 1]);
    vec4 y = pixel_of_floats(run_sums[5 * run + 2]), z = pixel_of_floats(run_sums[5 * run + 3]), w = pixel_of_floats(last);
    uint others = last.x | last.y | last.z | bits_of_uint(x.w) | bits_of_uint(y.w) | bits_of_uint(z.w);
    if ((others & 0x7fffffffu) == 0u) {
        p.a = sums_of_three(p.a, number, x, y, z, w);
        p.b = sums_of_three(p.b, number, x, y, z, w);
        p.c = sums_of_three(p.c, number, x, y, z, w);
        p.d = sums_of_three(p.d, number, x, y, z, w);
    } else {
        p.a = sums_of_all(p.a, number, x, y, z, w);
        p.b = sums_of_all(p.b, number, x, y, z, w);
        p.c = sums_of_all(p.c, number, x, y, z, w);
        p.d = sums_of_all(p.d, number, x, y, z, w);
    }
    return p;
}
FN vec4 each_sum(vec4 v, vec4 number, vec4 weight) {
    return rgba(number.x + v.x * weight.x, number.y + v.y * weight.y, number.z + v.z * weight.z, number.w + v.w * weight.w);
}
FN four_pixels run_apart(int run, four_pixels p) {
    vec4 number = pixel_of_floats(run_sums[5 * run]), weight = pixel_of_floats(run_sums[5 * run + 1]);
    p.a = each_sum(p.a, number, weight);
    p.b = each_sum(p.b, number, weight);
    p.c = each_sum(p.c, number, weight);
    p.d = each_sum(p.d, number, weight);
    return p;
}

#if defined(GLSL)
/* One pixel through a run. */
vec4 run_of_pixel(int shape, vec4 v) {
    int i = 5 * SHAPE_RUN(shape);
    vec4 number = pixel_of_floats(run_sums[i]), x = pixel_of_floats(run_sums[i + 1]);
    if ((shape & SHAPE_APART) != 0)
        return each_sum(v, number, x);
    vec4 y = pixel_of_floats(run_sums[i + 2]), z = pixel_of_floats(run_sums[i + 3]), w = pixel_of_floats(run_sums[i + 4]);
    return sums_of_all(v, number, x, y, z, w);
}
#endif

/* Bytes through the tables: the four of a word, the first of component c and the next of n components in turn. */
FN vec4 four_looked_up(uint w, int c, int n) {
    return rgba(AT_BYTE(byte_numbers, 256 * c, w, 0), AT_BYTE(byte_numbers, 256 * ((c + 1) % n), w, 1),
                AT_BYTE(byte_numbers, 256 * ((c + 2) % n), w, 2), AT_BYTE(byte_numbers, 256 * ((c + 3) % n), w, 3));
}
FN float looked_up(uint byte, int c) { return byte_numbers[256 * c + int(byte)]; }
FN vec4 one_looked_up(address row, int x, int width, int channels) {
    vec4 v = rgba(0.0f, 0.0f, 0.0f, 0.0f);
    if (x >= width)
        return v;
    v.x = looked_up(read_u8(row, x * channels), 0);
    if (channels > 1)
        v.y = looked_up(read_u8(row, x * channels + 1), 1);
    if (channels > 2)
        v.z = looked_up(read_u8(row, x * channels + 2), 2);
    if (channels > 3)
        v.w = looked_up(read_u8(row, x * channels + 3), 3);
    return v;
}
/* Four pixels side by side, of bytes, from column x on; what is not there is 0. */
FN four_pixels look_batch(address first, long_int pitch, int channels, int x, int y, int width) {
    four_pixels p;
    address row = row_of(first, pitch, y);
    bool whole = x + 4 <= width && lies_in_words(first, pitch, TYPE_U8, channels);
    if (whole && channels == 1) {
        vec4 v = four_looked_up(read_u32(row, x >> 2), 0, 1);
        p.a = rgba(v.x, 0.0f, 0.0f, 0.0f);
        p.b = rgba(v.y, 0.0f, 0.0f, 0.0f);
        p.c = rgba(v.z, 0.0f, 0.0f, 0.0f);
        p.d = rgba(v.w, 0.0f, 0.0f, 0.0f);
    } else if (whole && channels == 3) {
        int i = (x >> 2) * 3;
        vec4 u = four_looked_up(read_u32(row, i), 0, 3), v = four_looked_up(read_u32(row, i + 1), 1, 3);
        vec4 w = four_looked_up(read_u32(row, i + 2), 2, 3);
        p.a = rgba(u.x, u.y, u.z, 0.0f);
        p.b = rgba(u.w, v.x, v.y, 0.0f);
        p.c = rgba(v.z, v.w, w.x, 0.0f);
        p.d = rgba(w.y, w.z, w.w, 0.0f);
    } else if (whole && channels == 4) {
        uvec4 w = read_u32x4(row, x >> 2);
        p.a = four_looked_up(w.x, 0, 4);
        p.b = four_looked_up(w.y, 0, 4);
        p.c = four_looked_up(w.z, 0, 4);
        p.d = four_looked_up(w.w, 0, 4);
    } else {
        p.a = one_looked_up(row, x, width, channels);
        p.b = one_looked_up(row, x + 1, width, channels);
        p.c = one_looked_up(row, x + 2, width, channels);
        p.d = one_looked_up(row, x + 3, width, channels);
    }
    return p;
}

#endif
