/* SPDX-License-Identifier: MIT
 * What the kinds of point filters that see all channels of a pixel at once have in common; pixel.h, pixel2.h and
 * generator.h include it after
 *   POINT_KIND      the kind's word in help
 *   POINT_INPUTS    0 to 2
 *   BODY_OF(a, b)   the call of the body for pixels a and b of the inputs, at place `at`, with the parameters P
 * A filter whose body looks at `at` defines PLACED true: the same pixel gives other results elsewhere. One each channel of
 * whose result depends on the same channel alone may define APART true, and one whose result is a weighted sum of the
 * channels and a number, whatever the parameters, AFFINE true; alpha is a channel. One that has CHANNELS GREY and whose
 * color is 1 where such a sum is not below 0, and 0 elsewhere, may define BINARY true and give the sum as its MARGIN. One
 * that makes the larger or the smaller of two numbers, by its parameters, names the function that says which as REDUCTION. */

#if defined(PART_DESCRIPTOR)
#ifndef PLACED
#define PLACED false
#endif
#ifndef APART
#define APART false
#endif
#ifndef AFFINE
#define AFFINE false
#endif
#ifndef BINARY
#define BINARY false
#endif
#ifndef REDUCTION
#define REDUCTION NULL
#endif
DESCRIPTOR(POINT_KIND, POINT_INPUTS)
    .kind = WEFT_KIND_POINT, .border = -1, .placed = PLACED, .apart = APART, .affine = AFFINE,
    .binary = BINARY, .reduction = REDUCTION };

#elif defined(PART_ROWS)
#include "filter/help/planes.h"
static void rows(const struct weft_point_call *call) {
    const struct BLOCK P = *(const struct BLOCK *)call->block;
#if POINT_INPUTS > 0
    const float *r = call->in[0][0], *g = call->in[0][1], *b = call->in[0][2], *a = call->in[0][3];
#endif
#if POINT_INPUTS > 1
    const float *r2 = call->in[1][0], *g2 = call->in[1][1], *b2 = call->in[1][2], *a2 = call->in[1][3];
#endif
#ifdef APART
    WANTED_PLANES_APART(BODY_OF(rgba(r[i], g[i], b[i], a[i]), rgba(r2[i], g2[i], b2[i], a2[i])))
#else
    WANTED_PLANES(BODY_OF(rgba(r[i], g[i], b[i], a[i]), rgba(r2[i], g2[i], b2[i], a2[i])))
#endif
}
#ifdef BINARY
static void margins(const struct weft_point_call *call) {
    const struct BLOCK P = *(const struct BLOCK *)call->block;
    const float *r = call->in[0][0], *g = call->in[0][1], *b = call->in[0][2], *a = call->in[0][3];
    float *out = call->out[0];
    VECTOR_LOOP
    for (int i = 0; i < call->count; i++)
        out[i] = MARGIN_NAME(rgba(r[i], g[i], b[i], a[i]), P);
}
#else
#define margins NULL
#endif
const struct weft_body CAT4(weft_body_, NAME, _, PART_ROWS) = {.point = rows, .margin = margins};

#elif defined(PART_REFERENCE)
static void point(const void *block, const double (*in)[4], struct weft_reference_place where, int has_alpha,
                  double *out) {
    place at = {(int)where.x, (int)where.y, (int)where.width, (int)where.height};
    BODY_BLOCK P = widen(block);
    vec4 c = BODY_OF(rgba(in[0][0], in[0][1], in[0][2], in[0][3]), rgba(in[1][0], in[1][1], in[1][2], in[1][3]));
    (void)has_alpha, (void)in;
    out[0] = c.x, out[1] = c.y, out[2] = c.z, out[3] = c.w;
}
const struct weft_reference_body CAT(weft_reference_, NAME) = {.point = point};

#else
#include "kernels/gpu/program/operation.h"
BLOCK_MEMORY(BLOCK)
OPERATION(CAT(operation_, NAME)) {
    BODY_BLOCK P = BLOCK_AT(BLOCK, block);
    return channels_of(BODY_OF(color_of(a, CHANNELS_A), color_of(b, CHANNELS_B)), CHANNELS_RESULT);
}
#endif
