/* SPDX-License-Identifier: MIT
 * Two half floats in a word, which CUDA adds and multiplies at a time; a is the lower one where two numbers make such a word.
 * Each result is rounded once, to nearest, small numbers kept. Vulkan has the first three alone.
 *
 *   halves_of(a, b)       two numbers as halves; lower_number, upper_number(halves) back
 *   halves_sum(a, b) halves_difference(a, b) halves_product(a, b)
 *   halves_product_sum(a, b, c)   a times b, and c added to what that is before it is rounded */
#ifndef KERNELS_GPU_HALVES_H
#define KERNELS_GPU_HALVES_H
#include "kernels/gpu/dialect/image.h"

#if defined(__CUDACC__) || defined(GLSL)
FN float lower_number(uint halves) { return float_of_half(halves & 65535u); }
FN float upper_number(uint halves) { return float_of_half(halves >> 16); }
#endif

#if defined(__CUDA_ARCH__)
FN uint halves_of(float a, float b) {
#if __CUDA_ARCH__ >= 800
    uint halves;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(halves) : "f"(b), "f"(a));
    return halves;
#else
    return half_of_float(a) | half_of_float(b) << 16;
#endif
}
#define OF_HALVES(name, instruction)                                                                                   \
    FN uint name(uint a, uint b) {                                                                                     \
        uint result;                                                                                                   \
        asm(instruction ".rn.f16x2 %0, %1, %2;" : "=r"(result) : "r"(a), "r"(b));                                      \
        return result;                                                                                                 \
    }
OF_HALVES(halves_sum, "add")
OF_HALVES(halves_difference, "sub")
OF_HALVES(halves_product, "mul")
FN uint halves_product_sum(uint a, uint b, uint c) {
    uint sum;
    asm("fma.rn.f16x2 %0, %1, %2, %3;" : "=r"(sum) : "r"(a), "r"(b), "r"(c));
    return sum;
}
#elif defined(GLSL)
uint halves_of(float a, float b) {
    if (HALVES != 0)
        return packHalf2x16(vec2(a, b));
    return half_of_float(a) | half_of_float(b) << 16;
}
#elif defined(__CUDACC__) /* the emulated device */
FN uint halves_of(float a, float b) { return half_of_float(a) | half_of_float(b) << 16; }
#define OF_HALVES(name, operation)                                                                                     \
    FN uint name(uint a, uint b) {                                                                                     \
        return halves_of(lower_number(a) operation lower_number(b), upper_number(a) operation upper_number(b));        \
    }
OF_HALVES(halves_sum, +)
OF_HALVES(halves_difference, -)
OF_HALVES(halves_product, *)
FN uint halves_product_sum(uint a, uint b, uint c) {
    return halves_of(__fmaf_rn(lower_number(a), lower_number(b), lower_number(c)),
                     __fmaf_rn(upper_number(a), upper_number(b), upper_number(c)));
}
#endif

#endif
