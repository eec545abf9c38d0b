/* SPDX-License-Identifier: MIT
 * IEEE binary16 (one sign bit, five of exponent with a bias of 15, ten of fraction) to float and back, in integer
 * arithmetic and selections only, so that loops over pixels become vector code with any compiler and instruction set.
 */
#ifndef IMAGE_HALF_H
#define IMAGE_HALF_H
#include <stdint.h>
#include <string.h>

static inline float weft_float_of_bits(uint32_t bits) {
    float v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

static inline uint32_t weft_bits_of_float(float v) {
    uint32_t bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

/* Exact; a NaN stays one and keeps its bits. */
static inline float weft_half_to_float(uint16_t half) {
    uint32_t magnitude = (half & 0x7fffu) << 13, exponent = magnitude & 0x0f800000u;
    /* The exponent's bias grows by 112, and for infinity and NaN up to the largest exponent. */
    uint32_t normal = magnitude + (exponent == 0x0f800000u ? 0x70000000u : 0x38000000u);
    /* With the exponent 2^-14 in front, the fraction of a subnormal number has the right weight, and the sum is 2^-14 too large. */
    float tiny = weft_float_of_bits(magnitude + 0x38800000u) - 0x1p-14f;
    uint32_t bits = exponent == 0 ? weft_bits_of_float(tiny) : normal;
    return weft_float_of_bits(bits | (uint32_t)(half & 0x8000u) << 16);
}

/* To nearest, to even between two; 65520 and more is infinity, NaN one quiet NaN. */
static inline uint16_t weft_float_to_half(float v) {
    uint32_t bits = weft_bits_of_float(v), magnitude = bits & 0x7fffffffu;
    /* Adds half a unit less one, plus one when the last digit is odd; a carry into the exponent is right, also up to infinity. */
    uint32_t normal = (magnitude - 0x38000000u + 0xfffu + (magnitude >> 13 & 1)) >> 13;
    /* Below 2^-14: next to 1/2 a float's last place is 2^-24, the unit of subnormal numbers, so the sum rounds. */
    uint32_t tiny = weft_bits_of_float(weft_float_of_bits(magnitude) + 0.5f) - 0x3f000000u;
    uint32_t result = magnitude < 0x38800000u ? tiny : normal;
    result = magnitude >= 0x477ff000u ? 0x7c00u : result;
    result = magnitude > 0x7f800000u ? 0x7e00u : result;
    return (uint16_t)(result | (bits >> 16 & 0x8000u));
}

#endif
