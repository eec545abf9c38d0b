/* SPDX-License-Identifier: MIT
 * Kind: stencil, a fixed neighbourhood of RADIUS pixels each way (at most 3) of one plane. The body is `float ()`;
 * AT(dx, dy) is the neighbour dx to the right and dy below. With LUMINANCE defined it sees the luminance of color
 * images and makes one plane; otherwise every channel by itself, or with KEEP_ALPHA every color while alpha is copied.
 * border=shrink takes the nearest pixel inside.
 *   BODY { return AT(1, 0) - AT(-1, 0); } */
#define HAS_BODY
#include "filter/border.h"
#define KIND_PARAMS BORDER_PARAMS
#ifndef ALPHA
#define ALPHA PREMULTIPLIED
#endif
#ifdef LUMINANCE
#define CHANNELS PLANE
#define LUMINANCE_FLAG true
#else
#define LUMINANCE_FLAG false
#endif
#ifdef KEEP_ALPHA
#define KEEP_ALPHA_FLAG true
#else
#define KEEP_ALPHA_FLAG false
#endif
#include "filter/template.h"

#if defined(PART_DESCRIPTOR)
DESCRIPTOR("stencil", 1)
    .kind = WEFT_KIND_STENCIL, .border = PARAMETER_COUNT - 2, .radius = RADIUS, .luminance = LUMINANCE_FLAG,
    .per_channel = KEEP_ALPHA_FLAG };
#define AT(dx, dy) 0.0f
#define BODY FN float body(BODY_BLOCK P)

#elif defined(PART_ROWS)
#define AT(dx, dy) rows[RADIUS + (dy)][i + (dx)]
#define BODY FN float body(const float *const *rows, int i, BODY_BLOCK P)
BODY;
static void run(const struct weft_stencil_call *call) {
    const struct BLOCK P = *(const struct BLOCK *)call->block;
    const float *rows[2 * RADIUS + 1];
    float * out = call->out;
    for (int k = 0; k <= 2 * RADIUS; k++)
        rows[k] = call->rows[k];
    VECTOR_LOOP
    for (int i = 0; i < call->count; i++)
        out[i] = body(rows, i, P);
}
const struct weft_body CAT4(weft_body_, NAME, _, PART_ROWS) = {.stencil = run};

#elif defined(PART_REFERENCE)
static double reference_at(const struct weft_reference_view *view, int dx, int dy) {
    int counts = 1;
    return view->at(view, 0, dx, dy, &counts);
}
#define AT(dx, dy) reference_at(view, dx, dy)
#define BODY FN float body(const struct weft_reference_view *view, BODY_BLOCK P)
BODY;
static void stencil(const void *block, const struct weft_reference_view *view, double *out) {
    *out = body(view, widen(block));
}
const struct weft_reference_body CAT(weft_reference_, NAME) = {.stencil = stencil};

#else
#define AT(dx, dy) IN(center + (dy) * 64 + (dx))
#define BODY FN float body(int center, BODY_BLOCK P)
#define BODY_READS_INPUT
#include "kernels/check.h"
BODY;
KERNEL { OUT(0, body(256, P)); }
#endif
