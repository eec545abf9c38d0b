/* SPDX-License-Identifier: MIT
 * Colors are linear light of any range; the result is linear light in [0, 1]. */
#define NAME tonemap
#define SUMMARY "Bring light of any range into [0, 1], as for a picture of an OpenEXR file"
#define SOURCE "Reinhard et al. 2002, of luminance with a white point; Hable 2010; Narkowicz 2015 for aces"
#define EXAMPLE "exposure=1,tonemap=hable"
#define TOLERANCE 1e-5
#define PARAMS                                                                                                         \
    CHOICE(curve, 0, "reinhard|hable|aces|clip", "the curve; clip is none")                                            \
    FLOAT(exposure, 0, -20, 20, "EV", "light is multiplied by 2 to this power before")                                 \
    FLOAT(white, 4, 0.01, 10000, "", "the light that becomes white, for reinhard and hable")
#include "filter/pixel.h"

FN float hable(float x) { return (x * (0.15f * x + 0.05f) + 0.004f) / (x * (0.15f * x + 0.5f) + 0.06f) - 0.066666667f; }
FN float aces(float x) { return clamp(x * (2.51f * x + 0.03f) / (x * (2.43f * x + 0.59f) + 0.14f), 0.0f, 1.0f); }
FN float mapped(float x, int curve, float share, float over_white) {
    float filmic = hable(x) * over_white;
    return curve == 0 ? x * share : curve == 1 ? filmic : curve == 2 ? aces(x) : x;
}
BODY {
    float gain = exp2(P.exposure);
    float r = max(c.x * gain, 0.0f), g = max(c.y * gain, 0.0f), b = max(c.z * gain, 0.0f);
    float light = luminance(rgba(r, g, b, 1.0f)), share = (1.0f + light / (P.white * P.white)) / (1.0f + light);
    float over_white = 1.0f / hable(P.white);
    return rgba(clamp(mapped(r, P.curve, share, over_white), 0.0f, 1.0f),
                clamp(mapped(g, P.curve, share, over_white), 0.0f, 1.0f),
                clamp(mapped(b, P.curve, share, over_white), 0.0f, 1.0f), c.w);
}
