/* SPDX-License-Identifier: MIT */
#define NAME opening
#define SUMMARY "Remove bright things smaller than a rectangle: erode, then dilate"
#define ALIASES "morphology_open"
#define EXAMPLE "opening=4"
#define FIRST "erode"
#define SECOND "dilate"
#include "filters/morphology/pair.h"
