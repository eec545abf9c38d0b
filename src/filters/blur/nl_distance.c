/* SPDX-License-Identifier: MIT */
#define NAME nl_distance
#define SUMMARY "How far the colors of two images are apart: the mean over colors of the square of the difference"
#define STEP_OF "nl_means"
#define EXAMPLE "split[a][b];[b]gaussian=8[c];[a][c]nl_distance,exposure=3"
#define CHANNELS PLANE
#define ALPHA_DOC "colors are taken straight; the result has no alpha"
#include "filter/pixel2.h"

BODY {
    float x = base.x - over.x, y = base.y - over.y, z = base.z - over.z, mean = (x * x + y * y + z * z) * (1.0f / 3.0f);
    return rgba(mean, mean, mean, 1.0f);
}
