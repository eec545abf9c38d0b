/* SPDX-License-Identifier: MIT
 * Sums along x, then along y: what separable filters, boxes and resampling have in common. */
#ifndef BACKEND_REFERENCE_AXES_H
#define BACKEND_REFERENCE_AXES_H
#include "backend/reference/model.h"

/* Output i is the sum over k of weight * input[first + k]. */
struct reference_axis {
    int64_t outputs, inputs;
    int64_t count;
    int64_t radius;       /* first of output i is i - radius, */
    const int64_t *first; /* unless this is given */
    const double *shared; /* the weights of every output; NULL: all 1, */
    const float *own;     /* or count of them per output */
};

/* Weighs plane `plane` of `in` along both axes into `out`. inside: the sum of the weights that fell on pixels inside, x
 * times y, of the same size as one plane of out. */
weft_status reference_weigh(const struct reference_image *in, int32_t plane, const struct reference_axis *x,
                            const struct reference_axis *y, weft_border border, double border_value, double *out,
                            double *inside, weft_error *error);

#endif
