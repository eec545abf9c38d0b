/* SPDX-License-Identifier: MIT
 * The larger or, by MAXIMUM, the smaller of two f32 that are held as 32-bit words; NaN does not count. For kernels that read words,
 * compare them often and write one.
 *
 *   compared_number(w)    a word as it is compared, of one that lies in an image; number_compared(w) back
 *   further_number(a, b)  of two such words
 *   NO_NUMBER_COMPARED    what no word is further from
 *
 * CUDA compares floats: of NaN and a number its maximum is the number, and 0 is above -0. Elsewhere words are put in the order
 * of whole numbers (sortable_keys.h). */
#ifndef KERNELS_GPU_EXTREMUM_FLOATS_H
#define KERNELS_GPU_EXTREMUM_FLOATS_H
#include "kernels/gpu/rank/sortable_keys.h"

#if defined(__CUDA_ARCH__)
#define NO_NUMBER_COMPARED 0x7fc00000u
FN uint compared_number(uint w) { return w; }
FN uint number_compared(uint w) { return w; }
FN uint further_number(uint a, uint b) {
    float x = float_of_uint(a), y = float_of_uint(b);
    return bits_of_uint(MAXIMUM != 0 ? fmaxf(x, y) : fminf(x, y));
}
#else
#define NO_NUMBER_COMPARED (MAXIMUM != 0 ? 0u : 0xffffffffu)
FN uint compared_number(uint w) { return is_nan(float_of_uint(w)) ? NO_NUMBER_COMPARED : key_of(float_of_uint(w)); }
FN uint number_compared(uint w) { return bits_of_uint(value_of(w)); }
FN uint further_number(uint a, uint b) { return MAXIMUM != 0 ? max(a, b) : min(a, b); }
#endif

#endif
