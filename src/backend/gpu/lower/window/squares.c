/* SPDX-License-Identifier: MIT
 * Means of squares (kernels/gpu/window/squares.h), up to a radius. */
#include "backend/gpu/choose/window.h"
#include "backend/gpu/pass/builder.h"
#include "base/memory.h"
#include "base/status.h"
#include "kernels/gpu/tile/tile.h"
#include "kernels/gpu/window/squares.h"

weft_status weft_gpu_lower_squares(struct gpu_builder *builder, const struct gpu_node_context *context, weft_error *error) {
    int32_t radius = context->filter->reach(context->block, WEFT_X), run = SQUARES_RUN(radius);
    int32_t constants[] = {run, context->in.format.channels == 4 ? 4 : 3};
    weft_image_info means = context->in;
    bool bytes = context->in.format.channels >= 3 && weft_gpu_is_direct(builder, context, TYPE_U8);
    int32_t threads = weft_gpu_squares_threads(context->limits->block_threads, context->limits->block_bytes);
    const char *kernel = threads == SQUARES_WIDE_THREADS ? "square_means_wide" : "square_means";
    struct gpu_pass *pass;
    if (radius == 0)
        return weft_gpu_pass_add_point(builder, context, error);
    weft_status status = weft_gpu_pass_add(builder, context, NULL, kernel, constants, 2, &pass, error);
    if (status != WEFT_OK)
        return status;
    means.height += radius;
    means.format.channels = means.format.channels < 3 || bytes ? 2 : 4;
    pass->launch.radius_x = pass->launch.radius_y = radius;
    pass->launch.window.made = (threads - radius) / run * run - radius;
    pass->launch.window.bytes = bytes;
    pass->tile_width = pass->launch.window.made;
    pass->tile_height = SQUARES_ROWS;
    pass->ahead = 0;
    pass->for_next = true;
    pass->need = GPU_NEED_TABLE;
    pass->row_count = radius + 1;
    pass->first_row = weft_allocate((size_t)means.height, sizeof *pass->first_row);
    if (!pass->first_row)
        return weft_fail_memory(error, (size_t)means.height * sizeof *pass->first_row, "the rows of squares");
    for (int32_t y = 0; y < means.height; y++)
        pass->first_row[y] = y - radius;
    status = weft_gpu_pass_add(builder, context, &means, bytes ? "square_choose_bytes" : "square_choose", NULL, 0, &pass, error);
    if (status != WEFT_OK)
        return status;
    pass->launch.radius_x = pass->launch.radius_y = radius;
    pass->launch.window.means = pass->beside;
    pass->beside_more = radius;
    pass->tile_width = bytes ? 4 * TILE_COLUMNS : TILE_COLUMNS;
    pass->tile_height = SQUARES_CHOICES * TILE_THREAD_ROWS;
    return pass->beside >= 0 ? WEFT_OK : weft_fail(error, WEFT_ERROR_INTERNAL, "no launch has room for the means of squares");
}
