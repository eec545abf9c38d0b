/* SPDX-License-Identifier: MIT */
#define NAME chroma_key_cut
#define SUMMARY "Make the pixels of one color transparent and take its spill out of the others"
#define STEP_OF "chroma_key"
#define EXAMPLE "chroma_key_cut=0.45|0.6|0.1|1:0.12:0.1:0.8"
#define CHANNELS ADD_ALPHA
#define TOLERANCE 1
#include "filters/key/chroma_params.h"
#define PARAMS CHROMA_PARAMS
#include "filter/pixel.h"
#include "filters/key/chroma.h"

BODY {
    float keep = chroma_unlike(c, P.color, P.similarity, P.smoothing);
    float near = 1.0f - chroma_unlike(c, P.color, P.similarity, P.smoothing + P.spill_reach);
    vec4 rest = chroma_without(c, P.color, P.spill * near);
    return rgba(rest.x, rest.y, rest.z, c.w * keep);
}
