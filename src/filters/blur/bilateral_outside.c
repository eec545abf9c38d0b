/* SPDX-License-Identifier: MIT */
#define NAME bilateral_outside
#define SUMMARY "What a constant around the image adds, the second image times its weight"
#define STEP_OF "bilateral_levels"
#define EXAMPLE "split[a][b];[b]grayscale,gaussian=16:border=constant[c];[a][c]bilateral_outside=1.5:1:share_alone=1"
#define ALPHA PREMULTIPLIED
#define TOLERANCE 1e-5
#include "filters/blur/bilateral_params.h"
#define PARAMS                                                                                                         \
    BILATERAL_PARAMS                                                                                                   \
    FIXED_INT(share_alone, 0, 0, 1, "", "1: nothing but how much, in one channel")                                     \
    FLOAT(value, 0, -UNBOUNDED, UNBOUNDED, "", "the constant; 1 is full scale")
#define INFER infer
#include "filter/pixel2.h"
#include "filters/blur/bilateral_share.h"

BODY {
    float share = over.x * BILATERAL_SHARE(base), v = P.share_alone != 0 ? 1.0f : P.value;
    return rgba(share * v, share * v, share * v, share * (P.counts[3] > 0.0f ? v : 1.0f));
}

#ifdef PART_DESCRIPTOR
#include "filters/blur/bilateral_infer.h"
#endif
