/* SPDX-License-Identifier: MIT */
#define NAME threshold_sketch
#define SUMMARY "Draw with ink: black where the Sobel gradient of luminance is long, white elsewhere"
#define SOURCE "GPUImage's GPUImageThresholdSketchFilter"
#define EXAMPLE "gaussian=1.5,threshold_sketch=0.3"
#define INVERTED
#include "filters/edge/threshold_edge.h"
