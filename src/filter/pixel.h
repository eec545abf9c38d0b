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

#if defined(PART_DESCRIPTOR)
DESCRIPTOR("point", 1)
    .kind = WEFT_KIND_POINT, .border = -1 };

#elif defined(PART_ROWS)
#include "filter/planes.h"
static void rows(const struct weft_point_call *call) {
    const struct BLOCK P = *(const struct BLOCK *)call->block;
    const float *const *in = call->in[0];
    const float *r = in[0], *g = in[1], *b = in[2], *a = in[3];
    WANTED_PLANES(body(rgba(r[i], g[i], b[i], a[i]), at, P))
}
const struct weft_body CAT4(weft_body_, NAME, _, PART_ROWS) = {.point = rows};

#elif defined(PART_REFERENCE)
static void point(const void *block, const double (*in)[4], struct weft_reference_place at, int has_alpha,
                  double *out) {
    place here = {(int)at.x, (int)at.y, (int)at.width, (int)at.height};
    vec4 c = body(rgba(in[0][0], in[0][1], in[0][2], in[0][3]), here, widen(block));
    (void)has_alpha;
    out[0] = c.x, out[1] = c.y, out[2] = c.z, out[3] = c.w;
}
const struct weft_reference_body CAT(weft_reference_, NAME) = {.point = point};

#else
#include "kernels/gpu/operation.h"
BLOCK_MEMORY(BLOCK)
OPERATION(CAT(operation_, NAME)) {
    BODY_BLOCK P = BLOCK_AT(BLOCK, block);
    return channels_of(body(color_of(a, CHANNELS_A), at, P), CHANNELS_RESULT);
}
#endif
