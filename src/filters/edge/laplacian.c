/* SPDX-License-Identifier: MIT */
#define NAME laplacian
#define SUMMARY "Find edges and fine detail: the sum of second derivatives, per channel"
#define SOURCE "4 and cv3 as OpenCV's Laplacian with ksize 1 and 3"
#define EXAMPLE "gaussian=1.5,laplacian=gpuimage:0.5"
#define PARAMS                                                                                                         \
    CHOICE(kernel, 0, "4|8|cv3|gpuimage",                                                                              \
           "weights of the 4 side neighbours and 4 corners: 1 and 0, 1 and 1, 0 and 2, 1 and 0.5")                     \
    FLOAT(bias, 0, -1, 1, "", "added to the result; 0.5 shows both signs")
#define RADIUS 1
#define LINEAR true
#define KEEP_ALPHA
#include "filter/stencil.h"

BODY {
    float side = P.kernel == 2 ? 0.0f : 1.0f;
    float corner = (P.kernel == 1 ? 1.0f : 0.0f) + (P.kernel == 2 ? 2.0f : 0.0f) + (P.kernel == 3 ? 0.5f : 0.0f);
    float sides = AT(0, -1) + AT(-1, 0) + AT(1, 0) + AT(0, 1);
    float corners = AT(-1, -1) + AT(1, -1) + AT(-1, 1) + AT(1, 1);
    return side * sides + corner * corners - 4.0f * (side + corner) * AT(0, 0) + P.bias;
}
