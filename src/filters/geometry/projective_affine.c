/* SPDX-License-Identifier: MIT
 * A projective map without a horizon, which divides by nothing. */
#define NAME projective_affine
#define SUMMARY "Show the image through an affine map, mixing the four pixels around each place"
#define STEP_OF "affine"
#define EXAMPLE "projective_affine=0.8|0.2|0|-0.2|0.8|0:border=constant"
#define TOLERANCE 1e-2
#define INFER infer
#include "filters/geometry/projective.h"
#define WITHIN PROJECTIVE_WITHIN
#define FEW_REGISTERS
#define PARAMS PROJECTIVE_MATRIX PROJECTIVE_SIZES
#include "filter/warp.h"

BODY {
    float u = to_float(at.x) - 0.5f * (to_float(at.width) - 1.0f), v = to_float(at.y) - 0.5f * (to_float(at.height) - 1.0f);
    float x = P.matrix[0] * u + (P.matrix[1] * v + P.matrix[2]), y = P.matrix[3] * u + (P.matrix[4] * v + P.matrix[5]);
    return xy(x + 0.5f * (to_float(source.width) - 1.0f), y + 0.5f * (to_float(source.height) - 1.0f));
}

#ifdef PART_DESCRIPTOR
PROJECTIVE_INFER
#endif
