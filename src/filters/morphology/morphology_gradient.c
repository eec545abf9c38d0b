/* SPDX-License-Identifier: MIT */
#define NAME morphology_gradient
#define SUMMARY "Outline things: what a rectangle's largest value exceeds its smallest by"
#define ALIASES "morphological_gradient"
#define EXAMPLE "morphology_gradient=2"
#define FIRST "dilate"
#define SECOND "erode"
#include "filters/morphology/morphology_graph.h"
