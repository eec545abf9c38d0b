/* SPDX-License-Identifier: MIT
 * Matrix multiply-accumulate of bytes (int8 tensor cores), which the 32 threads of a warp make together: sums of 16 rows and 8
 * columns of a matrix on the left, 16 rows high, and one on the right, 8 columns wide, in 32 bits. CUDA alone has them. All threads
 * of a warp must arrive; after a branch that they do not all take, SYNC_WARP.
 *
 *   multiply_add(sum, left, right_a, right_b)          32 columns on the left, rows on the right; bytes without a sign
 *   multiply_add_signed(sum, left, right_a, right_b)   those on the left have one
 *   multiply_add_half, multiply_add_half_signed(sum, left_a, left_b, right)   the same of 16
 *   multiply_half, multiply_half_signed(sum, from, left_a, left_b, right)   the same, added to `from`, which stays
 *   shuffle_xor(v, n)                                what thread number (own ^ n) has for v
 *
 * Thread 4 g + t has, lowest byte first, of the left: in x row g, columns 4 t to 4 t + 3; in y row g + 8; in z and w
 * the same rows, columns 16 further. Of the right: column g, rows 4 t to 4 t + 3, and 16 further. Of the sums: row g, columns
 * 2 t and 2 t + 1, and row g + 8. Columns on the left may be in any order in which rows on the right are too. */
#ifndef KERNELS_GPU_MMA_BYTES_H
#define KERNELS_GPU_MMA_BYTES_H
#include "kernels/gpu/dialect/bits.h"

#if defined(EMULATED_SHARED)
#define MULTIPLY_ADD_32(name, sign)                                                                                    \
    FN void name(INOUT_ARRAY(int, sum, 4), uvec4 left, uint right_a, uint right_b) {                                   \
        emulated_multiply_add(sum, left.x, left.y, left.z, left.w, right_a, right_b, #sign[0] == 's');                 \
    }
#define MULTIPLY_ADD_16(name, sign)                                                                                    \
    FN void name(INOUT_ARRAY(int, sum, 4), uint left_a, uint left_b, uint right) {                                     \
        emulated_multiply_add(sum, left_a, left_b, 0u, 0u, right, 0u, #sign[0] == 's');                                \
    }
#define MULTIPLY_16(name, sign)                                                                                        \
    FN void name(INOUT_ARRAY(int, sum, 4), INOUT_ARRAY(int, from, 4), uint left_a, uint left_b, uint right) {          \
        for (int e = 0; e < 4; e++)                                                                                    \
            sum[e] = from[e];                                                                                          \
        emulated_multiply_add(sum, left_a, left_b, 0u, 0u, right, 0u, #sign[0] == 's');                                \
    }
#define SYNC_WARP ((void)0)
#else
#define SYNC_WARP __syncwarp()
/* volatile: nvcc must not move it to where not all threads arrive. */
#define SUMS(sum) "+r"(sum[0]), "+r"(sum[1]), "+r"(sum[2]), "+r"(sum[3])
#define NEW_SUMS(sum) "=r"(sum[0]), "=r"(sum[1]), "=r"(sum[2]), "=r"(sum[3])
#define OLD_SUMS(sum) "r"(sum[0]), "r"(sum[1]), "r"(sum[2]), "r"(sum[3])
#define TWO_SUMS(a, b) "+r"(a), "+r"(b)
#define MULTIPLY_8(sign, a, b, left, right)                                                                            \
    asm volatile("mma.sync.aligned.m8n8k16.row.col.s32." #sign ".u8.s32 {%0,%1},{%2},{%3},{%0,%1};"                    \
                 : TWO_SUMS(a, b)                                                                                      \
                 : "r"(left), "r"(right))
#if __CUDA_ARCH__ >= 800
#define MULTIPLY_ADD_32(name, sign)                                                                                    \
    FN void name(INOUT_ARRAY(int, sum, 4), uvec4 left, uint right_a, uint right_b) {                                   \
        asm volatile("mma.sync.aligned.m16n8k32.row.col.s32." #sign                                                    \
                     ".u8.s32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"                                      \
                     : SUMS(sum)                                                                                       \
                     : "r"(left.x), "r"(left.y), "r"(left.z), "r"(left.w), "r"(right_a), "r"(right_b));                \
    }
#define MULTIPLY_ADD_16(name, sign)                                                                                    \
    FN void name(INOUT_ARRAY(int, sum, 4), uint left_a, uint left_b, uint right) {                                     \
        asm volatile("mma.sync.aligned.m16n8k16.row.col.s32." #sign ".u8.s32 {%0,%1,%2,%3},{%4,%5},{%6},{%0,%1,%2,%3};" \
                     : SUMS(sum)                                                                                       \
                     : "r"(left_a), "r"(left_b), "r"(right));                                                          \
    }
#define MULTIPLY_16(name, sign)                                                                                        \
    FN void name(INOUT_ARRAY(int, sum, 4), INOUT_ARRAY(int, from, 4), uint left_a, uint left_b, uint right) {          \
        asm volatile("mma.sync.aligned.m16n8k16.row.col.s32." #sign ".u8.s32 {%0,%1,%2,%3},{%8,%9},{%10},{%4,%5,%6,%7};" \
                     : NEW_SUMS(sum)                                                                                   \
                     : OLD_SUMS(from), "r"(left_a), "r"(left_b), "r"(right));                                          \
    }
#else /* matrices of 8 rows and 16 columns alone */
#define MULTIPLY_ADD_32(name, sign)                                                                                    \
    FN void name(INOUT_ARRAY(int, sum, 4), uvec4 left, uint right_a, uint right_b) {                                   \
        MULTIPLY_8(sign, sum[0], sum[1], left.x, right_a);                                                             \
        MULTIPLY_8(sign, sum[2], sum[3], left.y, right_a);                                                             \
        MULTIPLY_8(sign, sum[0], sum[1], left.z, right_b);                                                             \
        MULTIPLY_8(sign, sum[2], sum[3], left.w, right_b);                                                             \
    }
#define MULTIPLY_ADD_16(name, sign)                                                                                    \
    FN void name(INOUT_ARRAY(int, sum, 4), uint left_a, uint left_b, uint right) {                                     \
        MULTIPLY_8(sign, sum[0], sum[1], left_a, right);                                                               \
        MULTIPLY_8(sign, sum[2], sum[3], left_b, right);                                                               \
    }
#define MULTIPLY_16(name, sign)                                                                                        \
    FN void name(INOUT_ARRAY(int, sum, 4), INOUT_ARRAY(int, from, 4), uint left_a, uint left_b, uint right) {          \
        UNROLL for (int e = 0; e < 4; e++)                                                                             \
            sum[e] = from[e];                                                                                          \
        MULTIPLY_8(sign, sum[0], sum[1], left_a, right);                                                               \
        MULTIPLY_8(sign, sum[2], sum[3], left_b, right);                                                               \
    }
#endif
#endif

MULTIPLY_ADD_32(multiply_add, u8)
MULTIPLY_ADD_32(multiply_add_signed, s8)
MULTIPLY_ADD_16(multiply_add_half, u8)
MULTIPLY_ADD_16(multiply_add_half_signed, s8)
MULTIPLY_16(multiply_half, u8)
MULTIPLY_16(multiply_half_signed, s8)
FN uint shuffle_xor(uint v, int n) { return __shfl_xor_sync(0xffffffffu, v, n); }

#endif
