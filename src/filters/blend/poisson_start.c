/* SPDX-License-Identifier: MIT
 * The fourth number of a pixel, or the one after grey, is 4 over the sum of the weights that hold it: 1 where its neighbors alone
 * do, less where it is held to 0 as well, and 0 outside. */
#define NAME poisson_start
#define SUMMARY "From 0, a relaxation of Poisson's equation, whose right side is the first image; the second is kept with it"
#define STEP_OF "poisson_blend"
#define EXAMPLE "split[a][b];[b]grayscale[c];[a][c]poisson_start,grayscale"
#define TOLERANCE 1e-5
#define INFER infer
#define PARAMS FLOAT(omega, 0.8, 0, 1, "", "how far a pixel moves where its neighbors alone hold it")
#include "filter/pixel2.h"

BODY {
    float free = max(over.x, 0.0f), share = P.omega * free / max(P.omega + (1.0f - P.omega) * free, 1.0e-6f);
    return rgba(share * base.x, share * base.y, share * base.z, over.x);
}

#ifdef PART_DESCRIPTOR
#include "filters/blend/poisson_infer.h"
POISSON_INFER(1)
#endif
