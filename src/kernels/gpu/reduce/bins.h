/* SPDX-License-Identifier: MIT
 * Which bin of a histogram a value falls into, full scale being the end of the last one; and counts of 64 bits. */
#ifndef KERNELS_GPU_BINS_H
#define KERNELS_GPU_BINS_H
#include "image/bins.h"
#include "kernels/gpu/dialect/image.h"

/* Whole numbers of `steps`, so that no quotient ends up on the wrong side of a bin's edge. */
FN int bin_of_whole(uint v, int steps, int bins) {
    int bin = int(v * uint(bins) / uint(steps));
    return bin < bins ? bin : bins - 1;
}
/* `steps`: 255 or 65535, of the image's format, or 0 for floats. */
FN int bin_of(float v, int steps, int bins) {
    if (!(v > 0.0f))
        return 0;
    if (v >= 1.0f)
        return bins - 1;
    v = v * (1.0f + BIN_REACH);
    if (steps > 0)
        return bin_of_whole(steps_of_float(v, to_float(steps)), steps, bins);
    int bin = to_int(floor(v * to_float(bins)));
    return bin < bins ? bin : bins - 1;
}

/* `n` more in the counter at word `at` and the word after it. */
FN void count_more(address table, int at, uint n) {
    if (atomic_add_u32(table, at, n) > 0xffffffffu - n)
        atomic_add_u32(table, at + 1, 1u);
}

#endif
