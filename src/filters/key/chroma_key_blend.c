/* SPDX-License-Identifier: MIT
 * Colors are mixed as much as they are visible; compat=gpuimage mixes all four channels as they are stored. */
#define NAME chroma_key_blend
#define SUMMARY "Show the second image where the first has one color: another background behind an actor"
#define EXAMPLE "split[a][b];[b]flip=y,gaussian=4[c];[a][c]chroma_key_blend=0.45|0.6|0.1|1:0.12:0.1"
#define TOLERANCE 1
#define PARAMS                                                                                                         \
    COLOR(color, 0, 1, 0, 1, 0, 1, "the color that goes")                                                              \
    FLOAT(similarity, 0.4, 0, 1, "", "chroma that is nearer to the color's shows the second image")                    \
    FLOAT(smoothing, 0.1, 0, 1, "", "from there to the first image alone; 0 is a hard edge")                           \
    CHOICE(compat, 0, "none|gpuimage", "gpuimage: that library's formula, on the numbers as they are")
#include "filter/pixel2.h"
#include "filters/key/chroma.h"

BODY {
    float keep = chroma_unlike(base, P.color, P.similarity, P.smoothing);
    float alpha = mix(over.w, base.w, keep);
    float weight = P.compat != 0 ? keep : keep * base.w / (alpha > 0.0f ? alpha : 1.0f);
    return rgba(mix(over.x, base.x, weight), mix(over.y, base.y, weight), mix(over.z, base.z, weight), alpha);
}
