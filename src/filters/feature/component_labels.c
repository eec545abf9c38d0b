/* SPDX-License-Identifier: MIT */
#define NAME component_labels
#define SUMMARY "The number of the component of each bright pixel, from 1 on in the order of their first pixels; 0 in dark ones"
#define STEP_OF "connected_components"
#define EXAMPLE "component_labels,exposure=-6"
#define TOLERANCE 1
#define PARAMS                                                                                                         \
    FLOAT(threshold, 0.5, -UNBOUNDED, UNBOUNDED, "", "pixels belong to components whose luminance exceeds it")         \
    CHOICE(neighbors, 0, "8|4", "how many neighbors a pixel is connected to: with those on its diagonals or without")
#define GLOBAL LABEL
#include "filter/global.h"
