/* SPDX-License-Identifier: MIT
 * The threshold is soft: differences lose that much of their size, so that nothing jumps where they reach it. */
#define NAME detail_boost
#define SUMMARY "Add the difference between an image and its blurred form to it"
#define STEP_OF "unsharp_mask"
#define EXAMPLE "split[a][b];[b]bilateral=6:0.1[c];[a][c]detail_boost=1.5"
#define TOLERANCE 2e-5
#define PARAMS                                                                                                         \
    FLOAT(amount, 1, -1, 10, "", "factor on the difference; 0 keeps the image, -1 is the blurred one")                 \
    FLOAT(threshold, 0, 0, 1, "", "smaller differences are left alone: they are noise; 1 is full scale")
#include "filter/pixel2.h"

FN float detail(float d, float threshold) {
    float size = max(abs(d) - threshold, 0.0f);
    return d < 0.0f ? -size : size;
}
BODY {
    return rgba(base.x + P.amount * detail(base.x - over.x, P.threshold),
                base.y + P.amount * detail(base.y - over.y, P.threshold),
                base.z + P.amount * detail(base.z - over.z, P.threshold), base.w);
}
