/* SPDX-License-Identifier: MIT
 * Pixels between memory and registers, in every format, and what lies outside an image. */
#ifndef KERNELS_GPU_IMAGE_H
#define KERNELS_GPU_IMAGE_H
#include "kernels/gpu/dialect/kernel.h"
#include "kernels/gpu/dialect/launch.h"

/* In comparisons GLSL leaves open what NaN does; its bits are compared instead. */
#define NO_NUMBER float_of_uint(0x7fc00000u)
FN bool is_nan(float v) { return (bits_of_uint(v) & 0x7fffffffu) > 0x7f800000u; }

/* IEEE binary16. CUDA's conversions are IEEE's; Vulkan's devices may round and flush in any way unless they support rounding modes
 * (backend/vulkan/spirv/spirv_float16.c), so there, and on the processor, it is done in integers. To nearest, to even between two;
 * 65520 and more is infinity, NaN one quiet NaN. */
#if defined(GLSL)
layout(constant_id = SPECIAL_HALVES) const int HALVES = 0;
#endif
#if defined(__CUDA_ARCH__)
FN float float_of_half(uint half_bits) {
    float v;
    asm("{.reg .b16 h; cvt.u16.u32 h, %1; cvt.f32.f16 %0, h;}" : "=f"(v) : "r"(half_bits));
    return v;
}
FN uint half_of_float(float v) {
    uint half_bits;
    asm("{.reg .b16 h; cvt.rn.f16.f32 h, %1; cvt.u32.u16 %0, h;}" : "=r"(half_bits) : "f"(v));
    return is_nan(v) ? 0x7e00u | (bits_of_uint(v) >> 16 & 0x8000u) : half_bits;
}
#else
FN float float_of_half(uint half_bits) {
#if defined(GLSL)
    if (HALVES != 0)
        return unpackHalf2x16(half_bits).x;
#endif
    uint sign = (half_bits & 0x8000u) << 16, magnitude = (half_bits & 0x7fffu) << 13;
    uint normal = magnitude + (magnitude >= 0x0f800000u ? 0x70000000u : 0x38000000u);
    /* A float of exponent 2^-14 with these bits, minus 2^-14: no conversion instruction, which is 8 times as slow as an
     * addition. */
    PRECISE float tiny = float_of_uint(magnitude + 0x38800000u) - 6.103515625e-5f;
    return float_of_uint((magnitude < 0x00800000u ? bits_of_uint(tiny) : normal) | sign);
}
FN uint half_of_float(float v) {
    uint bits = bits_of_uint(v), magnitude = bits & 0x7fffffffu;
#if defined(GLSL)
    if (HALVES != 0)
        return magnitude > 0x7f800000u ? 0x7e00u | (bits >> 16 & 0x8000u) : packHalf2x16(vec2(v, 0.0f));
#endif
    uint normal = (magnitude - 0x38000000u + 0xfffu + (magnitude >> 13 & 1u)) >> 13;
    PRECISE float moved = float_of_uint(magnitude) + 0.5f;
    uint tiny = bits_of_uint(moved) - 0x3f000000u;
    uint result = magnitude < 0x38800000u ? tiny : normal;
    result = magnitude >= 0x477ff000u ? 0x7c00u : result;
    result = magnitude > 0x7f800000u ? 0x7e00u : result;
    return result | (bits >> 16 & 0x8000u);
}
#endif

/* To a whole number of steps, halves up, NaN to 0. CUDA's conversion to 8 bits clamps, and makes 0 of NaN. */
#if defined(__CUDA_ARCH__)
FN uint steps_of_half(float v); /* below */
FN uint steps_of_float(float v, float full) {
    if (full == 65535.0f)
        return steps_of_half(v) & 65535u;
    float scaled = __fadd_rn(product_of(v, full), 0.5f);
    uint steps = uint(min(max(scaled, 0.0f), full)); /* the maximum of NaN and 0 is 0 */
    if (full == 255.0f)
        asm("cvt.rzi.u8.f32 %0, %1;" : "=r"(steps) : "f"(scaled));
    return steps;
}
#else
FN uint steps_of_float(float v, float full) {
    PRECISE float scaled = product_of(v, full);
    float limited = min(max(scaled + 0.5f, 0.0f), full);
    return is_nan(v) ? 0u : uint(limited);
}
#endif

/* The units for conversions are slow. A sum of 2^23 and an integer has the integer in its low bits, so additions convert, too: half
 * k of a word to a number, where what is taken away is exact, as 2^23 is a power of two; and a number to steps of 16 bits, above
 * which the bits are undefined. */
#if defined(__CUDA_ARCH__)
FN float number_of_half(uint bits, int k) {
    return __fmaf_rn(__uint_as_float(__byte_perm(bits, 0x4b000000u, k != 0 ? 0x7632 : 0x7610)), 1.0f / 65535.0f,
                     -8388608.0f * (1.0f / 65535.0f));
}
FN uint steps_of_half(float v) {
    return __float_as_uint(__fadd_rz(__fadd_rn(product_of(__saturatef(v), 65535.0f), 0.5f), 8388608.0f));
}
/* Programs of point filters alone are limited by these units, which also make powers: bytes, too, and steps, which such a sum
 * rounds. Full scale is a little larger, so that halves round up where the addition would round to even. */
#if defined(PROGRAM_BATCH)
#define CONVERTS_BY_SUMS
FN float number_of_byte(uint bits, int k) {
    return __fmaf_rn(__uint_as_float(__byte_perm(bits, 0x4b000000u, 0x7440 + k)), 1.0f / 255.0f, -8388608.0f * (1.0f / 255.0f));
}
FN uint steps_and_more(float v, float full) {
    return __float_as_uint(__fmaf_rn(__saturatef(v), full * 1.00000012f, 8388608.0f));
}
#endif
#endif

/* A component's number by its bits, and its bits by its number. */
FN float number_of_bits(uint bits, int type) {
#if defined(CONVERTS_BY_SUMS)
    if (type == TYPE_U8)
        return number_of_byte(bits, 0);
#endif
    if (type == TYPE_U8)
        return to_float(int(bits & 255u)) * (1.0f / 255.0f);
    if (type == TYPE_U16)
        return to_float(int(bits & 65535u)) * (1.0f / 65535.0f);
    return type == TYPE_F16 ? float_of_half(bits & 65535u) : float_of_uint(bits);
}
FN uint bits_of_number(float v, int type) {
    if (type == TYPE_U8)
        return steps_of_float(v, 255.0f);
    if (type == TYPE_U16)
        return steps_of_float(v, 65535.0f);
    return type == TYPE_F16 ? half_of_float(v) : bits_of_uint(v);
}

FN float read_component(address row, int i, int type) {
    if (type == TYPE_U8)
        return number_of_bits(read_u8(row, i), TYPE_U8);
    if (type == TYPE_U16 || type == TYPE_F16)
        return number_of_bits(read_u16(row, i), type);
    if (type == TYPE_F32)
        return read_f32(row, i);
    return read_f32(row, 2 * i) + read_f32(row, 2 * i + 1);
}
FN void write_component(address row, int i, int type, float v) {
    if (type == TYPE_U8)
        write_u8(row, i, bits_of_number(v, TYPE_U8));
    else if (type == TYPE_F32)
        write_f32(row, i, v);
    else
        write_u16(row, i, bits_of_number(v, type));
}

/* The pixel at column x of a row, component by component: k in place k; 0 in places that the image does not have. */
FN vec4 read_pixel(address row, int x, int type, int channels) {
    int i = x * channels;
    vec4 v = rgba(read_component(row, i, type), 0.0f, 0.0f, 0.0f);
    if (channels > 1)
        v.y = read_component(row, i + 1, type);
    if (channels > 2)
        v.z = read_component(row, i + 2, type);
    if (channels > 3)
        v.w = read_component(row, i + 3, type);
    return v;
}
FN void write_pixel(address row, int x, int type, int channels, vec4 v) {
    int i = x * channels;
    write_component(row, i, type, v.x);
    if (channels > 1)
        write_component(row, i + 1, type, v.y);
    if (channels > 2)
        write_component(row, i + 2, type, v.z);
    if (channels > 3)
        write_component(row, i + 3, type, v.w);
}

/* The remainder of a division that rounds down: 0 .. n - 1 for any i. */
FN int modulo(int i, int n) { return i >= 0 ? i % n : n - 1 - (-1 - i) % n; }

/* The index, 0 .. n - 1, of the pixel that stands for place i of a line of n pixels; -1 where there is none (constant,
 * shrink). */
FN_FAR int border_beyond(int i, int n, int border) {
    if (border == BORDER_REPLICATE)
        return i < 0 ? 0 : n - 1;
    if (border == BORDER_MIRROR) {
        int place_there = n > 1 ? modulo(i, 2 * n - 2) : 0;
        return place_there < n ? place_there : 2 * n - 2 - place_there;
    }
    if (border == BORDER_SYMMETRIC) {
        int place_there = modulo(i, 2 * n);
        return place_there < n ? place_there : 2 * n - 1 - place_there;
    }
    if (border == BORDER_WRAP)
        return modulo(i, n);
    return -1;
}
FN int border_place(int i, int n, int border) { return i >= 0 && i < n ? i : border_beyond(i, n, border); }

#endif
