/* SPDX-License-Identifier: MIT */
#define NAME clear_margin
#define SUMMARY "Make the outermost pixels 0, where a filter that looks around has seen less than it should"
#define EXAMPLE "clear_margin=12"
#define EXACT true
#define ALPHA ANY
#define PLACED true
#define PARAMS                                                                                                         \
    INT(margin, 1, 0, 10000, "px", "how many columns at the left and at the right, and rows above and below")
#include "filter/pixel.h"

BODY {
    bool inner = at.x >= P.margin && at.y >= P.margin && at.x < at.width - P.margin && at.y < at.height - P.margin;
    return inner ? c : rgba(0.0f, 0.0f, 0.0f, 0.0f);
}
