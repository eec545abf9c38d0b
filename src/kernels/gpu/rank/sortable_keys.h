/* SPDX-License-Identifier: MIT
 * What medians share: floating point numbers as unsigned integers in the same order, any NaN last, and no number at all
 * after that; how many places of a neighbourhood count. */
#ifndef KERNELS_GPU_SORTABLE_KEYS_H
#define KERNELS_GPU_SORTABLE_KEYS_H
#include "kernels/gpu/dialect/image.h"

#define KEY_NAN 0xffc00000u  /* the largest of a number */
#define KEY_NONE 0xffffffffu /* of a pixel that does not count */

FN uint key_of(float v) {
    uint bits = is_nan(v) ? 0x7fc00000u : bits_of_uint(v);
    return (bits & 0x80000000u) != 0u ? ~bits : bits | 0x80000000u;
}
FN float value_of(uint key) {
    return float_of_uint((key & 0x80000000u) != 0u ? key & 0x7fffffffu : ~key);
}

/* Places of the neighbourhood of `at` that are on a line of n. */
FN int places_on(int at, int n, int radius) { return min(at + radius, n - 1) - max(at - radius, 0) + 1; }

#endif
