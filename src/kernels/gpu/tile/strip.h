/* SPDX-License-Identifier: MIT
 * Kernels whose blocks have a thread for each column of a strip: getting pixels in unrolled loops, and a tile of
 * numbers in shared memory in which threads then go along rows, four pixels each. PLANES: the kernel's channels, at
 * least. */
#ifndef KERNELS_GPU_STRIP_H
#define KERNELS_GPU_STRIP_H
#include "kernels/gpu/dialect/pixel_arithmetic.h"
#include "kernels/gpu/tile/tile.h"

/* Column c of a tile's row: every fourth column side by side. There are no bank conflicts, neither of threads with neighboring
 * columns nor of threads four columns apart. */
#define STRIP_PITCH 288
FN int strip_at(int c) { return (c & 3) * (STRIP_PITCH / 4) + (c >> 2); }

/* Adds a weighted pixel to the sum; with one channel, four pixels side by side. */
FN vec4 add_planes(vec4 sum, float weight, vec4 v) {
    sum.x = sum.x + weight * v.x;
    sum.y = sum.y + weight * v.y;
    sum.z = sum.z + weight * v.z;
    if (PLANES != 3)
        sum.w = sum.w + weight * v.w;
    return sum;
}

#if defined(GLSL) || defined(PLAIN_FORM) || FOLDED
#define strip_fetch fetch
#else
/* The interpreter of programs, not inlined, so that unrolled loops do not copy it. */
FN_CALL vec4 strip_run(const gpu_launch &L, int x, int y) {
    thread_state S;
    return CALL(fetch, x, y);
}
LFN(vec4, strip_fetch, int x, int y) {
    if (!LOADS_PLAIN)
        return strip_run(L, x, y);
    return CALL(fetch_plain, x, y);
}
#endif

/* Four numbers of one plane as pixels side by side. */
FN four_pixels four_of_plane(vec4 v) {
    four_pixels p;
    p.a = rgba(v.x, 0.0f, 0.0f, 0.0f);
    p.b = rgba(v.y, 0.0f, 0.0f, 0.0f);
    p.c = rgba(v.z, 0.0f, 0.0f, 0.0f);
    p.d = rgba(v.w, 0.0f, 0.0f, 0.0f);
    return p;
}
/* The pixels x .. x + 3 to the image; those that it has. */
LFN(void, store_four, int x, int y, four_pixels p) {
    int image = STORED_IMAGE;
    p.a = CALL(hand_out, p.a);
    p.b = CALL(hand_out, p.b);
    p.c = CALL(hand_out, p.c);
    p.d = CALL(hand_out, p.d);
    if (y >= L.image[image].from_y && y < L.image[image].to_y)
        write_four_pixels(row_of(L.image[image].first, L.image[image].pitch, y), x, L.width, stored_type, stored_channels,
                          lies_in_words(L.image[image].first, L.image[image].pitch, stored_type, stored_channels), p);
}

/* The same as words, of a pixel that is there; and the numbers of the words. What a load program makes is f32, and so is what
 * a reduction's numbers are read as. */
#define STRIP_WORDS (LOADS_PLAIN && source_type != TYPE_VALUES)
#define STRIP_TYPE (STRIP_WORDS ? source_type : TYPE_F32)
#define STRIP_CHANNELS (LOADS_CONVERTED ? source_channels : PLANES == 4 ? 4 : least(source_channels, PLANES))
LFN(uvec4, strip_bits, int column, int row) {
    if (!STRIP_WORDS) {
        vec4 v = CALL(strip_fetch, column, row);
        return words(bits_of_uint(v.x), bits_of_uint(v.y), bits_of_uint(v.z), bits_of_uint(v.w));
    }
    return read_bits_of_pixel(row_of(L.image[SOURCE_IMAGE].first, L.image[SOURCE_IMAGE].pitch, row), column, source_type,
                              STRIP_CHANNELS,
                              lies_on(L.image[SOURCE_IMAGE].first, L.image[SOURCE_IMAGE].pitch, 4 * bytes_of(source_type)));
}
LFN(vec4, strip_numbers, uvec4 bits) {
    vec4 v = pixel_of_bits(bits, STRIP_TYPE, STRIP_WORDS ? STRIP_CHANNELS : 4);
    return STRIP_WORDS ? CALL(take_in, v) : v;
}

#endif
