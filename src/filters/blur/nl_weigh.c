/* SPDX-License-Identifier: MIT */
#define NAME nl_weigh
#define SUMMARY "Colors of the second image times a weight by the first, a distance, and the weight as a number behind them"
#define STEP_OF "nl_means"
#define EXAMPLE "split[a][b];[a]grayscale,split[c][e];[c][b]nl_weigh=0.5[d];[e][d]nl_show"
#define TOLERANCE 1
#define PARAMS                                                                                                         \
    FLOAT(h, 0.1, 0.00001, 1000, "", "a distance of its square has the weight 1 / e")                                  \
    FLOAT(sigma, 0, 0, 1000, "", "twice its square is what noise adds to a distance, and is taken off")                \
    FLOAT(cutoff, 5, 0, UNBOUNDED, "", "more than so many squares of h have no weight")
#define ALPHA_DOC "colors are taken straight; the result has none"
#define INFER infer
#include "filter/pixel2.h"

BODY {
    float distance = max(base.x - 2.0f * P.sigma * P.sigma, 0.0f) / (P.h * P.h);
    float weight = distance > P.cutoff ? 0.0f : exp2_near(-1.44269504f * min(distance, 80.0f));
    return rgba(weight * over.x, weight * over.y, weight * over.z, weight);
}

#ifdef PART_DESCRIPTOR
static weft_status infer(const void *block, const weft_image_info *inputs, weft_image_info *output, weft_error *error) {
    (void)block, (void)error;
    *output = inputs[1];
    output->format.channels = inputs[1].format.channels < 3 ? 2 : 4;
    output->alpha = WEFT_ALPHA_NONE;
    return WEFT_OK;
}
#endif
