/* SPDX-License-Identifier: MIT
 * The definition of point filters: an output pixel is made of the same pixel of each input. */
#include <string.h>
#include "backend/reference/model.h"

void reference_gather(const struct reference_image *image, int64_t x, int64_t y, double *rgba) {
    double v[4] = {0};
    int32_t channels = image->info.format.channels;
    for (int32_t k = 0; k < channels; k++)
        v[k] = reference_row(image, k, y)[x];
    bool color = channels >= 3;
    rgba[0] = v[0];
    rgba[1] = color ? v[1] : v[0];
    rgba[2] = color ? v[2] : v[0];
    rgba[3] = channels == 2 ? v[1] : channels == 4 ? v[3] : 1;
}

void reference_scatter(const struct reference_image *image, int64_t x, int64_t y, const double *rgba) {
    int32_t channels = image->info.format.channels;
    bool last_is_alpha = channels == 2 || channels == 4;
    for (int32_t k = 0; k < channels; k++)
        reference_row(image, k, y)[x] = rgba[last_is_alpha && k == channels - 1 ? 3 : k];
}

/* Color planes one by one; alpha is copied. */
static void per_channel(const struct reference_call *call) {
    const struct reference_image *in = call->in[0], *out = call->out;
    for (int32_t k = 0; k < out->info.format.channels; k++) {
        bool color = k < weft_color_channels(&in->info);
        for (int64_t y = 0; y < out->info.height; y++)
            for (int64_t x = 0; x < out->info.width; x++)
                if (color)
                    call->body->channel(call->block, reference_row(in, k, y)[x], &reference_row(out, k, y)[x]);
                else
                    reference_row(out, k, y)[x] = reference_row(in, k, y)[x];
    }
}

/* Pictures of data, not colors: every channel is composited by itself, as grey without alpha. One channel is in all of
 * them; other images have in a channel what reference_gather() finds there. */
static void planewise(const struct reference_call *call) {
    const struct reference_image *out = call->out;
    int32_t channels = out->info.format.channels;
    for (int64_t y = 0; y < out->info.height; y++)
        for (int64_t x = 0; x < out->info.width; x++) {
            double in[WEFT_NODE_INPUTS][4], rgba[WEFT_NODE_INPUTS][4], result[4] = {0};
            struct weft_reference_place place = {x, y, out->info.width, out->info.height};
            for (int32_t i = 0; i < call->filter->info.inputs; i++)
                reference_gather(call->in[i], x, y, rgba[i]);
            for (int32_t k = 0; k < channels; k++) {
                for (int32_t i = 0; i < call->filter->info.inputs; i++) {
                    bool grey = call->in[i]->info.format.channels == 1, last = channels % 2 == 0 && k == channels - 1;
                    in[i][0] = in[i][1] = in[i][2] = rgba[i][grey ? 0 : last ? 3 : k];
                    in[i][3] = 1;
                }
                call->body->point(call->block, (const double(*)[4])in, place, false, result);
                reference_row(out, k, y)[x] = result[0];
            }
        }
}

weft_status reference_point(const struct reference_call *call, weft_error *error) {
    const struct reference_image *out = call->out;
    (void)error;
    if (call->filter->per_channel) {
        per_channel(call);
        return WEFT_OK;
    }
    bool has_alpha = false;
    for (int32_t i = 0; i < call->filter->info.inputs; i++)
        has_alpha |= call->in[i]->info.alpha != WEFT_ALPHA_NONE;
    if (call->filter->planewise && !has_alpha) {
        planewise(call);
        return WEFT_OK;
    }
    for (int64_t y = 0; y < out->info.height; y++)
        for (int64_t x = 0; x < out->info.width; x++) {
            double in[WEFT_NODE_INPUTS][4] = {{0}}, result[4] = {0};
            struct weft_reference_place place = {x, y, out->info.width, out->info.height};
            for (int32_t i = 0; i < call->filter->info.inputs; i++)
                reference_gather(call->in[i], x, y, in[i]);
            call->body->point(call->block, (const double(*)[4])in, place, has_alpha, result);
            reference_scatter(out, x, y, result);
        }
    return WEFT_OK;
}
