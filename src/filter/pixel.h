/* SPDX-License-Identifier: MIT
 * Kind: point, all channels at once. The body is `vec4 (vec4 c, place at)`: grey images come in as red = green = blue,
 * images without alpha with c.w = 1; what the image does not have is dropped from the result.
 *   BODY { float y = luminance(c); return rgba(y, y, y, c.w); } */
#define HAS_BODY
#ifndef ALPHA
#define ALPHA STRAIGHT
#endif
#include "filter/template.h"
#define BODY FN vec4 body(vec4 c, place at, BODY_BLOCK P)
BODY;
#ifdef BINARY
#define MARGIN_NAME CAT(margin_, NAME)
#define MARGIN FN float MARGIN_NAME(vec4 c, BODY_BLOCK P)
MARGIN;
#endif

#define POINT_KIND "point"
#define POINT_INPUTS 1
#define BODY_OF(a, b) body(a, at, P)
#include "filter/help/point.h"
