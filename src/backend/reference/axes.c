/* SPDX-License-Identifier: MIT */
#include "backend/reference/axes.h"
#include <math.h>
#include "base/memory.h"
#include "base/status.h"

struct sum {
    double value;  /* weighted, with what the border says of places outside */
    double inside; /* the weights that fell inside, to divide by */
    double total;  /* all weights */
};

static struct sum weigh_line(const struct reference_axis *axis, int64_t i, const double *line, size_t step,
                             weft_border border, double outside) {
    struct sum sum = {0};
    double magnitude = 0;
    int64_t first = axis->first ? axis->first[i] : i - axis->radius;
    for (int64_t k = 0; k < axis->count; k++) {
        double weight = axis->shared ? axis->shared[k] : axis->own ? (double)axis->own[i * axis->count + k] : 1;
        int64_t place = weft_border_map(first + k, axis->inputs, border);
        sum.total += weight;
        magnitude += fabs(weight);
        if (place >= 0) {
            sum.value += weight * line[(size_t)place * step];
            sum.inside += weight;
        } else if (border == WEFT_BORDER_CONSTANT) {
            sum.value += weight * outside;
        }
    }
    sum.inside = weft_weight_inside(sum.inside, magnitude);
    return sum;
}

weft_status reference_weigh(const struct reference_image *in, int32_t plane, const struct reference_axis *x,
                            const struct reference_axis *y, weft_border border, double border_value, double *out,
                            double *inside, weft_error *error) {
    size_t width = (size_t)x->outputs, size = width * (size_t)y->inputs;
    double *rows = weft_allocate(size, sizeof *rows);
    double *inside_x = weft_allocate(width, sizeof *inside_x), *total_x = weft_allocate(width, sizeof *total_x);
    weft_status status = WEFT_OK;
    if (rows && inside_x && total_x) {
        for (int64_t j = 0; j < y->inputs; j++)
            for (int64_t i = 0; i < x->outputs; i++) {
                struct sum sum = weigh_line(x, i, reference_row(in, plane, j), 1, border, border_value);
                rows[(size_t)j * width + (size_t)i] = sum.value;
                inside_x[i] = sum.inside, total_x[i] = sum.total;
            }
        for (int64_t j = 0; j < y->outputs; j++)
            for (int64_t i = 0; i < x->outputs; i++) {
                /* A row outside is border_value from end to end, so the weights along x have made this of it. */
                struct sum sum = weigh_line(y, j, rows + i, width, border, border_value * total_x[i]);
                out[(size_t)j * width + (size_t)i] = sum.value;
                inside[(size_t)j * width + (size_t)i] = inside_x[i] * sum.inside;
            }
    } else {
        status = weft_fail_memory(error, size * sizeof *rows, "the row sums of the reference");
    }
    weft_free(rows);
    weft_free(inside_x);
    weft_free(total_x);
    return status;
}
