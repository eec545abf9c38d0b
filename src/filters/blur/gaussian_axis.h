/* SPDX-License-Identifier: MIT
 * What gaussian_reduce and gaussian_expand share: one axis resampled by sampled gaussians at regular places. */
#ifndef BLUR_GAUSSIAN_AXIS_H
#define BLUR_GAUSSIAN_AXIS_H
#include <math.h>
#include <string.h>
#include "filter/help/axis.h"
#include "image/border.h"

/* Where a gaussian between the two grids may be cut, in sigmas: what is left out is 1.6e-6 of its weight. */
#define GAUSSIAN_CUT 4.8

/* How many pixels before and after the nearest one have a weight. */
static inline int64_t gaussian_axis_radius(double sigma) {
    return sigma * GAUSSIAN_CUT > 0.5 ? (int64_t)ceil(sigma * GAUSSIAN_CUT - 0.5) : 0;
}

/* `size` outputs, output i a gaussian mean around the place (first + 2 * i * step) / (2 * divisor) of the input, sigma in
 * input pixels. Every output's weights sum to 1. In whole numbers, so that weights come again exactly, after `divisor` outputs:
 * those of divisor 7 that did not took the processor twice the time of 6. */
static inline weft_status gaussian_axis(double sigma, int64_t first, int64_t step, int64_t divisor, int64_t size,
                                        struct weft_axis *table, weft_error *error) {
    int64_t radius = gaussian_axis_radius(sigma), count = 2 * radius + 1;
    weft_status status = weft_axis_allocate(size, count, table, error);
    table->exact = radius == 0;
    for (int64_t i = 0; status == WEFT_OK && i < size; i++) {
        float *weight = table->weight + i * count;
        int64_t twice = first + 2 * i * step + divisor, rest = weft_border_modulo(twice, 2 * divisor);
        double beyond = (double)(rest - divisor) / (double)(2 * divisor), sum = 0; /* the nearest pixel */
        table->first[i] = (twice - rest) / (2 * divisor) - radius;
        if (i >= divisor) { /* as far from its nearest pixel as this one */
            memcpy(weight, weight - divisor * count, (size_t)count * sizeof *weight);
            continue;
        }
        for (int pass = 0; pass < 2; pass++)
            for (int64_t k = 0; k < count; k++) {
                double d = radius ? ((double)(k - radius) - beyond) / sigma : 0;
                double w = exp(-0.5 * d * d);
                if (pass == 0)
                    sum += w;
                else
                    weight[k] = (float)(w / sum);
            }
    }
    return status;
}

#endif
