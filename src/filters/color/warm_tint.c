/* SPDX-License-Identifier: MIT
 * GPUImage takes the columns of the matrix to YIQ for its rows, and back likewise, so that a shift of the third
 * component is one of (1, -1.105, 1.702), not along Q; then an orange laid over by the overlay mode makes it warmer. */
#define NAME warm_tint
#define SUMMARY "Shift colors between green and magenta and lay orange over them"
#define STEP_OF "white_balance"
#define EXAMPLE "warm_tint=0.3"
#define CHANNELS COLOR
#define TOLERANCE 1e-5
#define PARAMS                                                                                                         \
    FLOAT(warmth, 0, -1, 1, "", "share of the orange; below 0 it goes the other way, to blue")                         \
    FLOAT(tint, 0, -2, 2, "", "above 0 is more magenta, below greener")
#include "filter/pixel.h"

FN float over(float x, float warm) { return x < 0.5f ? 2.0f * x * warm : 1.0f - 2.0f * (1.0f - x) * (1.0f - warm); }
BODY {
    float q1 = 0.299f * c.x + 0.596f * c.y + 0.212f * c.z, q2 = 0.587f * c.x - 0.274f * c.y - 0.523f * c.z;
    float q3 = clamp(0.114f * c.x - 0.322f * c.y + 0.311f * c.z + 0.05226f * P.tint, -0.5226f, 0.5226f);
    float r = q1 + q2 + q3, g = 0.956f * q1 - 0.272f * q2 - 1.105f * q3, b = 0.621f * q1 - 0.647f * q2 + 1.702f * q3;
    return rgba(mix(r, over(r, 0.93f), P.warmth), mix(g, over(g, 0.54f), P.warmth), mix(b, over(b, 0.0f), P.warmth),
                c.w);
}
