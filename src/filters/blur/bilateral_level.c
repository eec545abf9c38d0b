/* SPDX-License-Identifier: MIT */
#define NAME bilateral_level
#define SUMMARY "Take what belongs to a level of brightness, and how much"
#define STEP_OF "bilateral_levels"
#define EXAMPLE "bilateral_level=1.5:1:share_alone=1"
#define ALPHA PREMULTIPLIED
#define ALPHA_DOC "colors count by their alpha; the result has none"
#define TOLERANCE 2e-5 /* rounding in a sum of four channels over the least sigma_color; found: 1.96e-5 */
#include "filters/blur/bilateral_params.h"
#define PARAMS BILATERAL_PARAMS FIXED_INT(share_alone, 0, 0, 1, "", "1: nothing but how much, in one channel")
#define INFER infer
#include "filter/pixel.h"
#include "filters/blur/bilateral_share.h"

BODY {
    float share = BILATERAL_SHARE(c), alone = P.share_alone != 0 ? 1.0f : 0.0f;
    return rgba(share * (alone > 0.0f ? 1.0f : c.x), share * (alone > 0.0f ? 1.0f : c.y),
                share * (alone > 0.0f ? 1.0f : c.z), share * (alone > 0.0f ? 1.0f : c.w));
}

#ifdef PART_DESCRIPTOR
#include "filters/blur/bilateral_infer.h"
#endif
