/* SPDX-License-Identifier: MIT */
#define NAME draw_rect
#define SUMMARY "Draw the outline of a rectangle over the image"
#define SOURCE "aoce's DrawRectLayer, with lines centered on the edges"
#define EXAMPLE "draw_rect=0.3|0.2|0.8|0.75:2:1|0.2|0.1|1"
#define TOLERANCE 1
#define PLACED true
#define PARAMS                                                                                                         \
    FLOATS(rect, 4, "0|0|1|1", -10, 10, "left, top, right and bottom edge, as shares of the image's sides")            \
    FLOAT(radius, 1, 0, 10000, "px", "half the width of the line, less half a pixel")                                  \
    COLOR(color, 1, 0, 0, 1, 0, 1, "of the line; its alpha is how much it covers")
#include "filter/pixel.h"

/* The distance of a pixel from an edge of the rectangle, which lies on a whole pixel inside the image. */
FN float apart(int at, float share, int size) {
    float edge = floor(share * to_float(size)), last = to_float(size - 1);
    return to_float(at) - (share >= 1.0f ? min(edge, last) : edge);
}
BODY {
    float left = apart(at.x, P.rect[0], at.width), right = apart(at.x, P.rect[2], at.width);
    float top = apart(at.y, P.rect[1], at.height), bottom = apart(at.y, P.rect[3], at.height);
    float outside = max(max(-left, right), max(-top, bottom)), inside = min(min(left, -right), min(top, -bottom));
    float t = outside <= P.radius && inside <= P.radius ? P.color.w : 0.0f;
    return rgba(mix(c.x, P.color.x, t), mix(c.y, P.color.y, t), mix(c.z, P.color.z, t), c.w);
}
