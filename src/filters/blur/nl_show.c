/* SPDX-License-Identifier: MIT */
#define NAME nl_show
#define SUMMARY "The second image's colors divided by the number behind them, in the form of the first, whose alpha is kept"
#define STEP_OF "nl_means"
#define EXAMPLE "split[a][b];[b]grayscale,split[c][d];[c][d]nl_weigh=0.5[e];[a][e]nl_show"
#define TOLERANCE 1
#define INFER like_first
#include "filter/pixel2.h"

BODY {
    float share = 1.0f / (over.w > 0.0f ? over.w : 1.0f);
    return rgba(over.x * share, over.y * share, over.z * share, base.w);
}

#ifdef PART_DESCRIPTOR
#include "filter/help/infer.h"
#endif
