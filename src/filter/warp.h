/* SPDX-License-Identifier: MIT
 * Kind: warp, the input at another place. The body is `vec2 (place at, place source)`: for the output pixel at.x, at.y the
 * place in the input whose size is source.width x source.height; pixel centres are whole numbers. NEAREST moves pixels; otherwise
 * the four around the place are mixed. Sides of at most 2^24 pixels, where float holds every whole number.
 *
 * GRID true: with NEAREST, a step to the right or down is the same step in the input everywhere, and never leaves it. BORDERLESS
 * then.
 *
 * With SEVERAL defined the result is a mean over several places: PLACES is `int (place source)`, how many, at most
 * 2^16, and the body `vec4 (place at, place source, int k, int count)`: x and y of place k of count, and in z its
 * weight. border=shrink leaves out what is outside. */
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
    .kind = WEFT_KIND_WARP, .border = BORDER_INDEX, .places = count_places, .grid = GRID };

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
        from_x[i] = from.x, from_y[i] = from.y;
    }
}
const struct weft_body CAT4(weft_body_, NAME, _, PART_ROWS) = {.warp = run};

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
    from[0] = p.x, from[1] = p.y;
}
const struct weft_reference_body CAT(weft_reference_, NAME) = {.warp = warp};

#else
#include "kernels/gpu/warp/warp.h"
#endif
