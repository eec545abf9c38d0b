/* SPDX-License-Identifier: MIT
 * The numbers of a coarser grid. Where a pixel of it has a part in any pixel that is inside, it is inside, and is held to 0 by the
 * edges to neighbors that are not, or by all that holds the pixels that it is mixed into, whichever is more. So the energy of a
 * coarse image is never less than that of what it becomes on the finer grid, and no correction goes too far, whatever the mask:
 * with A the finer equation's matrix and P the interpolation, the sum over pixels p held by d of d (P e)^2 is at most that over
 * coarse pixels j of (the sum over p of P_pj d) e_j^2, since the weights P_pj of a pixel add up to 1. */
#define NAME poisson_coarse
#define SUMMARY "From what poisson_halve makes of poisson_hold, how freely the pixels of the coarser grid move"
#define STEP_OF "poisson_blend"
#define EXAMPLE "luminance_threshold=0.4,poisson_inside,poisson_hold,poisson_halve,poisson_coarse"
#define TOLERANCE 1
#define ALPHA STRAIGHT
#define ALPHA_DOC "colors are straight, and alpha is a number that is read like them; the result has no alpha"
#define RADIUS 1
#define PIXELS
#define INFER infer
#include "filter/stencil.h"

FN float inside(vec4 c) { return c.w > 0.0f ? 1.0f : 0.0f; }
BODY {
    vec4 c = AT(0, 0);
    float near = inside(AT(-1, 0)) + inside(AT(1, 0)) + inside(AT(0, -1)) + inside(AT(0, 1));
    float held = max(4.0f, near + c.x), q = c.w > 0.0f ? 4.0f / held : 0.0f;
    return rgba(q, q, q, 1.0f);
}

#ifdef PART_DESCRIPTOR
static weft_status infer(const void *block, const weft_image_info *inputs, weft_image_info *output, weft_error *error) {
    (void)block, (void)inputs, (void)error;
    output->format.channels = 1;
    output->alpha = WEFT_ALPHA_NONE;
    return WEFT_OK;
}
#endif
