/* SPDX-License-Identifier: MIT
 * The definition of warps: the input at another place, the nearest pixel or a mixture of the four or more around it; or the mean
 * over several such places. */
#include <math.h>
#include "backend/reference/model.h"

/* Far outside is outside; keeps places from leaving int64_t, and takes NaN along. */
static double within_reason(double v) { return !(v > -1e15) ? -1e15 : v < 1e15 ? v : 1e15; }

/* One pixel with the border applied; false where none counts. */
static bool pixel_at(const struct reference_call *call, int32_t plane, int64_t x, int64_t y, double *value) {
    const struct reference_image *in = call->in[0];
    weft_border border = weft_filter_border(call->filter, call->block);
    int64_t column = weft_border_map(x, in->info.width, border), row = weft_border_map(y, in->info.height, border);
    bool inside = column >= 0 && row >= 0;
    *value =
        inside ? reference_row(in, plane, row)[column] : (double)weft_filter_border_value(call->filter, call->block);
    return inside || border == WEFT_BORDER_CONSTANT;
}

static double nearest(const struct reference_call *call, int32_t plane, const double *from) {
    double value;
    bool counts = pixel_at(call, plane, (int64_t)floor(from[0] + 0.5), (int64_t)floor(from[1] + 0.5), &value);
    return counts ? value : 0;
}

/* Adds the four pixels around by nearness and the weight of the place, those that count. */
static void add_around(const struct reference_call *call, int32_t plane, const double *from, double *sum,
                       double *weights) {
    double left = floor(from[0]), top = floor(from[1]);
    double right_share = from[0] - left, bottom_share = from[1] - top;
    for (int j = 0; j < 2; j++)
        for (int i = 0; i < 2; i++) {
            double weight = (i ? right_share : 1 - right_share) * (j ? bottom_share : 1 - bottom_share), value;
            if (weight > 0 && pixel_at(call, plane, (int64_t)left + i, (int64_t)top + j, &value))
                *sum += from[2] * weight * value, *weights += from[2] * weight;
        }
}

/* Adds the pixels around by their weights along each axis. */
static void add_spread(const struct reference_call *call, int32_t plane, const double *from, double *sum, double *weights) {
    int64_t left = (int64_t)floor(from[0]), top = (int64_t)floor(from[1]), half = call->filter->spread / 2;
    for (int64_t y = top - half + 1; y <= top + half; y++)
        for (int64_t x = left - half + 1; x <= left + half; x++) {
            double weight = call->body->weight(fabs(from[0] - (double)x)) * call->body->weight(fabs(from[1] - (double)y)), value;
            if (weight != 0 && pixel_at(call, plane, x, y, &value))
                *sum += from[2] * weight * value, *weights += from[2] * weight;
        }
}

/* One pixel of the result: the mean over all places, 0 where nothing counts. */
static void look(const struct reference_call *call, int64_t x, int64_t y, int32_t count) {
    const weft_image_info *in = &call->in[0]->info, *out = &call->out->info;
    double sums[4] = {0}, weights[4] = {0};
    for (int32_t n = 0; n < count; n++) {
        struct weft_reference_place place = {x, y, out->width, out->height};
        double from[3];
        call->body->warp(call->block, place, in->width, in->height, n, count, from);
        from[0] = within_reason(from[0]), from[1] = within_reason(from[1]);
        for (int32_t k = 0; k < out->format.channels; k++)
            if (call->filter->info.exact)
                sums[k] = nearest(call, k, from), weights[k] = 1;
            else if (call->filter->spread)
                add_spread(call, k, from, &sums[k], &weights[k]);
            else
                add_around(call, k, from, &sums[k], &weights[k]);
    }
    for (int32_t k = 0; k < out->format.channels; k++)
        reference_row(call->out, k, y)[x] = weights[k] > 0 ? sums[k] / weights[k] : 0;
}

weft_status reference_warp(const struct reference_call *call, weft_error *error) {
    const weft_image_info *in = &call->in[0]->info, *out = &call->out->info;
    int32_t count = call->filter->places ? call->filter->places(call->block, in->width, in->height) : 1;
    (void)error;
    for (int64_t y = 0; y < out->height; y++)
        for (int64_t x = 0; x < out->width; x++)
            look(call, x, y, count);
    return WEFT_OK;
}
