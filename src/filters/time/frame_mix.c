/* SPDX-License-Identifier: MIT */
#define NAME frame_mix
#define SUMMARY "Mix a frame with an earlier one, less where they differ"
#define STEP_OF "low_pass and temporal_denoise"
#define EXAMPLE "split[a][b];[b]gaussian=4[c];[a][c]frame_mix=0.8:0.1"
#define ALPHA PREMULTIPLIED
#define TOLERANCE 1e-5
#define PARAMS                                                                                                         \
    FLOAT(strength, 0.5, 0, 1, "", "weight of the earlier frame")                                                      \
    FLOAT(threshold, 0, 0, 10, "", "standard deviation of differences that are taken for noise; 0: all are")
#include "filter/pixel2.h"

BODY {
    float x = over.x - base.x, y = over.y - base.y, z = over.z - base.z, t = P.strength;
    if (P.threshold > 0.0f) { /* of all pixels or of none: where none needs it, it costs nothing */
        float difference = max(abs(x), max(abs(y), abs(z))) / P.threshold;
        t = t * exp(-0.5f * min(difference * difference, 100.0f));
    }
    return rgba(base.x + t * x, base.y + t * y, base.z + t * z, mix(base.w, over.w, t));
}
