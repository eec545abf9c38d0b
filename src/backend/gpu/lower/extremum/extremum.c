/* SPDX-License-Identifier: MIT
 * Dilation and erosion: the passes of each kernel that choose/extremum.c may choose.
 *
 * A radius larger than the image is cut, which changes nothing: an extremum does not count how often it sees a value. */
#include "backend/gpu/choose/extremum.h"
#include "backend/gpu/pass/pass.h"
#include "kernels/gpu/extremum/extremum_bytes.h"
#include "kernels/gpu/tile/byte_neighbors.h"
#include "kernels/gpu/tile/tile.h"
#include "kernels/gpu/dialect/code_path.h"

#define MOST_LEVELS 6 /* passes along an axis */

static int32_t cut(int64_t radius, int64_t size, weft_border border) {
    int64_t enough = border == WEFT_BORDER_CONSTANT ? size : border == WEFT_BORDER_WRAP ? size / 2 : size - 1;
    return (int32_t)(radius < enough ? radius : enough);
}

/* The least r with r^power >= count. */
static int32_t root_above(int64_t count, int power) {
    for (int32_t root = 1;; root++) {
        int64_t product = 1;
        for (int i = 0; i < power && product < count; i++)
            product *= root;
        if (product >= count)
            return root;
    }
}

/* How many passes along an axis are fastest: each reads a root of the window for every pixel, and moves the image,
 * which takes about as long as reading 12 pixels that are in the caches. */
static int choose_levels(int64_t window) {
    int best = 1;
    int64_t least = window + 12;
    for (int levels = 2; levels <= MOST_LEVELS; levels++) {
        int64_t cost = levels * ((int64_t)root_above(window, levels) + 12);
        if (cost < least)
            best = levels, least = cost;
    }
    return best;
}

/* The passes along one axis, each of which widens what a pixel stands for by the same factor. */
static weft_status add_lines(struct gpu_builder *builder, const struct gpu_node_context *context, bool down, int32_t radius,
                             weft_error *error) {
    int64_t window = 2 * (int64_t)radius + 1, span = 1;
    int levels = choose_levels(window);
    int32_t root = root_above(window, levels);
    for (int level = 0; level < levels; level++) {
        bool last = level == levels - 1;
        int64_t next = span * root < (int64_t)radius + 1 ? span * root : (int64_t)radius + 1;
        struct gpu_pass *pass;
        weft_status status = weft_gpu_pass_add(builder, context, &context->in, "extremum_line", NULL, 0, &pass, error);
        if (status != WEFT_OK)
            return status;
        pass->launch.extremum = (struct extremum_launch){.maximum = context->filter->maximum,
                                                         .down = down,
                                                         .span = (int32_t)span,
                                                         .before = last ? radius : 0,
                                                         .behind = last ? radius : (int32_t)next - 1,
                                                         .constant = last && pass->launch.border == BORDER_CONSTANT};
        pass->reach = down ? (last ? radius : (int32_t)next - 1) : 0;
        span = next;
    }
    return WEFT_OK;
}

static weft_status add_tile(struct gpu_builder *builder, const struct gpu_node_context *context, int32_t x, int32_t y,
                            weft_error *error) {
    int32_t channels = context->in.format.channels, planes = channels == 1 ? 1 : channels == 4 ? 4 : 3;
    int32_t halo = (x + 3) / 4 * 4;
    struct gpu_pass *pass;
    weft_status status = weft_gpu_pass_add(builder, context, NULL, "extremum", &planes, 1, &pass, error);
    if (status != WEFT_OK)
        return status;
    pass->tile_width = STRIP_COLUMNS - 2 * halo, pass->tile_height = weft_gpu_extremum_tile_rows(channels);
    pass->reach = y;
    pass->launch.radius_x = x, pass->launch.radius_y = y;
    pass->launch.extremum = (struct extremum_launch){.halo = halo, .maximum = context->filter->maximum};
    return WEFT_OK;
}

static weft_status add_words(struct gpu_builder *builder, const struct gpu_node_context *context, int32_t x, int32_t y,
                             bool numbers, bool walks, weft_error *error) {
    int32_t channels = context->in.format.channels, pixel = numbers ? 4 * channels : channels;
    int32_t constants[] = {channels, context->filter->maximum, numbers};
    struct gpu_pass *pass;
    const char *kernel = walks ? "extremum_walk" : "extremum_bytes";
    weft_status status = weft_gpu_pass_add(builder, context, NULL, kernel, constants, 3, &pass, error);
    if (status != WEFT_OK)
        return status;
    pass->walks = walks;
    pass->tile_width = EXTREMUM_MADE(x, pixel) / pixel, pass->tile_height = EXTREMUM_ROWS;
    pass->reach = y;
    pass->launch.radius_x = x, pass->launch.radius_y = y;
    weft_gpu_choose_path(pass, EXTREMUM_PATH(x, y));
    pass->launch.extremum = (struct extremum_launch){.halo = EXTREMUM_HALO(x, pixel), .made = EXTREMUM_MADE(x, pixel)};
    return WEFT_OK;
}

/* In registers alone. */
static weft_status add_small(struct gpu_builder *builder, const struct gpu_node_context *context, int32_t radius,
                             weft_error *error) {
    int32_t channels = context->in.format.channels, constants[] = {channels, radius, context->filter->maximum};
    struct gpu_pass *pass;
    weft_status status = weft_gpu_pass_add(builder, context, NULL, "extremum_small", constants, 3, &pass, error);
    if (status != WEFT_OK)
        return status;
    pass->tile_width = FEW_BYTES / channels, pass->tile_height = 4 * FEW_ROWS(radius);
    pass->reach = radius;
    pass->launch.radius_x = pass->launch.radius_y = radius;
    return WEFT_OK;
}

weft_status weft_gpu_lower_extremum(struct gpu_builder *builder, const struct gpu_node_context *context, weft_error *error) {
    weft_border border = weft_filter_border(context->filter, context->block);
    int32_t x = cut(context->filter->reach(context->block, WEFT_X), context->in.width, border);
    int32_t y = cut(context->filter->reach(context->block, WEFT_Y), context->in.height, border);
    if (x == 0 && y == 0)
        return weft_gpu_pass_add_point(builder, context, error);
    int32_t channels = context->in.format.channels, constants[] = {channels, context->filter->maximum};
    struct gpu_extremum_case facts = {.x = x,
                                      .y = y,
                                      .channels = channels,
                                      .direct_bytes = weft_gpu_is_direct(builder, context, TYPE_U8),
                                      .direct_f32 = weft_gpu_is_direct(builder, context, TYPE_F32),
                                      .fits_registers = weft_gpu_fits_register_rows(builder, context),
                                      .border_is_byte = weft_gpu_border_is_byte(context),
                                      .few_registers = context->limits->few_registers};
    const struct weft_rung *rung = weft_gpu_choose_extremum(&facts);
    weft_gpu_explain(builder, rung->when);
    switch ((enum gpu_extremum_kernel)rung->choice) {
    case GPU_EXTREMUM_SMALL:
        return add_small(builder, context, x, error);
    case GPU_EXTREMUM_BYTES:
        return add_words(builder, context, x, y, false, false, error);
    case GPU_EXTREMUM_WALK_BYTES:
        return add_words(builder, context, x, y, false, true, error);
    case GPU_EXTREMUM_REGISTERS:
        return weft_gpu_add_register_rows(builder, context, "extremum_registers", constants, 2, error);
    case GPU_EXTREMUM_VALUES:
        return add_words(builder, context, x, y, true, false, error);
    case GPU_EXTREMUM_WALK_VALUES:
        return add_words(builder, context, x, y, true, true, error);
    case GPU_EXTREMUM_TILE:
        return add_tile(builder, context, x, y, error);
    case GPU_EXTREMUM_LINES:
        break;
    }
    weft_status status = x > 0 ? add_lines(builder, context, false, x, error) : WEFT_OK;
    return status == WEFT_OK && y > 0 ? add_lines(builder, context, true, y, error) : status;
}
