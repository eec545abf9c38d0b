/* SPDX-License-Identifier: MIT
 * Matrix multiply-accumulate of half floats (tensor cores) that the threads of a Vulkan subgroup make together
 * (VK_NV_cooperative_matrix): sums of 16 rows and 16 columns in f32. Only the driver knows which thread holds which element of a
 * matrix. With EMULATED_MATRICES each thread makes its own part of the sums by loops: slow, for devices without tensor cores, to
 * test the code around the products.
 *
 *   WEIGHTS, NUMBERS, SUMS       the types: what is on the left, on the right, and the sums
 *   LOAD_WEIGHTS(m, table, i)    matrix i of a table of half floats, row by row
 *   LOAD_NUMBERS(m, at, columns) what lies in `ring` (uvec4) from `at` on, NUMBERS_PITCH elements from a row, or a column, to the
 *                                next
 *   MULTIPLY_ADD(w, n, sums)     gives new sums
 *   SUMS_OF(v)                   all elements are v
 *   STORE_SUMS(m, at, columns)   to `made` (float), 16 elements from a row, or a column, to the next */
#ifndef KERNELS_GPU_MMA_COOPERATIVE_H
#define KERNELS_GPU_MMA_COOPERATIVE_H
#include "kernels/gpu/dialect/image.h"

#define NUMBERS_PITCH 3 /* 48 bytes: eight of them side by side have no bank conflicts */

#if !defined(EMULATED_MATRICES)
#define WEIGHTS fcoopmatNV<16, gl_ScopeSubgroup, 16, 16>
#define NUMBERS fcoopmatNV<16, gl_ScopeSubgroup, 16, 16>
#define SUMS fcoopmatNV<32, gl_ScopeSubgroup, 16, 16>
#define LOAD_WEIGHTS(m, table, i) coopMatLoadNV(m, memory_u32x4(table).at, (i) * 32, 2, false)
#define LOAD_NUMBERS(m, at, columns) coopMatLoadNV(m, ring, at, NUMBERS_PITCH, columns)
#define MULTIPLY_ADD(w, n, sums) coopMatMulAddNV(w, n, sums)
#define SUMS_OF(v) SUMS(v)
#define STORE_SUMS(m, at, columns) coopMatStoreNV(m, made, at, 16, columns)
#else
struct WEIGHTS {
    address table;
    int first;
};
struct NUMBERS {
    int at;
    bool columns;
};
struct SUMS { /* of row lane / 2 */
    float of[8];
};
#define LOAD_WEIGHTS(m, table, i) m = WEIGHTS(table, (i) * 256)
#define LOAD_NUMBERS(m, at, columns) m = NUMBERS(at, columns)
#define MULTIPLY_ADD(w, n, sums) emulated_multiply_add(w, n, sums)
SUMS SUMS_OF(float v) {
    SUMS sums;
    for (int e = 0; e < 8; e++)
        sums.of[e] = v;
    return sums;
}
float emulated_number(NUMBERS n, int row, int column) {
    int line = n.columns ? column : row, i = n.columns ? row : column;
    return float_of_half(ring[n.at + line * NUMBERS_PITCH + i / 8][i / 2 % 4] >> 16 * (i % 2) & 65535u);
}
SUMS emulated_multiply_add(WEIGHTS w, NUMBERS n, SUMS sums) {
    for (int k = 0; k < 16; k++) {
        float weight = float_of_half(read_u16(w.table, w.first + THREAD_X / 2 * 16 + k));
        for (int e = 0; e < 8; e++)
            sums.of[e] += weight * emulated_number(n, k, THREAD_X % 2 * 8 + e);
    }
    return sums;
}
void emulated_store(SUMS sums, int at, bool columns) {
    for (int e = 0; e < 8; e++) {
        int row = THREAD_X / 2, column = THREAD_X % 2 * 8 + e;
        made[at + (columns ? column * 16 + row : row * 16 + column)] = sums.of[e];
    }
}
#define STORE_SUMS(m, at, columns) emulated_store(m, at, columns)
#endif

#endif
