/* SPDX-License-Identifier: MIT */
#define NAME median
#define SUMMARY "Replace each channel by the middle value of the square around the pixel: removes specks, keeps edges"
#define ALIASES "median_blur"
#define SOURCE "Tukey 1971"
#define EXAMPLE "median=3"
#define PARAMS INT(radius, 1, 0, 1000, "px", "the square is 2 radius + 1 wide and high; 0 keeps the image")
#include "filter/rank.h"

static int32_t reach(const void *block, enum weft_direction direction) { return ((const struct BLOCK *)block)->radius; }
