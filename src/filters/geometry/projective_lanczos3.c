/* SPDX-License-Identifier: MIT */
#define NAME projective_lanczos3
#define SUMMARY "Show the image through a projective map, mixing 6 x 6 pixels around each place"
#define STEP_OF "perspective"
#define SOURCE "Duchon 1979"
#define EXAMPLE "projective_lanczos3=0.8|0.2|0|-0.2|0.8|0:0.2|0|0.8:border=constant"
#define TOLERANCE 1e-2
#define INFER infer
#define SEVERAL
#define SPREAD 6
#include "filters/geometry/projective.h"
#define BORDERS PROJECTIVE_BORDERS
#define BORDER_DOC PROJECTIVE_BORDER_DOC
#define WITHIN PROJECTIVE_WITHIN
#define PARAMS PROJECTIVE_SEVERAL_PARAMS
#include "filter/warp.h"

PROJECTIVE_SEVERAL

#ifdef DIALECT_DOUBLE
FN double sinc(double x) {
    double turn = 3.14159265358979324 * x;
    return x == 0 ? 1 : x == __builtin_floor(x) ? 0 : sin(turn) / turn;
}
FN double lanczos(double x) { return sinc(x) * sinc(x / 3); }
WEIGHTS {
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += lanczos(i + away) + lanczos(i + 1 - away);
    double share = 1 / sum;
    return rgba(share * lanczos(away), share * lanczos(1 + away), share * lanczos(2 + away), 0);
}
#else
/* Polynomials instead of sines and a division: minimax of the weights divided by their sum, within 4e-6. */
WEIGHTS {
    float x = away, rest = 1.0f - x;
    float a = ((((-0.369976f * x + 1.0022371f) * x - 0.29406142f) * x - 0.7469153f) * x - 0.76452124f) * x + 1.0003151f;
    float b = ((((0.18460312f * x - 0.47224623f) * x + 0.020141179f) * x + 0.55603606f) * x + 0.33182216f) * x - 0.8271656f;
    float c = ((((-0.07892738f * x + 0.13111077f) * x + 0.15028127f) * x - 0.28498247f) * x - 0.1242689f) * x + 0.20669588f;
    return rgba(rest + rest * x * a, rest * x * b, rest * x * c, 0.0f);
}
#endif

#ifdef PART_DESCRIPTOR
PROJECTIVE_INFER
#endif
