/* SPDX-License-Identifier: MIT */
#define NAME gradient_products
#define SUMMARY "From the gradient along x and along y: their squares as red and green, their product as blue"
#define SOURCE "the structure tensor, before its window: Harris and Stephens 1988"
#define EXAMPLE "gaussian=1.5,split[a][b];[a]sobel=x[x];[b]sobel=y[y];[x][y]gradient_products"
#define CHANNELS COLOR
#define PARAMS                                                                                                         \
    BOOL(clip, 0, "squares end at 1 and products at 1 and -1, as in the ancestors, which kept them in 8 bits")
#include "filter/pixel2.h"

BODY {
    float x = base.x, y = over.x, most = P.clip != 0 ? 1.0f : 3.0e38f;
    return rgba(min(x * x, most), min(y * y, most), clamp(x * y, -most, most), base.w);
}
