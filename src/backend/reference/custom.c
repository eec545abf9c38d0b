/* SPDX-License-Identifier: MIT
 * Filters of the program's own, a pixel at a time: by the program's double precision form, or by its function for rows
 * on a row of one pixel. */
#include "filter/catalog/custom.h"
#include "backend/reference/model.h"

static void one_pixel(const struct weft_custom *custom, weft_custom_pixel *pixel) {
    float in[WEFT_CUSTOM_INPUTS][4], out[4] = {0};
    weft_custom_pixels row = {.parameters = pixel->parameters,
                              .user = pixel->user,
                              .colors = 3,
                              .alpha = true,
                              .count = 1,
                              .x = pixel->x,
                              .y = pixel->y,
                              .width = pixel->width,
                              .height = pixel->height};
    for (int k = 0; k < 4; k++) {
        for (int32_t i = 0; i < custom->filter.info.inputs; i++) {
            in[i][k] = (float)pixel->in[i][k];
            row.in[i][k] = &in[i][k];
        }
        row.out[k] = &out[k];
    }
    custom->given.pixels(&row);
    for (int k = 0; k < 4; k++)
        pixel->out[k] = (double)out[k];
}

static void make_pixels(const struct reference_call *call, const struct weft_custom *custom) {
    const struct reference_image *out = call->out;
    for (int64_t y = 0; y < out->info.height; y++)
        for (int64_t x = 0; x < out->info.width; x++) {
            weft_custom_pixel pixel = {.parameters = call->block,
                                       .user = custom->given.user,
                                       .x = x,
                                       .y = y,
                                       .width = out->info.width,
                                       .height = out->info.height};
            for (int32_t i = 0; i < call->filter->info.inputs; i++)
                reference_gather(call->in[i], x, y, pixel.in[i]);
            if (custom->given.pixel)
                custom->given.pixel(&pixel);
            else
                one_pixel(custom, &pixel);
            reference_scatter(out, x, y, pixel.out);
        }
}

static void one_around(const struct weft_custom *custom, weft_custom_neighborhood *pixel) {
    float around[2 * WEFT_CUSTOM_RADIUS + 1][2 * WEFT_CUSTOM_RADIUS + 1], out = 0;
    int radius = custom->filter.radius;
    weft_custom_around row = {.parameters = pixel->parameters, .user = pixel->user, .out = &out, .count = 1};
    for (int k = 0; k <= 2 * radius; k++) {
        for (int i = 0; i <= 2 * radius; i++)
            around[k][i] = (float)pixel->around[k][i];
        row.rows[k] = &around[k][radius];
    }
    custom->given.around(&row);
    pixel->out = (double)out;
}

static void make_stencil(const struct reference_call *call, const struct weft_custom *custom) {
    const struct reference_image *out = call->out;
    int radius = call->filter->radius;
    struct reference_surroundings around = reference_around(call);
    struct weft_reference_view view = {
        .user = &around, .planes = 1, .radius_x = radius, .radius_y = radius};
    if (around.border == WEFT_BORDER_SHRINK) /* as all stencils: no mean to leave pixels out of */
        around.border = WEFT_BORDER_REPLICATE;
    for (int32_t plane = 0; plane < out->info.format.channels; plane++) {
        around.first_plane = plane;
        for (view.y = 0; view.y < out->info.height; view.y++)
            for (view.x = 0; view.x < out->info.width; view.x++) {
                weft_custom_neighborhood pixel = {.parameters = call->block, .user = custom->given.user};
                for (int dy = -radius; dy <= radius; dy++)
                    for (int dx = -radius; dx <= radius; dx++)
                        pixel.around[dy + radius][dx + radius] = reference_look(&view, 0, dx, dy, &(int){1});
                if (custom->given.neighborhood)
                    custom->given.neighborhood(&pixel);
                else
                    one_around(custom, &pixel);
                reference_row(out, plane, view.y)[view.x] = pixel.out;
            }
    }
}

weft_status reference_custom(const struct reference_call *call, weft_error *error) {
    const struct weft_custom *custom = call->filter->custom;
    (void)error;
    if (custom->given.pixels)
        make_pixels(call, custom);
    else
        make_stencil(call, custom);
    return WEFT_OK;
}
