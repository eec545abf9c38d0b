/* SPDX-License-Identifier: MIT */
#define NAME hysteresis
#define SUMMARY "Threshold with two levels: white above the higher, and above the lower where connected to that"
#define ALIASES "hysteresis_threshold"
#define SOURCE "Canny 1986"
#define EXAMPLE "gaussian=1.5,sobel,hysteresis=0.25:0.6"
#define TOLERANCE 1
#include "filter/global.h"
