/* SPDX-License-Identifier: MIT */
#define NAME roberts
#define SUMMARY "Find edges: the gradient of luminance by the Roberts cross, along the two diagonals"
#define SOURCE "Roberts 1963"
#define EXAMPLE "gaussian=1.5,roberts=edge_strength=4"
#define PARAMS                                                                                                         \
    CHOICE(component, 0, "magnitude|falling|rising",                                                                   \
           "the length of the gradient, or the difference along one diagonal with its sign")                           \
    FLOAT(edge_strength, 1, 0, 100, "", "factor on the result")
#define LUMINANCE
#define RADIUS 1
#define LINEAR (P.component != 0)
#define LENGTH_OF component
#include "filter/stencil.h"

BODY {
    float falling = AT(0, 0) - AT(1, 1), rising = AT(1, 0) - AT(0, 1);
    float magnitude = sqrt(falling * falling + rising * rising);
    return (P.component == 0 ? magnitude : P.component == 1 ? falling : rising) * P.edge_strength;
}
