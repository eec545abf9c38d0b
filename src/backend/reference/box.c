/* SPDX-License-Identifier: MIT
 * The definition of the box: the mean over a rectangle. Pixels of integer formats are summed as integers, so that sums
 * are exact and a quotient that is a half, or a whole number, is one. */
#include <math.h>
#include "backend/reference/axes.h"
#include "base/memory.h"
#include "base/status.h"

static weft_status box_plane(const struct reference_call *call, struct reference_image *scaled, int32_t k, double steps,
                             double *inside, weft_error *error) {
    struct reference_image *out = call->out;
    weft_border border = weft_filter_border(call->filter, call->block);
    double border_value = (double)weft_filter_border_value(call->filter, call->block);
    int64_t reach_x = call->filter->reach(call->block, WEFT_X), reach_y = call->filter->reach(call->block, WEFT_Y);
    int64_t width = out->info.width, height = out->info.height;
    struct reference_axis x = {.outputs = width, .inputs = width, .count = 2 * reach_x + 1, .radius = reach_x};
    struct reference_axis y = {.outputs = height, .inputs = height, .count = 2 * reach_y + 1, .radius = reach_y};
    bool down = steps > 0 && call->filter->rounding(call->block) == WEFT_ROUND_DOWN;
    double *sums = reference_row(out, k, 0);
    double scale = steps > 0 ? steps : 1;

    for (int64_t i = 0; i < width * height; i++) {
        double v = reference_row(call->in[0], k, 0)[i];
        scaled->data[i] = steps > 0 ? nearbyint(v * steps) : v;
    }
    /* The value outside is a pixel of an integer image like any other. */
    border_value = steps > 0 ? nearbyint(border_value * steps) : border_value;
    weft_status status = reference_weigh(scaled, 0, &x, &y, border, border_value, sums, inside, error);
    for (int64_t i = 0; i < width * height && status == WEFT_OK; i++) {
        double mean = sums[i] / (border == WEFT_BORDER_SHRINK ? inside[i] : (double)x.count * (double)y.count);
        if (down) /* an integer of the format, whatever the border held */
            mean = fmin(fmax(floor(mean), 0), steps);
        sums[i] = mean / scale;
    }
    return status;
}

weft_status reference_box(const struct reference_call *call, weft_error *error) {
    weft_image_info plane = call->in[0]->info;
    struct reference_image scaled = {.data = NULL}, inside = {.data = NULL};
    double steps = call->in[0]->integral ? reference_steps(plane.format.type) : 0;
    plane.format.channels = 1;
    weft_status status = reference_image_create(&plane, &scaled, error);
    if (status == WEFT_OK)
        status = reference_image_create(&plane, &inside, error);
    for (int32_t k = 0; k < call->out->info.format.channels && status == WEFT_OK; k++)
        status = box_plane(call, &scaled, k, steps, inside.data, error);
    weft_free(scaled.data);
    weft_free(inside.data);
    return status;
}
