/* SPDX-License-Identifier: MIT
 * What the kernel of color matrices takes. */
#ifndef KERNELS_MATRIX_H
#define KERNELS_MATRIX_H
#include <stdbool.h>
#include <stdint.h>

/* Component k of a result is the sum of weight[k][j] times component j, and bias[k], rounded down and limited to 0 and 255.
 * The numbers are finite and below 2^20. Of a binary one, component 0 is 255 where its sum is not below 0, and 0
 * elsewhere; there are one or two components then. */
struct weft_pixel_matrix {
    float weight[4][4], bias[4];
    int32_t in, out; /* components of a pixel, 1 to 4 */
    bool binary;
};
#endif
