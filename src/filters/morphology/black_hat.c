/* SPDX-License-Identifier: MIT */
#define NAME black_hat
#define SUMMARY "Keep dark things smaller than a rectangle, as bright: the closing less the image"
#define EXAMPLE "black_hat=8"
#define FIRST "closing"
#define SECOND NULL
#include "filters/morphology/morphology_graph.h"
