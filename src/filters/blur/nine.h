/* SPDX-License-Identifier: MIT
 * GPUImage's weights of nine places along a path. */
#ifndef FILTERS_BLUR_NINE_H
#define FILTERS_BLUR_NINE_H

FN float nine_weight(int k) {
    float apart = abs(to_float(k) - 4.0f);
    return apart > 3.5f ? 0.05f : 0.18f - 0.03f * apart;
}

#endif
