/* SPDX-License-Identifier: MIT
 * Kind: point without an input. The body is `vec4 (place at)`. Every generator has width, height, and channels of the
 * result: 1 grey, 3 color, 4 color and straight alpha; but one that defines INFER has none of these and says itself what
 * its result is. */
#define HAS_BODY
#ifndef INFER
#define SIZED
#define KIND_PARAMS                                                                                                    \
    FIXED_INT(width, 256, 1, 2147483647, "px", "width of the result")                                                  \
    FIXED_INT(height, 256, 1, 2147483647, "px", "height of the result")                                                \
    FIXED_INT(channels, 3, 1, 4, "", "1 grey, 2 grey and alpha, 3 color, 4 color and alpha")
#define INFER infer_size
#endif
#define ALPHA STRAIGHT
#include "filter/template.h"
#define BODY FN vec4 body(place at, BODY_BLOCK P)
BODY;

#if defined(PART_DESCRIPTOR)
#ifdef SIZED
static weft_status infer_size(const void *block, const weft_image_info *inputs, weft_image_info *output,
                              weft_error *error) {
    const struct BLOCK *p = block;
    (void)inputs, (void)error;
    output->width = p->width, output->height = p->height;
    output->format.channels = p->channels;
    output->alpha = p->channels % 2 ? WEFT_ALPHA_NONE : WEFT_ALPHA_STRAIGHT;
    return WEFT_OK;
}
#endif
DESCRIPTOR("generator", 0)
    .kind = WEFT_KIND_POINT, .border = -1 };

#elif defined(PART_ROWS)
#include "filter/planes.h"
static void rows(const struct weft_point_call *call) {
    const struct BLOCK P = *(const struct BLOCK *)call->block;
    WANTED_PLANES(body(at, P))
}
const struct weft_body CAT4(weft_body_, NAME, _, PART_ROWS) = {.point = rows};

#elif defined(PART_REFERENCE)
static void point(const void *block, const double (*in)[4], struct weft_reference_place at, int has_alpha,
                  double *out) {
    place here = {(int)at.x, (int)at.y, (int)at.width, (int)at.height};
    vec4 c = body(here, widen(block));
    (void)has_alpha, (void)in;
    out[0] = c.x, out[1] = c.y, out[2] = c.z, out[3] = c.w;
}
const struct weft_reference_body CAT(weft_reference_, NAME) = {.point = point};

#else
#include "kernels/gpu/operation.h"
BLOCK_MEMORY(BLOCK)
OPERATION(CAT(operation_, NAME)) {
    BODY_BLOCK P = BLOCK_AT(BLOCK, block);
    return channels_of(body(at, P), CHANNELS_RESULT);
}
#endif
