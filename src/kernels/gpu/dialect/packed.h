/* SPDX-License-Identifier: MIT
 * Images of bytes as stored, whatever the channels: words of four bytes, pieces of four words. A pixel's neighbor
 * along a row is `channels` bytes on. For launches that read image 0 without a load program and write one image alone.
 *
 *   CALL(packed_row, y, reach)   the row that stands for row y of the input, -1 where none does; the result needs rows
 *                                `reach` away, others may not be there, and the nearest stands for those
 *   CALL(packed_input, y)        where a row that is there lies
 *   CALL(packed_near, row, y)    where row `row`, which stands for row y, lies; of -1 the nearest row of the image, which is there
 *   PACKED_IN_BYTES              bytes of a row
 *   PACKED_IN_WHOLE(n)           whether every row lies on a multiple of n bytes, a power of two: what `whole` is
 *   PACKED_OUTSIDE(none)         the byte that border=constant asks for; `none` at other borders
 *   packed_place(i, width, channels, border)     the number in a row of the byte that stands for byte i; -1 without
 *   CALL(packed_word, row, i, whole, outside)    the four from byte i on, a multiple of 4; i is anywhere, `outside` stands in
 *                                                where nothing does
 *   CALL(packed_piece, row, i, whole, outside)   the sixteen from byte i on, a multiple of 16
 *   PACKED_OUT_BYTES, PACKED_OUT_WHOLE(n)        the same of the result
 *   CALL(packed_result, y, row)                  whether its row y is to be written; where it lies goes to `row`
 *   write_packed_word, write_packed_piece(row, i, bytes, whole, w)   those before number `bytes` of the row
 *
 * Bytes in arithmetic are halves of words: two at a time go through one instruction where there are such: CUDA has them from sm_90
 * on; there the lower byte of each half may hold anything, as it only decides between equal bytes. Vulkan's devices with half-float
 * arithmetic (FLOAT16) compare half floats, where a byte n is 1024 + n. Others take five instructions.
 *
 *   odd_lanes(w) even_lanes(w)        bytes 1 and 3 of a word, 0 and 2
 *   bytes_of_lanes(even, odd)         back
 *   lanes_of_bytes_at(low, high, k)   byte k of two words
 *   lower_halves upper_halves(a, b)   of two words, those of a first
 *   next_lanes(a, b)                  the upper half of a, then the lower one of b
 *   lanes_max lanes_min(a, b), lanes_max_3 lanes_min_3(a, b, c)
 *   lanes_above(a, b, lower)          of two the larger, where the smaller is known
 *   lanes_between(a, b, c, lowest, highest)   of three the middle one, where the others are
 *   transpose_bytes(a, b, c, d)       byte k of word i becomes byte i of word k */
#ifndef KERNELS_GPU_PACKED_H
#define KERNELS_GPU_PACKED_H
#include "kernels/gpu/program/program.h"
#include "kernels/gpu/dialect/bits.h"

#define PACKED_IN_BYTES (L.in_width * in_channels_known)
#define PACKED_OUT_BYTES (L.width * channels_known)
#define PACKED_IN_WHOLE(n) lies_on(L.image[0].first, L.image[0].pitch, n)
#define PACKED_OUT_WHOLE(n) lies_on(L.image[STORED_IMAGE].first, L.image[STORED_IMAGE].pitch, n)
#define PACKED_OUTSIDE(none) (border_known == BORDER_CONSTANT ? steps_of_float(L.border_value, 255.0f) : (none))

LFN(int, packed_row, int y, int reach) {
    return border_place(min(max(y, L.from_y - reach), L.to_y - 1 + reach), L.in_height, border_known);
}
LFN(address, packed_input, int y) { return row_of(L.image[0].first, L.image[0].pitch, y); }
LFN(address, packed_near, int row, int y) { return CALL(packed_input, row >= 0 ? row : y < 0 ? 0 : L.in_height - 1); }

/* The place in its row of the byte that stands for byte i; -1 without. */
FN_FAR int packed_place(int i, int width, int channels, int border) {
    int x = i >= 0 ? i / channels : -1 - (-1 - i) / channels;
    int at = border_place(x, width, border);
    return at < 0 ? -1 : at * channels + (i - x * channels);
}
FN_FAR uint packed_around(address row, int i, int width, int channels, int border, uint outside) {
    uint w = 0u;
    ROLLED for (int k = 0; k < 4; k++) {
        int at = packed_place(i + k, width, channels, border);
        w |= (at < 0 ? outside : read_u8(row, max(at, 0))) << (8 * k);
    }
    return w;
}
LFN(uint, packed_word, address row, int i, bool whole, uint outside) {
    if (whole && i >= 0 && i + 4 <= PACKED_IN_BYTES)
        return read_u32(row, i >> 2);
    return packed_around(row, i, L.in_width, in_channels_known, border_known, outside);
}
LFN(uvec4, packed_piece, address row, int i, bool whole, uint outside) {
    if (whole && i >= 0 && i + 16 <= PACKED_IN_BYTES)
        return read_u32x4(row, i >> 4);
    uvec4 w = words(0u, 0u, 0u, 0u);
    ROLLED for (int k = 0; k < 4; k++) {
        w.x = w.y;
        w.y = w.z;
        w.z = w.w;
        w.w = packed_around(row, i + 4 * k, L.in_width, in_channels_known, border_known, outside);
    }
    return w;
}

LFN(bool, packed_result, int y, INOUT(address) row) {
    row = row_of(L.image[STORED_IMAGE].first, L.image[STORED_IMAGE].pitch, y);
    return y >= L.image[STORED_IMAGE].from_y && y < L.image[STORED_IMAGE].to_y;
}
FN void write_packed_word(address row, int i, int bytes, bool whole, uint w) {
    if (whole && i + 4 <= bytes) {
        write_u32(row, i >> 2, w);
    } else {
        ROLLED for (int k = 0; k < 4; k++)
            if (i + k < bytes)
                write_u8(row, i + k, w >> (8 * k) & 255u);
    }
}
/* Pixels x .. x + 3 of bytes, x a multiple of 4, each in a word; what is at `width` or beyond is not written. `word`, `whole`: rows
 * lie on multiples of 4 bytes; of four pixels of four channels, else of 4 bytes. */
FN void write_byte_pixels(address row, int x, int width, int channels, bool word, bool whole, uvec4 v) {
    int i = x * channels;
    bool inside = whole && x + 4 <= width;
    if (channels == 4 && inside) {
        write_u32x4(row, x >> 2, v);
    } else if (channels == 3 && inside) {
        write_u32(row, i >> 2, v.x | v.y << 24);
        write_u32(row, (i >> 2) + 1, v.y >> 8 | v.z << 16);
        write_u32(row, (i >> 2) + 2, v.z >> 16 | v.w << 8);
    } else if (channels == 1) {
        write_packed_word(row, i, width, word, v.x | v.y << 8 | v.z << 16 | v.w << 24);
    } else {
        ROLLED for (int k = 0; k < 4 && x + k < width; k++) {
            uint one = k == 0 ? v.x : k == 1 ? v.y : k == 2 ? v.z : v.w;
            if (channels == 4 && word) {
                write_u32(row, x + k, one);
            } else {
                ROLLED for (int n = 0; n < channels; n++)
                    write_u8(row, i + k * channels + n, one >> (8 * n) & 255u);
            }
        }
    }
}
FN void write_packed_piece(address row, int i, int bytes, bool whole, uvec4 w) {
    if (whole && i + 16 <= bytes) {
        write_u32x4(row, i >> 4, w);
    } else {
        ROLLED for (int k = 0; k < 16 && i + k < bytes; k++) {
            uint word = k < 4 ? w.x : k < 8 ? w.y : k < 12 ? w.z : w.w;
            write_u8(row, i + k, word >> (8 * (k & 3)) & 255u);
        }
    }
}

/* What is left of a sum, where carries from half to half cancel out. */
FN uint lanes_between(uint a, uint b, uint c, uint lowest, uint highest) { return a + b + c - lowest - highest; }
#if defined(FLOAT16)
#define LANES_OF_1024 0x64006400u
FN uint odd_lanes(uint w) { return (w >> 8 & 0x00ff00ffu) | LANES_OF_1024; }
FN uint even_lanes(uint w) { return (w & 0x00ff00ffu) | LANES_OF_1024; }
#else
FN uint odd_lanes(uint w) { return w; }
FN uint even_lanes(uint w) { return w << 8; }
#endif
#if defined(__CUDA_ARCH__)
FN uint bytes_of_lanes(uint even, uint odd) { return __byte_perm(even, odd, 0x7351); }
FN uint lanes_of_bytes_at(uint low, uint high, int k) { return __byte_perm(low, high, 0x4400 + 0x1111 * k); }
FN uint lower_halves(uint a, uint b) { return __byte_perm(a, b, 0x5410); }
FN uint upper_halves(uint a, uint b) { return __byte_perm(a, b, 0x7632); }
FN uint next_lanes(uint a, uint b) { return __byte_perm(a, b, 0x5432); }
FN uint lanes_max(uint a, uint b) { return __vmaxu2(a, b); }
FN uint lanes_min(uint a, uint b) { return __vminu2(a, b); }
FN uint lanes_above(uint a, uint b, uint lower) { return __vmaxu2(a, b); }
FN uint lanes_max_3(uint a, uint b, uint c) { return __vimax3_u16x2(a, b, c); }
FN uint lanes_min_3(uint a, uint b, uint c) { return __vimin3_u16x2(a, b, c); }
FN void transpose_bytes(INOUT(uint) a, INOUT(uint) b, INOUT(uint) c, INOUT(uint) d) {
    uint ab = __byte_perm(a, b, 0x5140), cd = __byte_perm(c, d, 0x5140);
    uint ab_above = __byte_perm(a, b, 0x7362), cd_above = __byte_perm(c, d, 0x7362);
    a = __byte_perm(ab, cd, 0x5410);
    b = __byte_perm(ab, cd, 0x7632);
    c = __byte_perm(ab_above, cd_above, 0x5410);
    d = __byte_perm(ab_above, cd_above, 0x7632);
}
#else
FN uint lower_halves(uint a, uint b) { return (a & 0xffffu) | b << 16; }
FN uint upper_halves(uint a, uint b) { return a >> 16 | (b & 0xffff0000u); }
FN uint next_lanes(uint a, uint b) { return a >> 16 | b << 16; }
#if defined(FLOAT16)
FN uint bytes_of_lanes(uint even, uint odd) { return (even & 0x00ff00ffu) | (odd << 8 & 0xff00ff00u); }
FN uint lanes_of_bytes_at(uint low, uint high, int k) {
    return (low >> (8 * k) & 255u) | (high >> (8 * k) & 255u) << 16 | LANES_OF_1024;
}
FN uint lanes_max(uint a, uint b) { return packFloat2x16(max(unpackFloat2x16(a), unpackFloat2x16(b))); }
FN uint lanes_min(uint a, uint b) { return packFloat2x16(min(unpackFloat2x16(a), unpackFloat2x16(b))); }
FN uint lanes_max_3(uint a, uint b, uint c) { return lanes_max(lanes_max(a, b), c); }
FN uint lanes_min_3(uint a, uint b, uint c) { return lanes_min(lanes_min(a, b), c); }
FN uint lanes_above(uint a, uint b, uint lower) { return lanes_max(a, b); }
#else
FN uint bytes_of_lanes(uint even, uint odd) { return (even >> 8 & 0x00ff00ffu) | (odd & 0xff00ff00u); }
FN uint lanes_of_bytes_at(uint low, uint high, int k) { return (low >> (8 * k) & 255u) << 8 | high >> (8 * k) << 24; }
FN uint lanes_max(uint a, uint b) { return (max(a, b) & 0xffff0000u) | max(a & 0xffffu, b & 0xffffu); }
FN uint lanes_min(uint a, uint b) { return (min(a, b) & 0xffff0000u) | min(a & 0xffffu, b & 0xffffu); }
FN uint lanes_max_3(uint a, uint b, uint c) {
    return (max(max(a, b), c) & 0xffff0000u) | max(max(a & 0xffffu, b & 0xffffu), c & 0xffffu);
}
FN uint lanes_min_3(uint a, uint b, uint c) {
    return (min(min(a, b), c) & 0xffff0000u) | min(min(a & 0xffffu, b & 0xffffu), c & 0xffffu);
}
FN uint lanes_above(uint a, uint b, uint lower) { return a + b - lower; }
#endif
FN void transpose_bytes(INOUT(uint) a, INOUT(uint) b, INOUT(uint) c, INOUT(uint) d) {
    exchange(a, c, 16, 0xffffu);
    exchange(b, d, 16, 0xffffu);
    exchange(a, b, 8, 0x00ff00ffu);
    exchange(c, d, 8, 0x00ff00ffu);
}
#endif

#endif
