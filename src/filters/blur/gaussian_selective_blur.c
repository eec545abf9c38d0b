/* SPDX-License-Identifier: MIT */
#define NAME gaussian_selective_blur
#define SUMMARY "Keep what is inside a circle sharp and blur the rest"
#define SOURCE "GPUImage's GPUImageGaussianSelectiveBlurFilter, with a true circle"
#define EXAMPLE "gaussian_selective_blur=8:0.45|0.4:0.3:0.15"
#define PARAMS \
    FOCUS_PARAMS(0.1875, "of the circle, as a share of the image's width: the blur is whole outside", 0.09375, \
                 "how far inside the circle the blur begins, as a share of the width")
#define FIRST_SHARP true
#include "filters/blur/focus_graph.h"
