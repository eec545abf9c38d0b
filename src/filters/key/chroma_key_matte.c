/* SPDX-License-Identifier: MIT
 * A color's hue is what it has of red, green and blue, scaled to a sum of 1/2; dark colors tend to grey, so that noise
 * in shadows has no hue. Black is grey. The matte is how far that hue is from the key's. */
#define NAME chroma_key_matte
#define SUMMARY "Make a soft matte of the distance to a key color and take its spill out"
#define STEP_OF "chroma_key_ue"
#define EXAMPLE "chroma_key_matte=0.45|0.6|0.1|1:0.08:0.06:spill=0.6"
#define CHANNELS ADD_ALPHA
#define TOLERANCE 1
#include "filters/key/ue_params.h"
#define PARAMS UE_PARAMS
#include "filter/pixel.h"

FN vec4 hue(vec4 c, float mask) {
    float sum = c.x + c.y + c.z, dark = exp(-6.28318531f * max(sum, 0.0f) / mask);
    vec4 h = rgba(mix(c.x, sum, dark), mix(c.y, sum, dark), mix(c.z, sum, dark), 0.0f);
    float whole = 2.0f * (h.x + h.y + h.z), share = whole > 0.0f ? 1.0f / whole : 0.0f;
    float grey = whole > 0.0f ? 0.0f : 0.16666667f;
    return rgba(h.x * share + grey, h.y * share + grey, h.z * share + grey, 0.0f);
}
BODY {
    vec4 a = hue(P.color, P.luma_mask), b = hue(c, P.luma_mask);
    float x = a.x - b.x, y = a.y - b.y, z = a.z - b.z, apart = sqrt(x * x + y * y + z * z) - P.similarity;
    float beyond = max(apart, 0.0f) / (P.smoothing > 1e-6f ? P.smoothing : 1e-6f);
    float alpha = min(pow(beyond, P.exponent), 1.0f), near = 1.0f - min(pow(beyond, P.spill_exponent), 1.0f);
    float take = near * P.spill, give = near * P.ambient_scale;
    return rgba(c.x * (1.0f - P.color.x * take + 0.3f * P.ambient.x * give),
                c.y * (1.0f - P.color.y * take + 0.59f * P.ambient.y * give),
                c.z * (1.0f - P.color.z * take + 0.11f * P.ambient.z * give), c.w * alpha);
}
