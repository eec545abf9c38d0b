/* SPDX-License-Identifier: MIT
 * A kernel of sum 0 would leave nothing of alpha, and so nothing to see: alpha is filtered only where that is asked for. */
#define NAME convolve3x3
#define SUMMARY "Replace each pixel by a weighted sum of its 3 x 3 neighbourhood"
#define ALIASES "convolution3x3"
#define EXAMPLE "convolve3x3=-2|-1|0|-1|1|1|0|1|2"
#define PARAMS                                                                                                         \
    FLOATS(kernel, 9, "0|0|0|0|1|0|0|0|0", -UNBOUNDED, UNBOUNDED,                                                      \
           "weights in rows, top left first, laid over the image unflipped")                                           \
    FLOAT(bias, 0, -UNBOUNDED, UNBOUNDED, "", "added to the sum")                                                      \
    KERNEL_ALPHA
#include "filter/help/kernel_alpha.h"
#define RADIUS 1
#define LINEAR true
#include "filter/stencil.h"

BODY {
    return P.kernel[0] * AT(-1, -1) + P.kernel[1] * AT(0, -1) + P.kernel[2] * AT(1, -1) + P.kernel[3] * AT(-1, 0) +
           P.kernel[4] * AT(0, 0) + P.kernel[5] * AT(1, 0) + P.kernel[6] * AT(-1, 1) + P.kernel[7] * AT(0, 1) +
           P.kernel[8] * AT(1, 1) + P.bias;
}
