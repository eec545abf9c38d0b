/* SPDX-License-Identifier: MIT
 * The definitions of stencils and windows: an output pixel is made of the input's pixels around it. */
#include <string.h>
#include "backend/reference/model.h"

double reference_look(const struct weft_reference_view *view, int plane, int64_t dx, int64_t dy, int *counts) {
    const struct reference_surroundings *around = view->user;
    const weft_image_info *info = &around->image->info;
    int64_t x = weft_border_map(view->x + dx, info->width, around->border);
    int64_t y = weft_border_map(view->y + dy, info->height, around->border);
    if (x >= 0 && y >= 0)
        return reference_row(around->image, around->first_plane + plane, y)[x];
    if (around->border == WEFT_BORDER_CONSTANT)
        return around->border_value;
    *counts = 0;
    return 0;
}

struct reference_surroundings reference_around(const struct reference_call *call) {
    return (struct reference_surroundings){.image = call->in[0],
                                           .border = weft_filter_border(call->filter, call->block),
                                           .border_value = (double)weft_filter_border_value(call->filter, call->block)};
}

/* A body that sees all channels at a time makes all of the result. */
static void stencil_of_pixels(const struct reference_call *call, struct weft_reference_view *view) {
    const struct reference_image *out = call->out;
    view->planes = call->in[0]->info.format.channels;
    for (view->y = 0; view->y < out->info.height; view->y++)
        for (view->x = 0; view->x < out->info.width; view->x++) {
            double result[4] = {0};
            call->body->stencil(call->block, view, result);
            int32_t channels = out->info.format.channels;
            for (int32_t k = 0; k < channels; k++) /* of two the second is alpha */
                reference_row(out, k, view->y)[view->x] = result[channels == 2 ? 3 * k : k];
        }
}

weft_status reference_stencil(const struct reference_call *call, weft_error *error) {
    const struct reference_image *out = call->out;
    struct reference_surroundings around = reference_around(call);
    struct weft_reference_view view = {reference_look, &around, 0, 0, 1, call->filter->radius, call->filter->radius};
    (void)error;
    /* A difference of neighbours has no mean to leave pixels out of: shrink takes the nearest pixel inside. */
    if (around.border == WEFT_BORDER_SHRINK)
        around.border = WEFT_BORDER_REPLICATE;
    if (call->filter->pixels) {
        stencil_of_pixels(call, &view);
        return WEFT_OK;
    }
    /* Luminance stencils find their one plane in plane 0; the planner made it. */
    for (int32_t k = 0; k < out->info.format.channels; k++) {
        if (weft_filter_copies_alpha(call->filter, call->block) && k >= weft_color_channels(&out->info)) { /* alpha is copied */
            size_t pixels = (size_t)out->info.width * (size_t)out->info.height;
            memcpy(reference_row(out, k, 0), reference_row(call->in[0], k, 0), pixels * sizeof(double));
            continue;
        }
        around.first_plane = k;
        for (view.y = 0; view.y < out->info.height; view.y++)
            for (view.x = 0; view.x < out->info.width; view.x++)
                call->body->stencil(call->block, &view, &reference_row(out, k, view.y)[view.x]);
    }
    return WEFT_OK;
}

weft_status reference_window(const struct reference_call *call, weft_error *error) {
    const struct reference_image *out = call->out;
    struct reference_surroundings around = reference_around(call);
    struct weft_reference_view view = {reference_look,
                                       &around,
                                       0,
                                       0,
                                       out->info.format.channels,
                                       call->filter->reach(call->block, WEFT_X),
                                       call->filter->reach(call->block, WEFT_Y)};
    (void)error;
    for (view.y = 0; view.y < out->info.height; view.y++)
        for (view.x = 0; view.x < out->info.width; view.x++) {
            double result[4] = {0};
            call->body->window(call->block, &view, result);
            for (int32_t k = 0; k < out->info.format.channels; k++)
                reference_row(out, k, view.y)[view.x] = result[k];
        }
    return WEFT_OK;
}
