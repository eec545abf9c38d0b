/* SPDX-License-Identifier: MIT
 * Arithmetic on words that hold a bit of 32 numbers each, or several small numbers.
 *   INOUT_ARRAY(type, name, count)   an array that a function changes: after inlining, registers
 *   count_bits(v)                    those that are set, an int
 *   upper_product(a, b)              the upper 32 bits of a product of 64
 *   pick_bytes(a, b, order)          bytes of two words: the lowest is the one that the lowest hexadecimal digit of the order
 *                                    names, 0 to 3 of a, 4 to 7 of b */
#ifndef KERNELS_GPU_BITS_H
#define KERNELS_GPU_BITS_H
#include "kernels/gpu/dialect/kernel.h"

#if defined(GLSL)
#define INOUT_ARRAY(type, name, count) inout type name[count]
#define count_bits(v) bitCount(v)
FN uint upper_product(uint a, uint b) {
    uint upper, lower;
    umulExtended(a, b, upper, lower);
    return upper;
}
#else
#define INOUT_ARRAY(type, name, count) type(&name)[count]
#define count_bits(v) __popc(v)
FN uint upper_product(uint a, uint b) { return uint((unsigned long long)a * b >> 32); }
#endif

/* Bytes 0 and 2 of a word, and 1 and 3, as halves; the upper bytes of two words' halves. */
FN uint even_bytes(uint v) { return v & 0x00ff00ffu; }
#if defined(__CUDA_ARCH__)
FN uint odd_bytes(uint v) { return __byte_perm(v, 0u, 0x4341); }
FN uint upper_bytes(uint a, uint b) { return __byte_perm(a, b, 0x7531); }
FN uint pick_bytes(uint a, uint b, uint order) { return __byte_perm(a, b, order); }
#else
FN uint odd_bytes(uint v) { return v >> 8 & 0x00ff00ffu; }
FN uint upper_bytes(uint a, uint b) { return (a >> 8 & 0x00ff00ffu) | (b & 0xff00ff00u); }
FN uint pick_byte(uint a, uint b, uint which) { return ((which & 4u) != 0u ? b : a) >> int(8u * (which & 3u)) & 255u; }
FN uint pick_bytes(uint a, uint b, uint order) {
    return pick_byte(a, b, order) | pick_byte(a, b, order >> 4) << 8 | pick_byte(a, b, order >> 8) << 16 |
           pick_byte(a, b, order >> 12) << 24;
}
#endif

/* a becomes the sum of three bits; the result is the carry. */
FN uint add_bits(INOUT(uint) a, uint b, uint c) {
    uint carry = (a & b) | (c & (a ^ b));
    a = a ^ b ^ c;
    return carry;
}

/* Bit k of byte m of v[b] for bit b of byte m of v[k]. */
FN void exchange(INOUT(uint) a, INOUT(uint) b, int shift, uint mask) {
    uint differ = ((a >> shift) ^ b) & mask;
    b ^= differ;
    a ^= differ << shift;
}
FN void transpose(INOUT_ARRAY(uint, v, 8)) {
    UNROLL for (int i = 0; i < 4; i++)
        exchange(v[i], v[i + 4], 4, 0x0f0f0f0fu);
    UNROLL for (int i = 0; i < 4; i++)
        exchange(v[i + (i & 2)], v[i + (i & 2) + 2], 2, 0x33333333u);
    UNROLL for (int i = 0; i < 4; i++)
        exchange(v[2 * i], v[2 * i + 1], 1, 0x55555555u);
}

#endif
