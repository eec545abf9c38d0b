/* SPDX-License-Identifier: MIT
 * Kind: point, one channel at a time. The body is `float (float v)` with the parameters as P; alpha is not touched.
 *   BODY { return v + P.brightness; }
 * One whose result is v times a number and another, whatever the parameters, may define AFFINE true. */
#define HAS_BODY
#ifndef ALPHA
#define ALPHA STRAIGHT
#endif
#ifndef ALPHA_DOC
#define ALPHA_DOC "colors are taken straight, whatever their alpha, which is kept"
#endif
#include "filter/template.h"
#define BODY FN float body(float v, BODY_BLOCK P)
BODY;

#if defined(PART_DESCRIPTOR)
#ifndef AFFINE
#define AFFINE false
#endif
DESCRIPTOR("point", 1)
    .kind = WEFT_KIND_POINT, .border = -1, .per_channel = true, .affine = AFFINE };

#elif defined(PART_ROWS)
static void rows(const struct weft_point_call *call) {
    const struct BLOCK P = *(const struct BLOCK *)call->block;
    for (int k = 0; k < call->planes; k++) {
        const float * in = call->in[0][k];
        float * out = call->out[k];
        VECTOR_LOOP
        for (int i = 0; i < call->count; i++)
            out[i] = body(in[i], P);
    }
}
const struct weft_body CAT4(weft_body_, NAME, _, PART_ROWS) = {.point = rows};

#elif defined(PART_REFERENCE)
static void channel(const void *block, double value, double *out) { *out = body(value, widen(block)); }
const struct weft_reference_body CAT(weft_reference_, NAME) = {.channel = channel};

#else
#include "kernels/gpu/program/operation.h"
BLOCK_MEMORY(BLOCK)
OPERATION(CAT(operation_, NAME)) {
    BODY_BLOCK P = BLOCK_AT(BLOCK, block);
    int colors = CHANNELS_A - ((shape & SHAPE_ALPHA) != 0 ? 1 : 0);
    a.x = body(a.x, P);
    if (colors > 1)
        a.y = body(a.y, P);
    if (colors > 2)
        a.z = body(a.z, P);
    if (colors > 3)
        a.w = body(a.w, P);
    return a;
}
#endif
