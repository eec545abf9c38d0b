/* SPDX-License-Identifier: MIT
 * With M the mean of the four neighbors, f the right side and q as in poisson_start, the equation is x / q = M + f. Jacobi's
 * method, moved by omega / (omega + (1 - omega) q) instead of omega, gives (M omega + (1 - omega) x + omega f) q / (omega + (1 -
 * omega) q): pixels that are held have no need of caution. */
#define NAME poisson_relax
#define SUMMARY "A relaxation of Poisson's equation, whose right side is the second image, from what poisson_mean made"
#define STEP_OF "poisson_blend"
#define EXAMPLE "split[a][b];[b]grayscale[c];[a][c]poisson_start[x];[x]poisson_mean[y];[y][a]poisson_relax,grayscale"
#define TOLERANCE 1e-5
#define INFER infer
#define PARAMS FLOAT(omega, 0.8, 0, 1, "", "how far a pixel moves where its neighbors alone hold it")
#include "filter/pixel2.h"

BODY {
    float free = max(base.w, 0.0f), share = free / max(P.omega + (1.0f - P.omega) * free, 1.0e-6f);
    return rgba(share * (base.x + P.omega * over.x), share * (base.y + P.omega * over.y),
                share * (base.z + P.omega * over.z), base.w);
}

#ifdef PART_DESCRIPTOR
#include "filters/blend/poisson_infer.h"
POISSON_INFER(1)
#endif
