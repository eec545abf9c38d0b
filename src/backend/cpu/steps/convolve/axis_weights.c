/* SPDX-License-Identifier: MIT
 * Making the weights of a separable convolution along one axis. */
#include "backend/cpu/steps/convolve/axis_weights.h"
#include <math.h>
#include "base/memory.h"
#include "base/status.h"

float weft_inside_weight(const struct axis_weights *w, int64_t at, int64_t size) {
    double sum = 0, magnitude = 0;
    for (int64_t k = -w->radius; k <= w->radius; k++) {
        magnitude += fabs(w->full[k + w->radius]);
        if (at + k >= 0 && at + k < size)
            sum += w->full[k + w->radius];
    }
    return (float)(1.0 / weft_weight_inside(sum, magnitude));
}

/* A box is a row of equal weights. */
static weft_status box_taps(int32_t radius, struct weft_taps *taps, weft_error *error) {
    size_t count = 2 * (size_t)radius + 1;
    *taps = (struct weft_taps){.radius = radius, .weight = weft_allocate(count, sizeof *taps->weight)};
    if (!taps->weight)
        return weft_fail_memory(error, count * sizeof *taps->weight, "weights");
    for (size_t k = 0; k < count; k++)
        taps->weight[k] = 1.0 / (double)count;
    return WEFT_OK;
}

weft_status weft_axis_weights_make(const struct weft_filter *filter, const void *block, enum weft_direction direction,
                                   struct axis_weights *w, weft_error *error) {
    struct weft_taps taps = {0};
    weft_status status = filter->kind == WEFT_KIND_BOX ? box_taps(filter->reach(block, direction), &taps, error)
                                                       : filter->taps(block, direction, false, &taps, error);
    if (status != WEFT_OK)
        return status;
    size_t count = 2 * (size_t)taps.radius + 1;
    w->radius = taps.radius;
    w->full = taps.weight;
    w->halved = direction == WEFT_X;
    for (size_t k = 0; k < count; k++)
        w->halved = w->halved && taps.weight[k] == taps.weight[count - 1 - k];
    w->weights = weft_allocate(count, sizeof *w->weights);
    if (!w->weights)
        return weft_fail_memory(error, count * sizeof *w->weights, "weights");
    for (size_t k = 0; k < count; k++)
        w->weights[k] = (float)taps.weight[w->halved && k <= (size_t)taps.radius ? k + (size_t)taps.radius : k];
    return WEFT_OK;
}

void weft_axis_weights_clear(struct axis_weights *w) {
    weft_free(w->weights);
    weft_free(w->full);
}
