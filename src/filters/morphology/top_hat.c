/* SPDX-License-Identifier: MIT */
#define NAME top_hat
#define SUMMARY "Keep bright things smaller than a rectangle: the image less its opening"
#define EXAMPLE "top_hat=8"
#define FIRST NULL
#define SECOND "opening"
#include "filters/morphology/morphology_graph.h"
