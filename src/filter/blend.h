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
 * A file that defines OPACITY, a parameter of its own, has it instead of `opacity`; one whose function is the source itself,
 * so that colors become a mean of both, defines MEAN. */
#define HAS_BODY
/* Before the dialect redefines names of the C library. */
#if defined(MEAN) && defined(PART_ROWS) && defined(__AVX512BW__)
#include "kernels/cpu/isa/packed_pixels_avx512.h"
#elif defined(MEAN) && defined(PART_ROWS) && defined(__AVX2__)
#include "kernels/cpu/isa/packed_pixels_avx2.h"
#endif
#include "filter/help/blend_params.h"
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
#ifndef ALPHA_DOC
#define ALPHA_DOC "colors are taken straight and composited by the alpha of both"
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

#if !defined(PART_DESCRIPTOR)
#ifndef FILTER_BLEND_SHARE /* once in a GPU kernel, which holds all blend modes */
#define FILTER_BLEND_SHARE
/* The reciprocal of alpha, by which weighted colors are multiplied; one division, which takes as long as all the rest. */
FN float share_of(float alpha) { return 1.0f / (alpha > 0.0f ? alpha : 1.0f); }
#endif
/* One channel over another, `backdrop` and `source` being the alphas and `share` that of the outcome's alpha. */
FN float composite(float b, float s, float backdrop, float source, float share, BODY_BLOCK P) {
    float weighted = (1.0f - source) * backdrop * b + (1.0f - backdrop) * source * s + source * backdrop * body(b, s, P);
    return weighted * share;
}
#define RESULT_ALPHA CAT(alpha_, NAME)
FN float RESULT_ALPHA(float ba, float sa, BODY_BLOCK P) {
    return P.compat != 0 ? COMPAT_ALPHA : sa + ba * (1.0f - sa);
}
#define RESULT CAT(result_, NAME)
FN float RESULT(float b, float s, float ba, float sa, float share, BODY_BLOCK P) {
    return P.compat != 0 ? COMPAT_NAME(b, s, ba, sa, s * (1.0f - ba) + b * (1.0f - sa))
                         : composite(b, s, ba, sa, share, P);
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
#include "kernels/cpu/isa/packed_pixels.h"
/* Inlined where P.compat is known: with a test of it in the loop gcc 12 does not vectorize most modes. */
static inline __attribute__((always_inline)) void mode_rows(const struct weft_point_call *call, const struct BLOCK P) {
    const float * b0 = call->in[0][0], * b1 = call->in[0][1], * b2 = call->in[0][2], * ba = call->in[0][3];
    const float * s0 = call->in[1][0], * s1 = call->in[1][1], * s2 = call->in[1][2], * sa = call->in[1][3];
    float * r0 = call->out[0], * r1 = call->out[1], * r2 = call->out[2], * ra = call->out[3];
    if (!call->alpha)
        for (int k = 0; k < call->planes; k++) {
            const float * b = call->in[0][k], * s = call->in[1][k];
            float * out = call->out[k];
            VECTOR_LOOP
            for (int i = 0; i < call->count; i++)
                out[i] = PLAIN(b[i], s[i], P);
        }
    else if (call->planes == 1)
        VECTOR_LOOP
        for (int i = 0; i < call->count; i++) {
            float source = sa[i] * P.OPACITY, alpha = RESULT_ALPHA(ba[i], source, P), share = share_of(alpha);
            r0[i] = RESULT(b0[i], s0[i], ba[i], source, share, P);
            ra[i] = alpha;
        }
    else
        VECTOR_LOOP
        for (int i = 0; i < call->count; i++) {
            float source = sa[i] * P.OPACITY, alpha = RESULT_ALPHA(ba[i], source, P), share = share_of(alpha);
            r0[i] = RESULT(b0[i], s0[i], ba[i], source, share, P);
            r1[i] = RESULT(b1[i], s1[i], ba[i], source, share, P);
            r2[i] = RESULT(b2[i], s2[i], ba[i], source, share, P);
            ra[i] = alpha;
        }
}
static void rows(const struct weft_point_call *call) {
    struct BLOCK P = *(const struct BLOCK *)call->block;
    if (P.compat != 0) {
        P.compat = 1;
        mode_rows(call, P);
    } else {
        mode_rows(call, P);
    }
}
#if defined(KERNELS_PACKED_PIXELS_AVX512_H) || defined(KERNELS_PACKED_PIXELS_AVX2_H)
#define MEAN_PACKED(call, P) packed_lay_over((call)->in[0], (call)->in[1], (call)->out, (call)->count, (P).OPACITY)
#endif
/* The same of bytes with alpha, from pixel to pixel in registers. */
static inline __attribute__((always_inline)) void mode_packed(const struct weft_packed_call *call, const struct BLOCK P) {
    const word *backdrops = (const void *)call->in[0], *sources = (const void *)call->in[1];
    word *results = (void *)call->out;
    PACKED_LIMITS
    VECTOR_LOOP
    for (int i = 0; i < call->count; i++) {
        const uint32_t b = backdrops[i], s = sources[i];
        float backdrop = packed_part(b, 3), source = packed_part(s, 3) * P.OPACITY;
        float alpha = RESULT_ALPHA(backdrop, source, P), share = share_of(alpha);
        results[i] = packed_component(RESULT(packed_part(b, 0), packed_part(s, 0), backdrop, source, share, P), 0, none, full) |
                     packed_component(RESULT(packed_part(b, 1), packed_part(s, 1), backdrop, source, share, P), 1, none, full) |
                     packed_component(RESULT(packed_part(b, 2), packed_part(s, 2), backdrop, source, share, P), 2, none, full) |
                     packed_component(alpha, 3, none, full);
    }
}
static void packed(const struct weft_packed_call *call) {
    struct BLOCK P = *(const struct BLOCK *)call->block;
    if (P.compat != 0) {
        P.compat = 1;
        mode_packed(call, P);
    } else {
#ifdef MEAN_PACKED
        MEAN_PACKED(call, P);
#else
        mode_packed(call, P);
#endif
    }
}
const struct weft_body CAT4(weft_body_, NAME, _, PART_ROWS) = {.point = rows, .packed = packed};

#elif defined(PART_REFERENCE)
static void point(const void *block, const double (*in)[4], struct weft_reference_place at, int has_alpha, double *out) {
    struct block_f64 P = widen(block);
    double over = in[1][3] * P.OPACITY;
    (void)at, (void)has_alpha;
    out[3] = RESULT_ALPHA(in[0][3], over, P);
    for (int k = 0; k < 3; k++)
        out[k] = RESULT(in[0][k], in[1][k], in[0][3], over, share_of(out[3]), P);
}
const struct weft_reference_body CAT(weft_reference_, NAME) = {.point = point};

#else
#include "kernels/gpu/program/operation.h"
BLOCK_MEMORY(BLOCK)
OPERATION(CAT(operation_, NAME)) {
    BODY_BLOCK P = BLOCK_AT(BLOCK, block);
    vec4 backdrop = color_of(a, CHANNELS_A), source = color_of(b, CHANNELS_B), result;
    if ((shape & SHAPE_ALPHA) != 0) {
        float over = source.w * P.OPACITY;
        result.w = RESULT_ALPHA(backdrop.w, over, P);
        float share = share_of(result.w);
        result.x = RESULT(backdrop.x, source.x, backdrop.w, over, share, P);
        result.y = RESULT(backdrop.y, source.y, backdrop.w, over, share, P);
        result.z = RESULT(backdrop.z, source.z, backdrop.w, over, share, P);
    } else { /* grey is in red, green and blue */
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
