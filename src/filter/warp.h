/* SPDX-License-Identifier: MIT
 * Kind: warp, the input at another place. The body is `vec2 (place at, place source)`: for the output pixel at.x, at.y the
 * place in the input whose size is source.width x source.height; pixel centres are whole numbers. NEAREST moves pixels; otherwise
 * the four around the place are mixed. Sides of at most 2^24 pixels, where float holds every whole number.
 *
 * WITHIN: a place that is farther away than so many images is moved to that distance, which shows only where the border repeats the
 * image. Bodies need not limit places then.
 *
 * FEW_REGISTERS: places take so few that GPUs mix four pixels of bytes a thread at once instead of two.
 *
 * GRID true: with NEAREST, a step to the right or down is the same step in the input everywhere, and never leaves it. BORDERLESS
 * then.
 *
 * With SEVERAL defined the result is a mean over several places: PLACES is `int (place source)`, how many, at most
 * 2^16, and the body `vec4 (place at, place source, int k, int count)`: x and y of place k of count, and in z its
 * weight. border=shrink leaves out what is outside.
 *
 * With SPREAD defined, 4 or 6, so many pixels are mixed along each axis instead of two. WEIGHTS is `vec4 (float away)`: the weights
 * of the pixels `away`, 1 + away and 2 + away pixels from a place along an axis, `away` being from 0 to 1. They are exactly 1, 0
 * and 0 at 0, and 0 at 1; those on both sides sum to 1. BORDERS leaves out shrink then, as there may be no mean. */
#define HAS_BODY
#include "filter/help/border.h"
#define KIND_PARAMS BORDER_PARAMS
#ifdef NEAREST
#define EXACT true
#else
#ifndef ALPHA
#define ALPHA HIDDEN
#endif
#endif
#include "filter/template.h"
#ifdef SEVERAL
#define PLACES FN int places_of(place source, BODY_BLOCK P)
#define BODY FN vec4 body(place at, place source, int k, int count, BODY_BLOCK P)
PLACES;
#else
#define BODY FN vec2 body(place at, place source, BODY_BLOCK P)
#endif
BODY;
#ifdef WITHIN
#define WITHIN_OF(width, height) (WITHIN * to_float((width) + (height)))
#define NOT_BEYOND(v, width, height) clamp(v, -WITHIN_OF(width, height), WITHIN_OF(width, height))
#else
#define NOT_BEYOND(v, width, height) (v)
#endif
#ifdef SPREAD
#define WEIGHTS FN vec4 weights_of(float away)
WEIGHTS;
#else
#define SPREAD 0
#endif

#if defined(PART_DESCRIPTOR)
#ifndef GRID
#define GRID false
#endif
#ifdef SEVERAL
static int32_t count_places(const void *block, int64_t width, int64_t height) {
    place source = {0, 0, (int)width, (int)height};
    return places_of(source, *(const struct BLOCK *)block);
}
#else
#define count_places NULL
#endif
DESCRIPTOR("warp", 1)
    .kind = WEFT_KIND_WARP, .border = BORDER_INDEX, .places = count_places, .spread = SPREAD,
    .grid = GRID };

#elif defined(PART_ROWS)
static void run(const struct weft_warp_call *call) {
    const struct BLOCK P = *(const struct BLOCK *)call->block;
    float * from_x = call->from_x, * from_y = call->from_y;
#ifdef SEVERAL
    float * weight = call->weight;
    const int k = call->k, count = call->places;
#endif
    place source = {0, 0, (int)call->in_width, (int)call->in_height};
    VECTOR_LOOP
    for (int i = 0; i < call->count; i++) {
        place at = {(int)call->x + i, (int)call->y, (int)call->width, (int)call->height};
#ifdef SEVERAL
        vec4 from = body(at, source, k, count, P);
        weight[i] = from.z;
#else
        vec2 from = body(at, source, P);
#endif
        from_x[i] = NOT_BEYOND(from.x, source.width, source.height), from_y[i] = NOT_BEYOND(from.y, source.width, source.height);
    }
}
#if SPREAD
static void weigh(const float *share, float *const *weight, int count) {
    VECTOR_LOOP
    for (int i = 0; i < count; i++) {
        const vec4 low = weights_of(share[i]), high = weights_of(1.0f - share[i]);
        weight[SPREAD / 2 - 1][i] = low.x, weight[SPREAD / 2][i] = high.x;
        weight[SPREAD / 2 - 2][i] = low.y, weight[SPREAD / 2 + 1][i] = high.y;
#if SPREAD == 6
        weight[0][i] = low.z, weight[5][i] = high.z;
#endif
    }
}
#define WEIGH weigh
#else
#define WEIGH NULL
#endif
const struct weft_body CAT4(weft_body_, NAME, _, PART_ROWS) = {.warp = run, .weigh = WEIGH};

#elif defined(PART_REFERENCE)
static void warp(const void *block, struct weft_reference_place at, int64_t in_width, int64_t in_height, int k, int count,
                 double *from) {
    place here = {(int)at.x, (int)at.y, (int)at.width, (int)at.height};
    place source = {0, 0, (int)in_width, (int)in_height};
#ifdef SEVERAL
    vec4 p = body(here, source, k, count, widen(block));
    from[2] = p.z;
#else
    vec2 p = body(here, source, widen(block));
    from[2] = 1;
    (void)k, (void)count;
#endif
    from[0] = NOT_BEYOND(p.x, source.width, source.height), from[1] = NOT_BEYOND(p.y, source.width, source.height);
}
#if SPREAD
static double weight(double distance) {
    double whole = __builtin_floor(distance);
    vec4 w = weights_of(distance - whole);
    return whole == 0 ? w.x : whole == 1 ? w.y : whole == 2 ? w.z : 0;
}
#define WEIGHT weight
#else
#define WEIGHT NULL
#endif
const struct weft_reference_body CAT(weft_reference_, NAME) = {.warp = warp, .weight = WEIGHT};

#else
#include "kernels/gpu/warp/warp.h"
#endif
