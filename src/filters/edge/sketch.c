/* SPDX-License-Identifier: MIT */
#define NAME sketch
#define SUMMARY "Draw with a pencil: dark lines where the luminance changes, on white"
#define SOURCE "GPUImage's GPUImageSketchFilter: 1 less the length of the Sobel gradient"
#define EXAMPLE "gaussian=1,sketch"
#define TOLERANCE 4e-6
#define PARAMS                                                                                                         \
    FLOAT(edge_strength, 1, 0, 100, "", "factor on the gradient")                                                      \
    BORDER_PARAMS
#define FIRST "sobel"
#define FIRST_SETTING {"edge_strength", p->edge_strength}
#define INVERTED
#include "filters/edge/steps_graph.h"
