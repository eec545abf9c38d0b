/* SPDX-License-Identifier: MIT
 * The definitions of separable filters and of resampling: sums weighted along x, then along y. */
#include "backend/reference/axes.h"
#include "base/memory.h"
#include "base/status.h"

/* Every plane weighed. border=shrink divides by the weight that lies inside. */
static weft_status weigh_planes(const struct reference_call *call, const struct reference_axis *x,
                                const struct reference_axis *y, weft_error *error) {
    const struct reference_image *out = call->out;
    weft_border border = weft_filter_border(call->filter, call->block);
    double border_value = (double)weft_filter_border_value(call->filter, call->block);
    size_t pixels = (size_t)out->info.width * (size_t)out->info.height;
    double *inside = weft_allocate(pixels, sizeof *inside);
    weft_status status = inside ? WEFT_OK : weft_fail_memory(error, pixels * sizeof *inside, "the weights inside");
    for (int32_t k = 0; k < out->info.format.channels && status == WEFT_OK; k++) {
        double *plane = reference_row(out, k, 0);
        status = reference_weigh(call->in[0], k, x, y, border, border_value, plane, inside, error);
        for (size_t i = 0; status == WEFT_OK && border == WEFT_BORDER_SHRINK && i < pixels; i++)
            plane[i] /= inside[i];
    }
    weft_free(inside);
    return status;
}

weft_status reference_separable(const struct reference_call *call, weft_error *error) {
    const weft_image_info *info = &call->in[0]->info;
    struct weft_taps taps[2] = {{0}};
    weft_status status = call->filter->taps(call->block, WEFT_X, true, &taps[0], error);
    if (status == WEFT_OK)
        status = call->filter->taps(call->block, WEFT_Y, true, &taps[1], error);
    if (status == WEFT_OK) {
        struct reference_axis axis[2];
        for (int i = 0; i < 2; i++) {
            int64_t size = i == 0 ? info->width : info->height;
            axis[i] = (struct reference_axis){.outputs = size,
                                              .inputs = size,
                                              .count = 2 * (int64_t)taps[i].radius + 1,
                                              .radius = taps[i].radius,
                                              .shared = taps[i].weight};
        }
        status = weigh_planes(call, &axis[0], &axis[1], error);
    }
    weft_free(taps[0].weight);
    weft_free(taps[1].weight);
    return status;
}

weft_status reference_resample(const struct reference_call *call, weft_error *error) {
    const weft_image_info *in = &call->in[0]->info, *out = &call->out->info;
    struct weft_axis table[2] = {{0}};
    weft_status status = call->filter->axis(call->block, WEFT_X, in->width, &table[0], error);
    if (status == WEFT_OK)
        status = call->filter->axis(call->block, WEFT_Y, in->height, &table[1], error);
    if (status == WEFT_OK && (table[0].size != out->width || table[1].size != out->height))
        status = weft_fail(error, WEFT_ERROR_INTERNAL, "the axes of a resampling make another size than it inferred");
    if (status == WEFT_OK) {
        struct reference_axis axis[2];
        for (int i = 0; i < 2; i++)
            axis[i] = (struct reference_axis){.outputs = table[i].size,
                                              .inputs = i == 0 ? in->width : in->height,
                                              .count = table[i].count,
                                              .first = table[i].first,
                                              .own = table[i].weight};
        status = weigh_planes(call, &axis[0], &axis[1], error);
    }
    for (int i = 0; i < 2; i++) {
        weft_free(table[i].first);
        weft_free(table[i].weight);
    }
    return status;
}
