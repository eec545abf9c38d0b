/* SPDX-License-Identifier: MIT
 * With `steps`, both images hold whole numbers of them: the mean is rounded to a whole one, halves to the even one, and
 * the offset counts as the next whole one, as in OpenCV, where images and means are of 8 bits. */
#define NAME adaptive_compare
#define SUMMARY "White where the first image is above the second less an offset"
#define STEP_OF "adaptive_threshold"
#define EXAMPLE "grayscale,split[a][b];[b]gaussian=8[c];[a][c]adaptive_compare"
#define CHANNELS GREY
#define TOLERANCE 1
#define PARAMS                                                                                                         \
    FLOAT(offset, 0.02, -1, 1, "", "what the second image loses; 1 is full scale")                                     \
    INT(steps, 0, 0, 65535, "", "how many steps full scale has; 0 for images in which it is 1")                        \
    BOOL(equal, 0, "white also where both are equal")
#include "filter/pixel2.h"

FN float whole(float v) {
    float near = floor(v + 0.5f);
    return near - (near - v == 0.5f && near - 2.0f * floor(0.5f * near) == 1.0f ? 1.0f : 0.0f);
}
BODY {
    float mean = P.steps > 0 ? whole(over.x) : over.x, scale = P.steps > 0 ? to_float(P.steps) : 1.0f;
    float above = base.x - mean + P.offset * scale; /* 1/100 of a step: offsets have few decimals */
    float least = P.steps > 0 ? 0.01f : 0.0f;
    float v = above > least || (P.equal != 0 && above >= -least) ? 1.0f : 0.0f;
    return rgba(v, v, v, base.w);
}
