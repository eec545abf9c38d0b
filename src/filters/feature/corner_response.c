/* SPDX-License-Identifier: MIT
 * Of the matrix M = (red blue; blue green), the mean of gradient_products: how much the image changes along every
 * direction. */
#define NAME corner_response
#define SUMMARY "How much of a corner gradients make that were multiplied and averaged"
#define STEP_OF "harris"
#define SOURCE "Harris and Stephens 1988; Noble 1989; Shi and Tomasi 1994"
#define EXAMPLE                                                                                                        \
    "split[a][b];[a]sobel=x[x];[b]sobel=y[y];[x][y]gradient_products,gaussian=2,corner_response=shi_tomasi"
#define CHANNELS GREY
#define TOLERANCE 1e-5
#define PARAMS                                                                                                         \
    CHOICE(measure, 0, "harris|noble|shi_tomasi", "det M - k trace(M)^2; det M / trace M; the smaller eigenvalue of M") \
    FLOAT(k, 0.04, 0, 1, "", "of harris: larger leaves out more edges")                                                \
    FLOAT(sensitivity, 1, 0, 1000, "", "factor on the result")                                                         \
    BOOL(clip, 0, "the result ends at 0 and 1")
#include "filter/pixel.h"

BODY {
    float trace = c.x + c.y, det = c.x * c.y - c.z * c.z, gap = c.x - c.y;
    float harris_value = det - P.k * trace * trace;
    float noble_value = trace > 1e-12f ? det / trace : 0.0f;
    float smaller = 0.5f * (trace - sqrt(gap * gap + 4.0f * c.z * c.z));
    float v = P.measure == 0 ? harris_value : (P.measure == 1 ? noble_value : smaller);
    v = v * P.sensitivity;
    v = P.clip != 0 ? clamp(v, 0.0f, 1.0f) : v;
    return rgba(v, v, v, c.w);
}
