/* SPDX-License-Identifier: MIT
 * Arithmetic on pixels for kernels that take means: vectors have no operators in CUDA. */
#ifndef KERNELS_GPU_PIXEL_ARITHMETIC_H
#define KERNELS_GPU_PIXEL_ARITHMETIC_H
#include "kernels/gpu/program/program.h"

FN vec4 same_in_all(float v) { return rgba(v, v, v, v); }
FN vec4 add_pixels(vec4 a, vec4 b) { return rgba(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
FN vec4 scale_pixel(vec4 v, float by) { return rgba(v.x * by, v.y * by, v.z * by, v.w * by); }
FN vec4 add_weighted(vec4 sum, float weight, vec4 v) {
    return rgba(sum.x + weight * v.x, sum.y + weight * v.y, sum.z + weight * v.z, sum.w + weight * v.w);
}
/* The weight in a table of 2 radius + 1, of what lies j further; 0 beyond the radius. */
FN float weight_at(address weights, int radius, int j) {
    return j >= -radius && j <= radius ? read_f32(weights, j + radius) : 0.0f;
}
FN int least(int a, int b) { return a < b ? a : b; }
FN int most(int a, int b) { return a > b ? a : b; }

/* Sums of more than this many products are made of partial sums, so that rounding does not grow with their number. */
#define PARTIAL_SUM 32

#endif
