/* SPDX-License-Identifier: MIT */
#define NAME threshold_edge
#define SUMMARY "Find edges: white where the Sobel gradient of luminance is long, black elsewhere"
#define ALIASES "threshold_edge_detection"
#define SOURCE "Sobel and Feldman 1968; GPUImage's GPUImageThresholdEdgeDetectionFilter compares plain differences on phones"
#define EXAMPLE "gaussian=1.5,threshold_edge=0.3"
#include "filters/edge/threshold_edge.h"
