/* SPDX-License-Identifier: MIT
 * Kind: stencil, a fixed neighbourhood of RADIUS pixels each way (at most 3) of one plane. The body is `float ()`;
 * AT(dx, dy) is the neighbour dx to the right and dy below. With LUMINANCE defined it sees the luminance of color
 * images and makes one plane; otherwise every channel by itself, or with KEEP_ALPHA every straight color while alpha is
 * copied.
 * border=shrink takes the nearest pixel inside.
 * LINEAR, where defined, says with which parameters the body is a weighted sum of neighbors and a number: such stencils
 * have forms in whole numbers, whose weights come from asking the body. LENGTH_OF, where defined, is a choice with which the
 * body is such a sum at 1 and at 2, and the length of both at 0.
 *   BODY { return AT(1, 0) - AT(-1, 0); }
 * With PIXELS defined the body is `vec4 ()` and makes all channels of the result, those that CHANNELS says: AT(dx, dy) is
 * the whole neighbor, of grey images grey in red, green and blue; alpha is 0 where there is none, and so are green and blue
 * with LUMINANCE. Of two channels the second is alpha, in what the body sees and in what it makes. Rows have a loop of its own
 * for parameters of which KNOWN_CASE, where defined, is true: KNOWN_SO sets them once more, to what the compiler then knows.
 *   BODY { return rgba(AT(1, 0).x - AT(-1, 0).x, AT(0, 1).x - AT(0, -1).x, 0.0f, 0.0f); } */
#define HAS_BODY
#include "filter/help/border.h"
#define KIND_PARAMS BORDER_PARAMS
#ifndef ALPHA
#ifdef KEEP_ALPHA
#define ALPHA STRAIGHT
#else
#define ALPHA PREMULTIPLIED
#endif
#endif
#ifdef LUMINANCE
#ifndef CHANNELS
#define CHANNELS PLANE
#endif
#define LUMINANCE_FLAG true
#ifndef ALPHA_DOC
#define ALPHA_DOC "reads the luminance over black, where colors count by their alpha; the result has none"
#endif
#else
#define LUMINANCE_FLAG false
#endif
#ifdef KEEP_ALPHA
#define KEEP_ALPHA_FLAG true
#ifndef ALPHA_DOC
#define ALPHA_DOC "colors are filtered straight, whatever their alpha, which is kept"
#endif
#else
#define KEEP_ALPHA_FLAG false
#endif
#ifdef PIXELS
#define PIXELS_FLAG true
#define STENCIL_RESULT vec4
#else
#define PIXELS_FLAG false
#define STENCIL_RESULT float
#endif
#include "filter/template.h"

#if defined(PART_DESCRIPTOR)
#ifdef LINEAR
static bool linear(const void *block) {
    const struct BLOCK P = *(const struct BLOCK *)block;
    (void)P;
    return LINEAR;
}
#define LINEAR_FUNCTION linear
#else
#define LINEAR_FUNCTION NULL
#endif
#ifdef LENGTH_OF
_Static_assert(sizeof(struct BLOCK) <= WEFT_LENGTH_BLOCK, "the block is too large for who asks for its sums");
static bool length(const void *block, int part, void *sum) {
    struct BLOCK P = *(const struct BLOCK *)block;
    bool is = P.LENGTH_OF == 0;
    P.LENGTH_OF = part + 1;
    if (is)
        *(struct BLOCK *)sum = P;
    return is;
}
#define LENGTH_FUNCTION length
#else
#define LENGTH_FUNCTION NULL
#endif
DESCRIPTOR("stencil", 1)
    .kind = WEFT_KIND_STENCIL, .border = BORDER_INDEX, .radius = RADIUS, .luminance = LUMINANCE_FLAG,
    .per_channel = KEEP_ALPHA_FLAG, .pixels = PIXELS_FLAG,
    .linear = LINEAR_FUNCTION, .length = LENGTH_FUNCTION };
#ifdef PIXELS
#define AT(dx, dy) rgba(0.0f, 0.0f, 0.0f, 0.0f)
#else
#define AT(dx, dy) 0.0f
#endif
#define BODY FN STENCIL_RESULT body(BODY_BLOCK P)

#elif defined(PART_ROWS) && defined(PIXELS)
/* Four arrays, since compilers keep only separate arrays in registers; otherwise the loop is not vectorized. */
#define PLANE_AT(plane, dx, dy) plane[RADIUS + (dy)][i + (dx)]
#define AT(dx, dy) rgba(PLANE_AT(xs, dx, dy), PLANE_AT(ys, dx, dy), PLANE_AT(zs, dx, dy), PLANE_AT(ws, dx, dy))
#define BODY                                                                                                           \
    FN vec4 body(const float *const *xs, const float *const *ys, const float *const *zs, const float *const *ws, int i, \
                 BODY_BLOCK P)
BODY;
#define PIXELS_LOOP(STORE)                                                                                             \
    VECTOR_LOOP                                                                                                        \
    for (int i = 0; i < call->count; i++) {                                                                            \
        vec4 v = body(xs, ys, zs, ws, i, P);                                                                         \
        STORE;                                                                                                         \
    }
static inline __attribute__((always_inline)) void run_with(const struct weft_stencil_pixels_call *call,
                                                           const struct BLOCK P) {
    const float *xs[2 * RADIUS + 1], *ys[2 * RADIUS + 1], *zs[2 * RADIUS + 1], *ws[2 * RADIUS + 1];
    float *out_x = call->out[0], *out_y = call->out[1], *out_z = call->out[2], *out_w = call->out[3];
    for (int k = 0; k <= 2 * RADIUS; k++)
        xs[k] = call->rows[0][k], ys[k] = call->rows[1][k], zs[k] = call->rows[2][k], ws[k] = call->rows[3][k];
    switch (call->planes) {
    case 1: PIXELS_LOOP(out_x[i] = v.x) break;
    case 2: PIXELS_LOOP((out_x[i] = v.x, out_y[i] = v.w)) break;
    case 3: PIXELS_LOOP((out_x[i] = v.x, out_y[i] = v.y, out_z[i] = v.z)) break;
    default: PIXELS_LOOP((out_x[i] = v.x, out_y[i] = v.y, out_z[i] = v.z, out_w[i] = v.w))
    }
}
static void run(const struct weft_stencil_pixels_call *call) {
    struct BLOCK P = *(const struct BLOCK *)call->block;
#ifdef KNOWN_CASE
    if (KNOWN_CASE) {
        KNOWN_SO;
        run_with(call, P);
        return;
    }
#endif
    run_with(call, P);
}
const struct weft_body CAT4(weft_body_, NAME, _, PART_ROWS) = {.stencil_pixels = run};

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
static double reference_at(const struct weft_reference_view *view, int plane, int dx, int dy) {
    int counts = 1;
    return plane < view->planes ? view->at(view, plane, dx, dy, &counts) : 0;
}
#ifdef PIXELS
static vec4 reference_pixel(const struct weft_reference_view *view, int dx, int dy) {
    double x = reference_at(view, 0, dx, dy), second = reference_at(view, 1, dx, dy);
    double of_grey = LUMINANCE_FLAG ? 0 : x;
    return view->planes < 3 ? rgba(x, of_grey, of_grey, second)
                            : rgba(x, second, reference_at(view, 2, dx, dy), reference_at(view, 3, dx, dy));
}
#define AT(dx, dy) reference_pixel(view, dx, dy)
#else
#define AT(dx, dy) reference_at(view, 0, dx, dy)
#endif
#define BODY FN STENCIL_RESULT body(const struct weft_reference_view *view, BODY_BLOCK P)
BODY;
static void stencil(const void *block, const struct weft_reference_view *view, double *out) {
#ifdef PIXELS
    vec4 v = body(view, widen(block));
    out[0] = v.x, out[1] = v.y, out[2] = v.z, out[3] = v.w;
#else
    *out = body(view, widen(block));
#endif
}
const struct weft_reference_body CAT(weft_reference_, NAME) = {.stencil = stencil};

#else
#define TILE_WIDTH (32 + 2 * RADIUS)
#if RADIUS == 1 && !defined(PIXELS)
/* The neighbors as numbers by themselves, wherever a kernel keeps them. */
#define AT(dx, dy) near[3 * (dy) + (dx) + 4]
#define BODY FN float body(NEAR, BODY_BLOCK P)
#elif defined(PIXELS)
#define AT(dx, dy) whole_pixel(center + (dy) * TILE_WIDTH + (dx), plane, channels)
#define BODY FN vec4 body(int center, int plane, int channels, BODY_BLOCK P)
#else
#define AT(dx, dy) tile[center + (dy) * TILE_WIDTH + (dx)]
#define BODY FN float body(int center, BODY_BLOCK P)
#endif
#include "kernels/gpu/stencil/stencil.h"
#endif
