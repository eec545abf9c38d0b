/* SPDX-License-Identifier: MIT */
#define NAME smooth_toon
#define SUMMARY "Draw as a comic without the noise: blur, then few levels and black lines"
#define SOURCE "GPUImage's GPUImageSmoothToonFilter"
#define EXAMPLE "smooth_toon=3:0.25:8"
#define TOLERANCE 1
#define PARAMS                                                                                                         \
    FLOAT(sigma, 2, 0, 10000, "px", "standard deviation of the blur before; 0 does without")                           \
    FLOAT(threshold, 0.2, 0, UNBOUNDED, "", "lines are where the gradient is at least this long; 1 is full scale")     \
    FLOAT(quantization_levels, 10, 1, 256, "", "levels of each color")                                                 \
    BORDER_PARAMS
#define FIRST "gaussian"
#define FIRST_SETTING {"sigma", p->sigma}
#define SECOND "toon"
#define SECOND_SETTINGS                                                                                                \
    {"threshold", p->threshold}, {"quantization_levels", p->quantization_levels}, {"border", p->border},               \
        {"border_value", p->border_value}
#include "filters/edge/steps_graph.h"
