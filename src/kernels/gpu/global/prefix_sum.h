/* SPDX-License-Identifier: MIT
 * Sums of 256 whole numbers, of a thread each, from the first on. */
#ifndef KERNELS_GPU_PREFIX_SUM_H
#define KERNELS_GPU_PREFIX_SUM_H
#include "kernels/gpu/program/program.h"

SHARED(uint, sums, 256);

/* The sum of the numbers of this thread and all before; `all` becomes that of all. All threads arrive. */
FN uint sum_up_to(uint number, int thread, INOUT(uint) all) {
    uint sum = number;
    sums[thread] = sum;
    BARRIER;
    for (int step = 1; step < 256; step = step * 2) {
        uint before = thread >= step ? sums[thread - step] : 0u;
        BARRIER;
        sum = sum + before;
        sums[thread] = sum;
        BARRIER;
    }
    all = sums[255];
    BARRIER;
    return sum;
}

#endif
