/* SPDX-License-Identifier: MIT */
#define NAME closing
#define SUMMARY "Fill dark things smaller than a rectangle: dilate, then erode"
#define ALIASES "morphology_close"
#define EXAMPLE "closing=4"
#define FIRST "dilate"
#define SECOND "erode"
#include "filters/morphology/pair.h"
