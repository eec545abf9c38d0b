/* SPDX-License-Identifier: MIT */
#define NAME gaussian_blur_position
#define SUMMARY "Blur what is inside a circle and keep the rest sharp: hide a face"
#define SOURCE "GPUImage's GPUImageGaussianBlurPositionFilter, with a soft rim"
#define EXAMPLE "gaussian_blur_position=12:0.55|0.4:0.2"
#define PARAMS                                                                                                         \
    FLOAT(sigma, 5, 0, 10000, "px", "standard deviation of the blur")                                                  \
    FLOATS(center, 2, "0.5|0.5", -UNBOUNDED, UNBOUNDED, "of the circle, from 0|0 at the top left to 1|1")              \
    FLOAT(radius, 0.25, 0, 10, "", "of the circle, as a share of the image's width")                                   \
    FLOAT(fall_off, 0.02, 0, 10, "", "width of the rim, inside the circle, as a share of the width")                   \
    BORDER_PARAMS
#define FIRST_SHARP false
#include "filters/blur/focus_graph.h"
