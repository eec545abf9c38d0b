/* SPDX-License-Identifier: MIT
 * Matrix multiply-accumulate of half floats (tensor cores), and of floats of which 11 bits count, which the 32 threads of a warp
 * make together, as mma_bytes.h does those of bytes: sums of 16 rows and 8 columns in f32. CUDA alone has them, from compute
 * capability 8.0 on. All threads of a warp must arrive; after a branch that they do not all take, SYNC_WARP.
 *
 *   multiply_add_halves(sum, left, right_a, right_b)    16 columns on the left, rows on the right, two to a word
 *   multiply_add_few_halves(sum, left_a, left_b, right)    8 columns, which are those in x and y, and 8 rows
 *   multiply_add_floats(sum, left, right_a, right_b)    8 of them; the lower 13 bits of a float do not count
 *   upper_part(bits)      of a float as bits, what counts; the rest is a float whose bits count but for the last two
 *   halves_left(a, b, halves)   the differences of two floats to these half floats
 *   times_alpha_256ths(colors, alphas, halves, left)   two and two numbers of 16 bits: products as 256ths, in two parts
 *   largest_in_warp(n)    of the numbers n of all threads of a warp
 *   product_left(a, b, product)    what a product of two and two halves (halves.h) is off
 *
 * Thread 4 g + t has, of the left: in x row g, columns 2 t and 2 t + 1 (floats: t); in y row g + 8; in z and w the same
 * rows, 8 columns further (floats: 4). Of the right: column g, rows 2 t and 2 t + 1 (t), and 8 (4) further. Of the sums: row
 * g, columns 2 t and 2 t + 1, and row g + 8. Columns on the left may be in any order in which rows on the right are too. */
#ifndef KERNELS_GPU_MMA_FLOATS_H
#define KERNELS_GPU_MMA_FLOATS_H
#include "kernels/gpu/dialect/bits.h"
#include "kernels/gpu/dialect/halves.h"

FN uint upper_part(uint bits) { return bits & 0xffffe000u; }
FN bool is_finite(float v) { return abs(v) < float_of_uint(0x7f800000u); }

#if defined(EMULATED_SHARED)
FN uint largest_in_warp(uint n) { return emulated_largest(n); }
FN void multiply_add_halves(INOUT_ARRAY(float, sum, 4), uvec4 left, uint right_a, uint right_b) {
    emulated_multiply_add_numbers(sum, left.x, left.y, left.z, left.w, right_a, right_b, true);
}
FN void multiply_add_few_halves(INOUT_ARRAY(float, sum, 4), uint left_a, uint left_b, uint right) {
    emulated_multiply_add_numbers(sum, left_a, left_b, 0u, 0u, right, 0u, true);
}
FN void multiply_add_floats(INOUT_ARRAY(float, sum, 4), uvec4 left, uint right_a, uint right_b) {
    emulated_multiply_add_numbers(sum, left.x, left.y, left.z, left.w, right_a, right_b, false);
}
#ifndef SYNC_WARP
#define SYNC_WARP ((void)0)
#endif
#else
#ifndef SYNC_WARP
#define SYNC_WARP __syncwarp()
#endif
FN uint largest_in_warp(uint n) { return __reduce_max_sync(~0u, n); }
/* volatile: all threads of a warp must execute it, so the compiler must not move it into a branch. */
#define NUMBER_SUMS(sum) "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
#define MULTIPLY_ADD_NUMBERS(name, shape)                                                                              \
    FN void name(INOUT_ARRAY(float, sum, 4), uvec4 left, uint right_a, uint right_b) {                                 \
        asm volatile("mma.sync.aligned." shape " {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"                   \
                     : NUMBER_SUMS(sum)                                                                                \
                     : "r"(left.x), "r"(left.y), "r"(left.z), "r"(left.w), "r"(right_a), "r"(right_b));                \
    }
FN void multiply_add_few_halves(INOUT_ARRAY(float, sum, 4), uint left_a, uint left_b, uint right) {
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5},{%6},{%0,%1,%2,%3};"
                 : NUMBER_SUMS(sum)
                 : "r"(left_a), "r"(left_b), "r"(right));
}
MULTIPLY_ADD_NUMBERS(multiply_add_halves, "m16n8k16.row.col.f32.f16.f16.f32")
MULTIPLY_ADD_NUMBERS(multiply_add_floats, "m16n8k8.row.col.f32.tf32.tf32.f32")
#endif
FN uint product_left(uint a, uint b, uint product) { return halves_product_sum(a, b, product ^ 0x80008000u); }
FN uint halves_left(float a, float b, uint halves) { return halves_of(a - lower_number(halves), b - upper_number(halves)); }
FN void times_alpha_256ths(uint colors, uint alphas, INOUT(uint) halves, INOUT(uint) left) {
    const float by = 1.0f / (256.0f * 65535.0f);
    float a = to_float(int(colors & 65535u)) * by * to_float(int(alphas & 65535u));
    float b = to_float(int(colors >> 16)) * by * to_float(int(alphas >> 16));
    halves = halves_of(a, b);
    left = halves_left(a, b, halves);
}

#endif
