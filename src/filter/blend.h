/* SPDX-License-Identifier: MIT
 * Kind: point with two inputs, a separable blend mode of W3C Compositing and Blending Level 1. The body is the mode's
 * function `float (float b, float s)` of one channel of the backdrop b (first input) and the source s (second input);
 * the kind composites by both alphas, source over:
 *   a = as + ab (1 - as),  c a = (1 - as) ab cb + (1 - ab) as cs + as ab f(cb, cs),  as scaled by `opacity`. */
#define HAS_BODY
#define KIND_PARAMS FLOAT(opacity, 1, 0, 1, "", "scales the alpha of the second input")
#ifndef ALPHA
#define ALPHA STRAIGHT
#endif
#ifndef SOURCE
#define SOURCE "W3C Compositing and Blending Level 1"
#endif
#include "filter/template.h"
#define BODY FN float body(float b, float s, BODY_BLOCK P)
BODY;

/* One channel over another, `backdrop` and `source` being the alphas; result is the alpha of the outcome. */
#if !defined(PART_DESCRIPTOR)
FN float composite(float b, float s, float backdrop, float source, float result, BODY_BLOCK P) {
    float weighted = (1.0f - source) * backdrop * b + (1.0f - backdrop) * source * s + source * backdrop * body(b, s, P);
    return weighted / (result > 0.0f ? result : 1.0f);
}
#endif

#if defined(PART_DESCRIPTOR)
DESCRIPTOR("point", 2)
    .kind = WEFT_KIND_POINT, .border = -1, .planewise = true };

#elif defined(PART_ROWS)
static void rows(const struct weft_point_call *call) {
    const struct BLOCK P = *(const struct BLOCK *)call->block;
    const float * backdrop = call->in[0][3], * source = call->in[1][3];
    float * result = call->out[3];
    VECTOR_LOOP
    for (int i = 0; i < call->count; i++) {
        float over = source[i] * P.opacity;
        result[i] = over + backdrop[i] * (1.0f - over);
    }
    for (int k = 0; k < 3; k++) {
        /* A grey image has its one plane in all three places. */
        if (k > 0 && call->in[0][k] == call->in[0][0] && call->in[1][k] == call->in[1][0]) {
            memcpy(call->out[k], call->out[0], (size_t)call->count * sizeof(float));
            continue;
        }
        const float * b = call->in[0][k], * s = call->in[1][k];
        float * out = call->out[k];
        if (call->alpha)
            VECTOR_LOOP
            for (int i = 0; i < call->count; i++)
                out[i] = composite(b[i], s[i], backdrop[i], source[i] * P.opacity, result[i], P);
        else
            VECTOR_LOOP
            for (int i = 0; i < call->count; i++)
                out[i] = mix(b[i], body(b[i], s[i], P), P.opacity);
    }
}
const struct weft_body CAT4(weft_body_, NAME, _, PART_ROWS) = {.point = rows};

#elif defined(PART_REFERENCE)
static void point(const void *block, const double (*in)[4], struct weft_reference_place at, int has_alpha, double *out) {
    struct block_f64 P = widen(block);
    double over = in[1][3] * P.opacity;
    (void)at, (void)has_alpha;
    out[3] = over + in[0][3] * (1 - over);
    for (int k = 0; k < 3; k++)
        out[k] = composite(in[0][k], in[1][k], in[0][3], over, out[3], P);
}
const struct weft_reference_body CAT(weft_reference_, NAME) = {.point = point};

#else
#include "kernels/check.h"
KERNEL { OUT(0, composite(IN(0), IN(1), IN(2), IN(3) * P.opacity, IN(4), P)); }
#endif
