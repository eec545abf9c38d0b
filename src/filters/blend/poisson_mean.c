/* SPDX-License-Identifier: MIT
 * The numbers that are kept say how freely pixels move: filters/blend/poisson_start.c. */
#define NAME poisson_mean
#define SUMMARY "Bring pixels nearer to the mean of their four neighbors, and keep the fourth number, or that after grey"
#define STEP_OF "poisson_blend"
#define EXAMPLE "split[a][b];[b]grayscale[c];[a][c]poisson_start,poisson_mean,grayscale"
#define TOLERANCE 1e-5
#define PARAMS                                                                                                         \
    CHOICE(result, 0, "relaxed|residual", "the pixels, or how far they are from solving Laplace's equation")           \
    FLOAT(omega, 0.8, 0, 1, "", "relaxed: the share of the mean")
#define ALPHA STRAIGHT
#define ALPHA_DOC "colors are straight, and alpha is a number that is read like them; the result has no alpha"
#define RADIUS 1
#define PIXELS
#define INFER infer
#include "filter/stencil.h"

FN float nearer(float own, float mean, float keep, float share) { return keep * own + share * mean; }
BODY {
    vec4 c = AT(0, 0), l = AT(-1, 0), r = AT(1, 0), a = AT(0, -1), b = AT(0, 1);
    float free = c.w > 0.0f ? c.w : 1.0f, keep = P.result == 0 ? 1.0f - P.omega : -1.0f / free;
    float share = 0.25f * (P.result == 0 ? P.omega : 1.0f);
    return rgba(nearer(c.x, (l.x + r.x) + (a.x + b.x), keep, share), nearer(c.y, (l.y + r.y) + (a.y + b.y), keep, share),
                nearer(c.z, (l.z + r.z) + (a.z + b.z), keep, share), c.w);
}

#ifdef PART_DESCRIPTOR
#include "filters/blend/poisson_infer.h"
POISSON_INFER(1)
#endif
