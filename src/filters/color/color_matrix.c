/* SPDX-License-Identifier: MIT */
#define NAME color_matrix
#define SUMMARY "Mix the channels by a 4 x 4 matrix and add a bias"
#define SOURCE "SVG feColorMatrix, on the stored values"
#define EXAMPLE "color_matrix=0.3588|0.7044|0.1368|0|0.299|0.587|0.114|0|0.2392|0.4696|0.0912|0|0|0|0|1"
#define CHANNELS COLOR
#define AFFINE true
#define PARAMS                                                                                                         \
    FLOATS(matrix, 16, "1|0|0|0|0|1|0|0|0|0|1|0|0|0|0|1", -UNBOUNDED, UNBOUNDED,                                       \
           "rows for red, green, blue and alpha of the result, each of four factors of red, green, blue and alpha")    \
    COLOR(bias, 0, 0, 0, 0, -UNBOUNDED, UNBOUNDED, "added to the product")                                             \
    FLOAT(intensity, 1, 0, 1, "", "0 keeps the image, 1 is the full effect")
#include "filter/pixel.h"

BODY {
    float r = P.matrix[0] * c.x + P.matrix[1] * c.y + P.matrix[2] * c.z + P.matrix[3] * c.w + P.bias.x;
    float g = P.matrix[4] * c.x + P.matrix[5] * c.y + P.matrix[6] * c.z + P.matrix[7] * c.w + P.bias.y;
    float b = P.matrix[8] * c.x + P.matrix[9] * c.y + P.matrix[10] * c.z + P.matrix[11] * c.w + P.bias.z;
    float a = P.matrix[12] * c.x + P.matrix[13] * c.y + P.matrix[14] * c.z + P.matrix[15] * c.w + P.bias.w;
    return rgba(mix(c.x, r, P.intensity), mix(c.y, g, P.intensity), mix(c.z, b, P.intensity), mix(c.w, a, P.intensity));
}
