/* SPDX-License-Identifier: MIT */
#define NAME solid_color
#define SUMMARY "Make an image of one color"
#define EXAMPLE "solid_color=color=0.2|0.4|0.8|1"
#define PARAMS COLOR(color, 0, 0, 0.5, 1, -UNBOUNDED, UNBOUNDED, "the color")
#include "filter/generator.h"

BODY { return P.color; }
