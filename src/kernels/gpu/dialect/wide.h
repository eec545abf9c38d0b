/* SPDX-License-Identifier: MIT
 * Pixels in few accesses of memory. A pixel of four components is one word of 4, 8 or 16 bytes, and so are four pixels of one
 * component each; where images are aligned to that, it is one memory access. Words are loaded before they are needed and converted
 * later, so that many loads are in flight at a time. */
#ifndef KERNELS_GPU_WIDE_H
#define KERNELS_GPU_WIDE_H
#include "kernels/gpu/dialect/image.h"
#include "kernels/gpu/dialect/halves.h"

FN int bytes_of(int type) { return type == TYPE_U8 ? 1 : type == TYPE_U16 || type == TYPE_F16 ? 2 : type == TYPE_F32 ? 4 : 8; }
/* Whether every row begins on a multiple of `size` bytes, a power of two. */
FN bool lies_on(address first, long_int pitch, int size) { return ((uint(first) | uint(pitch)) & uint(size - 1)) == 0u; }
/* Whether pixels x .. x + 3, x a multiple of 4, are read and written in words: what read_four_pixels and write_four_pixels
 * call `whole`. */
FN bool lies_in_words(address first, long_int pitch, int type, int channels) {
    return lies_on(first, pitch, channels == 1 ? 4 * bytes_of(type) : 16);
}
FN address row_of(address first, long_int pitch, int y) { return first + address(long_int(y) * pitch); }

/* Element `first` and as many more as byte k of a word says of a table in shared memory. One dot product of
 * four bytes (__dp4a) takes the byte out of the word and multiplies it by an element's size. */
#if defined(__CUDA_ARCH__)
template <class type> FN type at_byte(const type *table, int first, uint w, int k) {
    return *(const type *)((const char *)(table + first) + __dp4a(w, uint(sizeof(type)) << (8 * k), 0u));
}
#define AT_BYTE(table, first, w, k) at_byte(table, first, w, k)
#else
#define AT_BYTE(table, first, w, k) table[(first) + int((w) >> (8 * (k)) & 255u)]
#endif

FN uint read_bits(address row, int i, int type) {
    return type == TYPE_U8 ? read_u8(row, i) : type == TYPE_F32 ? read_u32(row, i) : read_u16(row, i);
}
/* Four components from number i on, a multiple of 4, as stored. `whole`: the row begins on a multiple of their size. */
FN uvec4 read_four(address row, int i, int type, bool whole) {
    if (type == TYPE_U8) {
        if (whole)
            return words(read_u32(row, i >> 2), 0u, 0u, 0u);
        return words(read_u8(row, i) | read_u8(row, i + 1) << 8 | read_u8(row, i + 2) << 16 | read_u8(row, i + 3) << 24, 0u,
                     0u, 0u);
    }
    if (type == TYPE_U16 || type == TYPE_F16) {
        if (whole)
            return read_u32x2(row, i >> 2);
        return words(read_u16(row, i) | read_u16(row, i + 1) << 16, read_u16(row, i + 2) | read_u16(row, i + 3) << 16, 0u, 0u);
    }
    if (whole)
        return read_u32x4(row, i >> 2);
    return words(read_u32(row, i), read_u32(row, i + 1), read_u32(row, i + 2), read_u32(row, i + 3));
}
FN vec4 numbers_of_four(uvec4 w, int type) {
#if defined(CONVERTS_BY_SUMS)
    if (type == TYPE_U8)
        return rgba(number_of_byte(w.x, 0), number_of_byte(w.x, 1), number_of_byte(w.x, 2), number_of_byte(w.x, 3));
#endif
#if defined(__CUDA_ARCH__)
    if (type == TYPE_U16)
        return rgba(number_of_half(w.x, 0), number_of_half(w.x, 1), number_of_half(w.y, 0), number_of_half(w.y, 1));
#endif
#if defined(GLSL)
    if (HALVES != 0 && type == TYPE_F16)
        return vec4(unpackHalf2x16(w.x), unpackHalf2x16(w.y));
#endif
    if (type == TYPE_U8)
        return rgba(number_of_bits(w.x, type), number_of_bits(w.x >> 8, type), number_of_bits(w.x >> 16, type),
                    number_of_bits(w.x >> 24, type));
    if (type == TYPE_U16 || type == TYPE_F16)
        return rgba(number_of_bits(w.x, type), number_of_bits(w.x >> 16, type), number_of_bits(w.y, type),
                    number_of_bits(w.y >> 16, type));
    return rgba(float_of_uint(w.x), float_of_uint(w.y), float_of_uint(w.z), float_of_uint(w.w));
}
/* Packs the bits of four components into words, as stored. */
FN uvec4 pack_four(uvec4 w, int type) {
    if (type == TYPE_U8)
        return words(w.x | w.y << 8 | w.z << 16 | w.w << 24, 0u, 0u, 0u);
    return type == TYPE_F32 ? w : words(w.x | w.y << 16, w.z | w.w << 16, 0u, 0u);
}
FN uvec4 bits_of_four(vec4 v, int type) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    if (type == TYPE_F16 && !is_nan(v.x + v.y + v.z + v.w))
        return words(halves_of(v.x, v.y), halves_of(v.z, v.w), 0u, 0u);
#endif
#if defined(CONVERTS_BY_SUMS)
    if (type == TYPE_U8) {
        uint low = __byte_perm(steps_and_more(v.x, 255.0f), steps_and_more(v.y, 255.0f), 0x0040);
        uint high = __byte_perm(steps_and_more(v.z, 255.0f), steps_and_more(v.w, 255.0f), 0x0040);
        return words(__byte_perm(low, high, 0x5410), 0u, 0u, 0u);
    }
    if (type == TYPE_U16)
        return words(__byte_perm(steps_and_more(v.x, 65535.0f), steps_and_more(v.y, 65535.0f), 0x5410),
                     __byte_perm(steps_and_more(v.z, 65535.0f), steps_and_more(v.w, 65535.0f), 0x5410), 0u, 0u);
#endif
#if defined(__CUDA_ARCH__)
    if (type == TYPE_U16)
        return words(__byte_perm(steps_of_half(v.x), steps_of_half(v.y), 0x5410),
                     __byte_perm(steps_of_half(v.z), steps_of_half(v.w), 0x5410), 0u, 0u);
#endif
#if defined(GLSL)
    if (HALVES != 0 && type == TYPE_F16 && !is_nan(v.x + v.y + v.z + v.w))
        return uvec4(packHalf2x16(vec2(v.x, v.y)), packHalf2x16(vec2(v.z, v.w)), 0u, 0u);
#endif
    return pack_four(words(bits_of_number(v.x, type), bits_of_number(v.y, type), bits_of_number(v.z, type),
                           bits_of_number(v.w, type)),
                     type);
}
FN void write_bits(address row, int i, int type, uint bits) {
    if (type == TYPE_U8)
        write_u8(row, i, bits);
    else if (type == TYPE_F32)
        write_u32(row, i, bits);
    else
        write_u16(row, i, bits);
}
FN void write_four_bits(address row, int i, int type, bool whole, uvec4 w) {
    if (whole && type == TYPE_U8) {
        write_u32(row, i >> 2, w.x);
    } else if (whole && type == TYPE_F32) {
        write_u32x4(row, i >> 2, w);
    } else if (whole) {
        write_u32x2(row, i >> 2, w);
    } else if (type == TYPE_U8) {
        write_u8(row, i, w.x & 255u);
        write_u8(row, i + 1, w.x >> 8 & 255u);
        write_u8(row, i + 2, w.x >> 16 & 255u);
        write_u8(row, i + 3, w.x >> 24);
    } else if (type == TYPE_F32) {
        write_u32(row, i, w.x);
        write_u32(row, i + 1, w.y);
        write_u32(row, i + 2, w.z);
        write_u32(row, i + 3, w.w);
    } else {
        write_u16(row, i, w.x & 65535u);
        write_u16(row, i + 1, w.x >> 16);
        write_u16(row, i + 2, w.y & 65535u);
        write_u16(row, i + 3, w.y >> 16);
    }
}
FN void write_four(address row, int i, int type, bool whole, vec4 v) {
    write_four_bits(row, i, type, whole, bits_of_four(v, type));
}

/* A pixel of any format; `whole`: the row lies on a multiple of a pixel of four components. */
FN vec4 read_one(address row, int x, int type, int channels, bool whole) {
    if (channels == 4 && whole)
        return numbers_of_four(read_four(row, 4 * x, type, true), type);
    return read_pixel(row, x, type, channels);
}
FN void write_one(address row, int x, int type, int channels, bool whole, vec4 v) {
    if (channels == 4 && whole)
        write_four(row, 4 * x, type, true, v);
    else
        write_pixel(row, x, type, channels, v);
}

/* Four pixels side by side, and their places x .. x + 3 in a row, x a multiple of 4; what is at `width` or beyond is not
 * written. `whole`: the row lies in words. */
struct four_pixels {
    vec4 a, b, c, d;
};
FN void write_four_pixels(address row, int x, int width, int type, int channels, bool whole, four_pixels p) {
    if (x + 4 <= width && channels == 1) {
        write_four(row, x, type, whole, rgba(p.a.x, p.b.x, p.c.x, p.d.x));
    } else if (whole && x + 4 <= width && channels == 4 && type == TYPE_U8) {
        write_u32x4(row, x >> 2, words(bits_of_four(p.a, type).x, bits_of_four(p.b, type).x, bits_of_four(p.c, type).x,
                                       bits_of_four(p.d, type).x));
    } else if (whole && x + 4 <= width && channels == 4 && type != TYPE_F32) {
        uvec4 a = bits_of_four(p.a, type), b = bits_of_four(p.b, type), c = bits_of_four(p.c, type),
              d = bits_of_four(p.d, type);
        write_u32x4(row, x >> 1, words(a.x, a.y, b.x, b.y));
        write_u32x4(row, (x >> 1) + 1, words(c.x, c.y, d.x, d.y));
    } else if (whole && x + 4 <= width && channels == 3) {
        write_four(row, 3 * x, type, true, rgba(p.a.x, p.a.y, p.a.z, p.b.x));
        write_four(row, 3 * x + 4, type, true, rgba(p.b.y, p.b.z, p.c.x, p.c.y));
        write_four(row, 3 * x + 8, type, true, rgba(p.c.z, p.d.x, p.d.y, p.d.z));
    } else {
        if (x < width)
            write_one(row, x, type, channels, whole, p.a);
        if (x + 1 < width)
            write_one(row, x + 1, type, channels, whole, p.b);
        if (x + 2 < width)
            write_one(row, x + 2, type, channels, whole, p.c);
        if (x + 3 < width)
            write_one(row, x + 3, type, channels, whole, p.d);
    }
}

/* A pixel as it lies, `whole`: rows lie on multiples of a pixel of four components; and the numbers of one. */
FN uvec4 read_bits_of_pixel(address row, int x, int type, int channels, bool whole) {
    if (channels == 4)
        return read_four(row, 4 * x, type, whole);
    uvec4 w = words(read_bits(row, x * channels, type), 0u, 0u, 0u);
    if (channels > 1)
        w.y = read_bits(row, x * channels + 1, type);
    if (channels > 2)
        w.z = read_bits(row, x * channels + 2, type);
    return w;
}
FN vec4 pixel_of_bits(uvec4 w, int type, int channels) {
    if (channels == 4)
        return numbers_of_four(w, type);
    vec4 v = rgba(number_of_bits(w.x, type), 0.0f, 0.0f, 0.0f);
    if (channels > 1)
        v.y = number_of_bits(w.y, type);
    if (channels > 2)
        v.z = number_of_bits(w.z, type);
    return v;
}

/* The pixel x, y of an image whose row 0 is at `first`. */
FN vec4 read_pixel_of(address first, long_int pitch, int x, int y, int type, int channels) {
    return read_one(row_of(first, pitch, y), x, type, channels,
                    lies_on(first, pitch, 4 * bytes_of(type)) && type != TYPE_VALUES);
}
FN void write_pixel_of(address first, long_int pitch, int x, int y, int type, int channels, vec4 v) {
    write_one(row_of(first, pitch, y), x, type, channels, lies_on(first, pitch, 4 * bytes_of(type)), v);
}

/* Four pixels x .. x + 3 that are there, x a multiple of 4, as they lie; `whole`: the row lies in words. And their numbers. */
struct four_words {
    uvec4 a, b, c, d;
};
FN four_words read_four_words(address row, int x, int type, int channels, bool whole) {
    four_words w;
    if (channels == 1) {
        w.a = read_four(row, x, type, whole);
    } else if (whole && channels == 4 && type == TYPE_U8) {
        w.a = read_u32x4(row, x >> 2);
    } else if (whole && channels == 4 && type != TYPE_F32) {
        w.a = read_u32x4(row, x >> 1);
        w.b = read_u32x4(row, (x >> 1) + 1);
    } else if (whole && channels == 3) {
        w.a = read_four(row, 3 * x, type, true);
        w.b = read_four(row, 3 * x + 4, type, true);
        w.c = read_four(row, 3 * x + 8, type, true);
    } else {
        w.a = read_bits_of_pixel(row, x, type, channels, whole);
        w.b = read_bits_of_pixel(row, x + 1, type, channels, whole);
        w.c = read_bits_of_pixel(row, x + 2, type, channels, whole);
        w.d = read_bits_of_pixel(row, x + 3, type, channels, whole);
    }
    return w;
}
FN four_pixels pixels_of_words(four_words w, int type, int channels, bool whole) {
    four_pixels p;
    if (channels == 1) {
        vec4 v = numbers_of_four(w.a, type);
        p.a = rgba(v.x, 0.0f, 0.0f, 0.0f);
        p.b = rgba(v.y, 0.0f, 0.0f, 0.0f);
        p.c = rgba(v.z, 0.0f, 0.0f, 0.0f);
        p.d = rgba(v.w, 0.0f, 0.0f, 0.0f);
    } else if (whole && channels == 4 && type == TYPE_U8) {
        p.a = numbers_of_four(words(w.a.x, 0u, 0u, 0u), type);
        p.b = numbers_of_four(words(w.a.y, 0u, 0u, 0u), type);
        p.c = numbers_of_four(words(w.a.z, 0u, 0u, 0u), type);
        p.d = numbers_of_four(words(w.a.w, 0u, 0u, 0u), type);
    } else if (whole && channels == 4 && type != TYPE_F32) {
        p.a = numbers_of_four(w.a, type);
        p.b = numbers_of_four(words(w.a.z, w.a.w, 0u, 0u), type);
        p.c = numbers_of_four(w.b, type);
        p.d = numbers_of_four(words(w.b.z, w.b.w, 0u, 0u), type);
    } else if (whole && channels == 3) {
        vec4 s = numbers_of_four(w.a, type), t = numbers_of_four(w.b, type), u = numbers_of_four(w.c, type);
        p.a = rgba(s.x, s.y, s.z, 0.0f);
        p.b = rgba(s.w, t.x, t.y, 0.0f);
        p.c = rgba(t.z, t.w, u.x, 0.0f);
        p.d = rgba(u.y, u.z, u.w, 0.0f);
    } else {
        p.a = pixel_of_bits(w.a, type, channels);
        p.b = pixel_of_bits(w.b, type, channels);
        p.c = pixel_of_bits(w.c, type, channels);
        p.d = pixel_of_bits(w.d, type, channels);
    }
    return p;
}
FN four_pixels read_four_pixels(address row, int x, int type, int channels, bool whole) {
    return pixels_of_words(read_four_words(row, x, type, channels, whole), type, channels, whole);
}

#endif
