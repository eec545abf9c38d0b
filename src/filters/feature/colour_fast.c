/* SPDX-License-Identifier: MIT */
#define NAME colour_fast
#define SUMMARY "Describe the surroundings of each pixel by a color and a direction, of the image blurred by a box"
#define ALIASES "color_fast colour_fast_feature_detector"
#define SOURCE "GPUImage's GPUImageColourFASTFeatureDetector"
#define EXAMPLE "colour_fast=4"
#define TOLERANCE 1
#define STEADY_TOLERANCE 1e-3
#define PARAMS                                                                                                         \
    INT(radius, 3, 0, 1000, "px", "of the box: 2 radius + 1 pixels each way")                                          \
    BORDER_PARAMS
#define FIRST "box"
#define FIRST_SETTING {"radius", p->radius}
#define SECOND "colour_fast_response"
#define SECOND_SETTINGS {"border", p->border}, {"border_value", p->border_value}
#include "filters/edge/steps_graph.h"
