/* SPDX-License-Identifier: MIT */
#define NAME frame_recall
#define SUMMARY "Show the first image while there is nothing to recall, then the second"
#define STEP_OF "frame_delay"
#define EXAMPLE "split[a][b];[b]invert[c];[a][c]frame_recall"
#define ALPHA ANY
#define ALPHA_DOC "pixels are taken as they are, transparent ones too"
#define EXACT true
#define ROLE RECALL
#define PARAMS FLOAT(first, 0, 0, 1, "", "1 for the first image, 0 for the second")
#include "filter/pixel2.h"

BODY {
    bool first = P.first > 0.5f;
    return rgba(first ? base.x : over.x, first ? base.y : over.y, first ? base.z : over.z, first ? base.w : over.w);
}
