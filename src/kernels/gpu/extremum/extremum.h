/* SPDX-License-Identifier: MIT
 * The larger or smaller of two numbers, per channel; NaN counts as no value. */
#ifndef KERNELS_GPU_EXTREMUM_H
#define KERNELS_GPU_EXTREMUM_H
#include "kernels/gpu/dialect/pixel_arithmetic.h"

FN float further(float a, float b, int maximum) {
    bool beyond = maximum != 0 ? b > a : b < a;
    return is_nan(a) || (beyond && !is_nan(b)) ? b : a;
}
FN vec4 further_pixel(vec4 a, vec4 b, int maximum) {
    return rgba(further(a.x, b.x, maximum), further(a.y, b.y, maximum), further(a.z, b.z, maximum),
                further(a.w, b.w, maximum));
}

#endif
