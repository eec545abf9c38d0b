/* SPDX-License-Identifier: MIT
 * Half of the multirate gaussian (gaussian.c): blurs so much that keeping every step-th pixel loses nothing. The
 * coarse pixels lie evenly about the middle of the image; margin of them, and a rest of less than one, lie outside on
 * each side and are made of what the border says. */
#define NAME gaussian_reduce
#define SUMMARY "Blur with a gaussian and keep every step-th pixel"
#define STEP_OF "gaussian"
#define SOURCE "Burt and Adelson 1983, with an aliasing below 1e-6"
#define EXAMPLE "gaussian_reduce=3.6:4"
#define ALPHA PREMULTIPLIED
#define AVERAGES true
#define PARAMS                                                                                                         \
    FLOAT(sigma, 1.8, 0, 10000, "px", "width of the blur along x; 0.9 steps keep aliasing below 1e-6")                 \
    INT(step, 2, 1, 10000, "px", "distance between the pixels that are kept, along x")                                 \
    INT(margin, 0, 0, MOST_MARGIN, "", "pixels of the result that lie outside the image on each side, along x")        \
    AUTO_FLOAT(sigma_y, 0, 10000, "px", "width along y; auto is that along x")                                         \
    AUTO_INT(step_y, 1, 10000, "px", "distance along y; auto is that along x")                                         \
    AUTO_INT(margin_y, 0, MOST_MARGIN, "", "margin along y; auto is that along x")
#include "filters/blur/gaussian_margin.h"
#include "filter/resample.h"
#include "filters/blur/gaussian_axis.h"

static weft_status axis(const void *block, enum weft_direction direction, int64_t size, struct weft_axis *table,
                        weft_error *error) {
    const struct BLOCK *p = block;
    bool y = direction == WEFT_Y;
    double sigma = y && p->sigma_y >= 0 ? p->sigma_y : p->sigma;
    int64_t step = y && p->step_y >= 0 ? p->step_y : p->step;
    int64_t margin = y && p->margin_y >= 0 ? p->margin_y : p->margin;
    int64_t coarse = (size + step - 1) / step + 2 * margin;
    return gaussian_axis(sigma, size - 1 - (coarse - 1) * step, step, 1, coarse, table, error);
}
