/* SPDX-License-Identifier: MIT
 * 17 samples of a gaussian, at i radius / 8 pixels for i = -8 .. 8, each mixed linearly from the two nearest pixels.
 * Above radius 8 the samples are more than a pixel apart, so there it is for images without fine detail: after a
 * reduction, or for soft glows. With border=replicate it is what samplers with clamped coordinates compute. */
#define NAME gaussian_sampled
#define SUMMARY "Blur with 17 samples of a gaussian at any radius, as shaders do"
#define SOURCE "a compute shader's gaussian of 17 taps, sigma 1.886 taps"
#define EXAMPLE "gaussian_sampled=12.5"
#define PARAMS FLOAT(radius, 12.5, 0, 32, "px", "distance of the last sample; sigma is 0.2357 of it")
#include <math.h>
#include "base/memory.h"
#include "filter/separable.h"

static weft_status taps(const void *block, enum weft_direction direction, bool precise, struct weft_taps *taps,
                        weft_error *error) {
    double radius = ((const struct BLOCK *)block)->radius, sum = 0;
    size_t count = 2 * (size_t)ceil(radius) + 1;
    taps->radius = (int32_t)ceil(radius);
    taps->weight = weft_allocate(count, sizeof *taps->weight);
    if (!taps->weight)
        return weft_fail_memory(error, count * sizeof *taps->weight, "weights");
    for (int i = -8; i <= 8; i++)
        sum += exp(-9 * (i / 8.0) * (i / 8.0));
    for (int i = -8; i <= 8; i++) {
        double weight = exp(-9 * (i / 8.0) * (i / 8.0)) / sum, place = i * radius / 8, left = floor(place);
        double *tap = taps->weight + taps->radius + (int32_t)left;
        tap[0] += weight * (1 - (place - left));
        if (place > left)
            tap[1] += weight * (place - left);
    }
    return WEFT_OK;
}
