/* SPDX-License-Identifier: MIT
 * Weights as integers: the rounding error of each goes to the next, from the outermost in, and the center takes the rest. */
#include "filter/help/whole_weights.h"
#include <math.h>

bool weft_taps_are_mean(const struct weft_taps *taps) {
    double sum = 0;
    for (int32_t k = 0; k <= 2 * taps->radius; k++) {
        if (!(taps->weight[k] >= 0) || taps->weight[k] != taps->weight[2 * taps->radius - k])
            return false;
        sum += taps->weight[k];
    }
    return fabs(sum - 1) < 1e-6;
}

bool weft_whole_weights(const struct weft_taps *taps, int32_t radius, int32_t shift, int32_t largest, int32_t *weight,
                        double *error) {
    const double *full = taps->weight + taps->radius;
    double unit = ldexp(1, shift), carried = 0;
    int32_t center = (int32_t)1 << shift;
    *error = 0;
    for (int32_t k = taps->radius; k > radius; k--)
        *error += 2 * full[k];
    for (int32_t k = radius; k > 0; k--) {
        double wanted = full[k] * unit + carried, whole = floor(wanted + 0.5);
        if (whole < 0 || whole > largest)
            return false;
        carried = wanted - whole;
        weight[k] = (int32_t)whole;
        center -= 2 * (int32_t)whole;
        *error += 2 * fabs(full[k] - whole / unit);
    }
    if (center < 0 || center > largest)
        return false;
    weight[0] = center;
    *error += fabs(full[0] - center / unit);
    return true;
}
