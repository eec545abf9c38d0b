/* SPDX-License-Identifier: MIT
 * The matrix is L D L', which stays exact where the colors of a guide are nearly alike; its cofactors do not. */
#define NAME guided_factor
#define SUMMARY "Factors of a matrix of 3 x 3: its diagonal is the first image's colors, and of the second red row 2 column 1, " \
                "green row 3 column 2, blue row 3 column 1"
#define STEP_OF "guided_filter"
#define EXAMPLE "split[a][b];[b]exposure=-3[c];[a][c]guided_factor=0.1"
#define CHANNELS COLOR
#define TOLERANCE 1
#define PARAMS                                                                                                         \
    FLOAT(eps, 0.01, 1e-6, 1, "", "added to the diagonal")                                                             \
    CHOICE(result, 0, "pivots|factors", "1 over each of D; or L below its diagonal, placed like the second image")
#include "filter/pixel2.h"

/* A pivot is not below eps but for rounding. */
BODY {
    float d1 = max(base.x, 0.0f) + P.eps, l21 = over.x / d1, l31 = over.z / d1;
    float d2 = max(max(base.y, 0.0f) + P.eps - l21 * over.x, 0.5f * P.eps), rest = over.y - l31 * over.x;
    float l32 = rest / d2, d3 = max(max(base.z, 0.0f) + P.eps - l31 * over.z - l32 * rest, 0.5f * P.eps);
    bool pivots = P.result == 0;
    return rgba(pivots ? 1.0f / d1 : l21, pivots ? 1.0f / d2 : l32, pivots ? 1.0f / d3 : l31, 1.0f);
}
