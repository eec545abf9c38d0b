/* SPDX-License-Identifier: MIT */
#define NAME color_packing_four
#define SUMMARY "Each pixel with those to the left and above as red, green, blue and alpha, from the top left on"
#define STEP_OF "color_packing"
#define EXAMPLE "color_packing_four"
#define CHANNELS ADD_ALPHA
#define ALPHA STRAIGHT
#define PIXELS
#define RADIUS 1
#include "filter/stencil.h"

BODY { return rgba(AT(-1, -1).x, AT(0, -1).x, AT(-1, 0).x, AT(0, 0).x); }
