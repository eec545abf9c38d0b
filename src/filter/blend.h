/* SPDX-License-Identifier: MIT
 * Kind: point with two inputs, a separable blend mode of W3C Compositing and Blending Level 1. The body is the mode's
 * function `float (float b, float s)` of one channel of the backdrop b (first input) and the source s (second input);
 * the kind composites by both alphas, source over:
 *   a = as + ab (1 - as),  c a = (1 - as) ab cb + (1 - ab) as cs + as ab f(cb, cs),  as scaled by `opacity`.
 *
 * After the body comes COMPAT, the formula of compat=gpuimage for one channel, ba and sa being the alphas:
 * `float (float b, float s, float ba, float sa, float rest)`, rest = s (1 - ba) + b (1 - sa) what each shows outside the
 * other. Its alpha is COMPAT_ALPHA, an expression of ba and sa.
 *   BODY { return b * s; }
 *   COMPAT { return s * b + rest; }
 * A file that defines OPACITY, a parameter of its own, has it instead of `opacity`. */
#define HAS_BODY
#include "filter/blend_params.h"
#ifndef OPACITY
#define OPACITY opacity
#define KIND_PARAMS BLEND_PARAMS
#else
#define KIND_PARAMS BLEND_COMPAT
#endif
#ifndef COMPAT_ALPHA
#define COMPAT_ALPHA (ba + sa - ba * sa)
#endif
#ifndef ALPHA
#define ALPHA STRAIGHT
#endif
#ifndef SOURCE
#define SOURCE "W3C Compositing and Blending Level 1"
#endif
#include "filter/template.h"
#define BODY FN float body(float b, float s, BODY_BLOCK P)
#define COMPAT_NAME CAT(compat_, NAME)
#define COMPAT FN float COMPAT_NAME(float b, float s, float ba, float sa, float rest)
BODY;
COMPAT;

/* One channel over another, `backdrop` and `source` being the alphas; result is the alpha of the outcome. */
#if !defined(PART_DESCRIPTOR)
FN float composite(float b, float s, float backdrop, float source, float result, BODY_BLOCK P) {
    float weighted = (1.0f - source) * backdrop * b + (1.0f - backdrop) * source * s + source * backdrop * body(b, s, P);
    return weighted / (result > 0.0f ? result : 1.0f);
}
#define RESULT_ALPHA CAT(alpha_, NAME)
FN float RESULT_ALPHA(float ba, float sa, BODY_BLOCK P) {
    return P.compat != 0 ? COMPAT_ALPHA : sa + ba * (1.0f - sa);
}
#define RESULT CAT(result_, NAME)
FN float RESULT(float b, float s, float ba, float sa, float result, BODY_BLOCK P) {
    return P.compat != 0 ? COMPAT_NAME(b, s, ba, sa, s * (1.0f - ba) + b * (1.0f - sa))
                         : composite(b, s, ba, sa, result, P);
}
/* Without alpha: the backdrop is opaque, and of the source there is as much as the opacity says. */
#define PLAIN CAT(plain_, NAME)
FN float PLAIN(float b, float s, BODY_BLOCK P) {
    return P.compat != 0 ? COMPAT_NAME(b, s, 1.0f, P.OPACITY, b * (1.0f - P.OPACITY))
                         : mix(b, body(b, s, P), P.OPACITY);
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
    for (int i = 0; i < call->count; i++)
        result[i] = RESULT_ALPHA(backdrop[i], source[i] * P.OPACITY, P);
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
                out[i] = RESULT(b[i], s[i], backdrop[i], source[i] * P.OPACITY, result[i], P);
        else
            VECTOR_LOOP
            for (int i = 0; i < call->count; i++)
                out[i] = PLAIN(b[i], s[i], P);
    }
}
const struct weft_body CAT4(weft_body_, NAME, _, PART_ROWS) = {.point = rows};

#elif defined(PART_REFERENCE)
static void point(const void *block, const double (*in)[4], struct weft_reference_place at, int has_alpha, double *out) {
    struct block_f64 P = widen(block);
    double over = in[1][3] * P.OPACITY;
    (void)at, (void)has_alpha;
    out[3] = RESULT_ALPHA(in[0][3], over, P);
    for (int k = 0; k < 3; k++)
        out[k] = RESULT(in[0][k], in[1][k], in[0][3], over, out[3], P);
}
const struct weft_reference_body CAT(weft_reference_, NAME) = {.point = point};

#else
#include "kernels/gpu/operation.h"
BLOCK_MEMORY(BLOCK)
OPERATION(CAT(operation_, NAME)) {
    BODY_BLOCK P = BLOCK_AT(BLOCK, block);
    vec4 backdrop = color_of(a, CHANNELS_A), source = color_of(b, CHANNELS_B), result;
    if ((shape & SHAPE_ALPHA) != 0) {
        float over = source.w * P.OPACITY;
        result.w = RESULT_ALPHA(backdrop.w, over, P);
        result.x = RESULT(backdrop.x, source.x, backdrop.w, over, result.w, P);
        result.y = RESULT(backdrop.y, source.y, backdrop.w, over, result.w, P);
        result.z = RESULT(backdrop.z, source.z, backdrop.w, over, result.w, P);
    } else { /* one channel is in all of them */
        backdrop.w = CHANNELS_A == 1 ? backdrop.x : backdrop.w;
        source.w = CHANNELS_B == 1 ? source.x : source.w;
        result.x = PLAIN(backdrop.x, source.x, P);
        result.y = PLAIN(backdrop.y, source.y, P);
        result.z = PLAIN(backdrop.z, source.z, P);
        result.w = PLAIN(backdrop.w, source.w, P);
    }
    return channels_of(result, CHANNELS_RESULT);
}
#endif
