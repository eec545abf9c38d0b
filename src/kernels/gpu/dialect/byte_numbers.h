/* SPDX-License-Identifier: MIT
 * Bytes to floats and back without conversion instructions: a byte is put into the low bits of a float that has room for it. */
#ifndef KERNELS_GPU_BYTE_NUMBERS_H
#define KERNELS_GPU_BYTE_NUMBERS_H
#include "kernels/gpu/dialect/image.h"

/* Byte k of a word, exactly as number_of_bits makes it: the bits of 2^23 are put before the byte, and 2^23 is subtracted. */
FN float number_of_byte(uint w, int k) {
#if defined(__CUDA_ARCH__)
    float placed = float_of_uint(__byte_perm(w, 0x4b000000u, 0x7440 + k));
    return __fmaf_rn(placed, 1.0f / 255.0f, -8388608.0f * (1.0f / 255.0f));
#else
    float placed = float_of_uint(0x4b000000u | (w >> (8 * k) & 255u)) - 8388608.0f;
    return placed * (1.0f / 255.0f);
#endif
}
/* The same in steps of 255ths. */
FN float steps_of_byte(uint w, int k) {
#if defined(__CUDA_ARCH__)
    return float_of_uint(__byte_perm(w, 0x4b000000u, 0x7440 + k)) - 8388608.0f;
#else
    return to_float(int(w >> (8 * k) & 255u));
#endif
}

/* The byte nearest to a value, in the second lowest byte: the value times 256 in steps, plus half a step, added to a number that
 * leaves no fraction. */
FN uint placed_byte(float v) {
#if defined(__CUDA_ARCH__)
    return bits_of_uint(__fmaf_rz(__saturatef(v), 65280.0f, 8388736.0f));
#else
    float limited = is_nan(v) ? 0.0f : min(max(v, 0.0f), 1.0f);
    float placed = limited * 65280.0f + 8388736.0f;
    return bits_of_uint(placed);
#endif
}
FN uint placed_bytes(uint a, uint b, uint c, uint d) {
#if defined(__CUDA_ARCH__)
    return __byte_perm(__byte_perm(a, b, 0x0051), __byte_perm(c, d, 0x0051), 0x5410);
#else
    return (a >> 8 & 255u) | (b & 0xff00u) | (c << 8 & 0xff0000u) | (d << 16 & 0xff000000u);
#endif
}

/* Rounds two floats of 0 to 1 to 16-bit integers in one word. In CUDA, adding 2^23 puts the integer into the last bits but rounds
 * halves to even: full scale is a little larger, so that halves round up. */
FN uint placed_two(float low, float high) {
#if defined(__CUDA_ARCH__)
    const float full = 65535.0f * 1.00000012f;
    uint a = bits_of_uint(__fmaf_rn(__saturatef(low), full, 8388608.0f));
    return __byte_perm(a, bits_of_uint(__fmaf_rn(__saturatef(high), full, 8388608.0f)), 0x5410);
#else
    return steps_of_float(low, 65535.0f) | steps_of_float(high, 65535.0f) << 16;
#endif
}
#endif
