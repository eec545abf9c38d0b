/* SPDX-License-Identifier: MIT */
#define NAME gaussian_selective_blur
#define SUMMARY "Keep what is inside a circle sharp and blur the rest"
#define SOURCE "GPUImage's GPUImageGaussianSelectiveBlurFilter, with a true circle"
#define EXAMPLE "gaussian_selective_blur=8:0.45|0.4:0.3:0.15"
#define PARAMS                                                                                                         \
    FLOAT(sigma, 5, 0, 10000, "px", "standard deviation of the blur")                                                  \
    FLOATS(center, 2, "0.5|0.5", -UNBOUNDED, UNBOUNDED, "of the circle, from 0|0 at the top left to 1|1")              \
    FLOAT(radius, 0.1875, 0, 10, "", "of the circle, as a share of the image's width: the blur is whole outside")      \
    FLOAT(fall_off, 0.09375, 0, 10, "", "how far inside the circle the blur begins, as a share of the width")          \
    BORDER_PARAMS
#define FIRST_SHARP true
#include "filters/blur/focus_graph.h"
