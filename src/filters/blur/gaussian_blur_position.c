/* SPDX-License-Identifier: MIT */
#define NAME gaussian_blur_position
#define SUMMARY "Blur what is inside a circle and keep the rest sharp: hide a face"
#define SOURCE "GPUImage's GPUImageGaussianBlurPositionFilter, with a soft rim"
#define EXAMPLE "gaussian_blur_position=12:0.55|0.4:0.2"
#define PARAMS \
    FOCUS_PARAMS(0.25, "of the circle, as a share of the image's width", 0.02, \
                 "width of the rim, inside the circle, as a share of the width")
#define FIRST_SHARP false
#include "filters/blur/focus_graph.h"
