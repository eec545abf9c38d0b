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

#if defined(PART_DESCRIPTOR)
DESCRIPTOR("point", 2)
    .kind = WEFT_KIND_POINT, .border = -1 };

#elif defined(PART_ROWS)
#include "filter/planes.h"
static void rows(const struct weft_point_call *call) {
    const struct BLOCK P = *(const struct BLOCK *)call->block;
    const float *r = call->in[0][0], *g = call->in[0][1], *b = call->in[0][2], *a = call->in[0][3];
    const float *r2 = call->in[1][0], *g2 = call->in[1][1], *b2 = call->in[1][2], *a2 = call->in[1][3];
    WANTED_PLANES(body(rgba(r[i], g[i], b[i], a[i]), rgba(r2[i], g2[i], b2[i], a2[i]), at, P))
}
const struct weft_body CAT4(weft_body_, NAME, _, PART_ROWS) = {.point = rows};

#elif defined(PART_REFERENCE)
static void point(const void *block, const double (*in)[4], struct weft_reference_place at, int has_alpha,
                  double *out) {
    place here = {(int)at.x, (int)at.y, (int)at.width, (int)at.height};
    vec4 c = body(rgba(in[0][0], in[0][1], in[0][2], in[0][3]), rgba(in[1][0], in[1][1], in[1][2], in[1][3]), here,
                  widen(block));
    (void)has_alpha;
    out[0] = c.x, out[1] = c.y, out[2] = c.z, out[3] = c.w;
}
const struct weft_reference_body CAT(weft_reference_, NAME) = {.point = point};

#else
#include "kernels/gpu/operation.h"
BLOCK_MEMORY(BLOCK)
OPERATION(CAT(operation_, NAME)) {
    BODY_BLOCK P = BLOCK_AT(BLOCK, block);
    return channels_of(body(color_of(a, CHANNELS_A), color_of(b, CHANNELS_B), at, P), CHANNELS_RESULT);
}
#endif
