/* SPDX-License-Identifier: MIT */
#define NAME guided_slope
#define SUMMARY "Divide a covariance by a variance and eps"
#define STEP_OF "guided_filter"
#define EXAMPLE "split[a][b];[a][b]guided_slope=0.1"
#define TOLERANCE 1e-5
#define PARAMS FLOAT(eps, 0.01, 1e-6, 1, "", "variances well below this are smoothed away, well above they stay")
#include "filter/pixel2.h"

BODY {
    return rgba(base.x / (max(over.x, 0.0f) + P.eps), base.y / (max(over.y, 0.0f) + P.eps),
                base.z / (max(over.z, 0.0f) + P.eps), base.w);
}
