/* SPDX-License-Identifier: MIT
 * What extrema and medians of 3 x 3 floats share: kernels whose threads go down the rows and keep the floats in registers
 * (kernels/gpu/tile/register_rows.h). */
#include "backend/gpu/pass/pass.h"
#include "kernels/gpu/tile/tile.h"

bool weft_gpu_fits_register_rows(const struct gpu_builder *builder, const struct gpu_node_context *context) {
    int64_t channels = context->in.format.channels;
    return channels != 2 && context->in.width * channels >= NEAR_MADE && weft_gpu_is_direct(builder, context, TYPE_F32);
}

weft_status weft_gpu_add_register_rows(struct gpu_builder *builder, const struct gpu_node_context *context, const char *kernel,
                                       const int32_t *constants, int32_t count, weft_error *error) {
    struct gpu_pass *pass;
    weft_status status = weft_gpu_pass_add(builder, context, NULL, kernel, constants, count, &pass, error);
    if (status != WEFT_OK)
        return status;
    pass->walks = true;
    pass->tile_width = TILE_COLUMNS * NEAR_MADE / context->in.format.channels, pass->tile_height = WALK_STEP;
    pass->reach = 1;
    pass->launch.radius_x = pass->launch.radius_y = 1;
    return WEFT_OK;
}
