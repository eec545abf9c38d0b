/* SPDX-License-Identifier: MIT
 * The other half of the multirate gaussian (gaussian.c): a finer image from one that gaussian_reduce made, by gaussian
 * interpolation. Margins of more than 4.8 sigma keep it away from the coarse image's own border. */
#define NAME gaussian_expand
#define SUMMARY "Interpolate with a gaussian to step times the size"
#define STEP_OF "gaussian"
#define SOURCE "Burt and Adelson 1983, with an aliasing below 1e-6"
#define EXAMPLE "gaussian_reduce=3.6:4:6,gaussian_expand=3.6:4:512:512"
#define ALPHA PREMULTIPLIED
#define AVERAGES true
#define PARAMS                                                                                                         \
    FLOAT(sigma, 1.8, 0, 10000, "px", "width of the gaussian along x, in pixels of the result")                        \
    INT(step, 2, 1, 10000, "px", "distance of the input's pixels in the result, along x")                              \
    INT(width, 1, 1, 2147483647, "px", "width of the result, the middle of the whole")                                 \
    INT(height, 1, 1, 2147483647, "px", "height of the result")                                                        \
    AUTO_FLOAT(sigma_y, 0, 10000, "px", "width of the gaussian along y; auto is that along x")                         \
    AUTO_INT(step_y, 1, 10000, "px", "distance along y; auto is that along x")
#include "filter/resample.h"
#include "filters/blur/gaussian_axis.h"

static weft_status axis(const void *block, enum weft_direction direction, int64_t size, struct weft_axis *table,
                        weft_error *error) {
    const struct BLOCK *p = block;
    bool y = direction == WEFT_Y;
    double sigma = y && p->sigma_y >= 0 ? p->sigma_y : p->sigma;
    int64_t step = y && p->step_y >= 0 ? p->step_y : p->step;
    int64_t fine = y ? p->height : p->width;
    return gaussian_axis(sigma / (double)step, (size - 1) * step - (fine - 1), 1, step, fine, table, error);
}
