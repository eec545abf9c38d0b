/* SPDX-License-Identifier: MIT */
#define NAME kuwahara_score
#define SUMMARY "A mean, with the variance of the three colors, by a second mean, of squares, as a fourth channel"
#define STEP_OF "kuwahara"
#define EXAMPLE "split[a][b];[a]box=3[m];[b]gamma=2,box=3[s];[m][s]kuwahara_score,grayscale"
#define CHANNELS COLOR
#define INFER four_numbers
#include "filter/pixel2.h"

BODY {
    float spread = abs(over.x - base.x * base.x) + abs(over.y - base.y * base.y) + abs(over.z - base.z * base.z);
    return rgba(base.x, base.y, base.z, spread);
}

#ifdef PART_DESCRIPTOR
#include "filter/help/infer.h"
#endif
