/* SPDX-License-Identifier: MIT */
#define NAME distance_transform
#define SUMMARY "How far each bright pixel is from the nearest dark one, exactly: 0 in dark ones, 3e38 where none is dark"
#define ALIASES "edt distance_transform_edt"
#define SOURCE "Meijster, Roerdink and Hesselink 2000; SciPy's distance_transform_edt, OpenCV's distanceTransform of DIST_L2"
#define EXAMPLE "grayscale,invert,distance_transform=0.35,exposure=-5"
#define TOLERANCE 1
#define PARAMS                                                                                                         \
    FLOAT(threshold, 0.5, -UNBOUNDED, UNBOUNDED, "", "pixels are bright whose luminance exceeds it")                   \
    CHOICE(result, 0, "distance|square", "in pixels, 1 being full scale; or its square")
#define GLOBAL DISTANCE
#include "filter/global.h"
