/* SPDX-License-Identifier: MIT
 * Kind: point with two inputs of one size, all channels at once: `vec4 (vec4 base, vec4 over, place at)`. Prefer
 * blend.h for what composites by alpha. */
#define HAS_BODY
#ifndef ALPHA
#define ALPHA STRAIGHT
#endif
#include "filter/template.h"
#define BODY FN vec4 body(vec4 base, vec4 over, place at, BODY_BLOCK P)
BODY;

#define POINT_KIND "point"
#define POINT_INPUTS 2
#define BODY_OF(a, b) body(a, b, at, P)
#include "filter/help/point.h"
