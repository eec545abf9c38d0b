/* SPDX-License-Identifier: MIT
 * The guided filter of an image of bytes by itself (kernels/gpu/window/guided.h). */
#include "backend/gpu/pass/builder.h"
#include "base/status.h"
#include "filter/help/patches.h"
#include "kernels/gpu/window/guided.h"

#define STEP 4 /* rows that walks are multiples of */

static void set(struct gpu_pass *pass, const struct weft_guided *guided) {
    pass->launch.radius_x = pass->launch.radius_y = pass->reach = guided->radius;
    pass->launch.window.made = pass->tile_width = GUIDED_MADE(guided->radius);
    pass->tile_height = STEP;
    pass->walks = true;
}

weft_status weft_gpu_lower_guided(struct gpu_builder *builder, const struct gpu_node_context *context, weft_error *error) {
    const struct weft_guided *guided = context->block;
    int32_t channels = context->in.format.channels, constants[] = {channels, channels > 1 && !guided->channels};
    weft_image_info lines = context->in;
    struct gpu_pass *pass;
    weft_status status = weft_gpu_pass_add(builder, context, NULL, "guided_fit", constants, 2, &pass, error);
    if (status != WEFT_OK)
        return status;
    if (pass->launch.load_count > 0 || pass->launch.in_type != TYPE_U8)
        return weft_fail(error, WEFT_ERROR_INTERNAL, "the guided filter's image is none of bytes in memory");
    lines.width = GUIDED_COLUMNS(context->in.width, (int64_t)guided->radius);
    set(pass, guided);
    pass->launch.window.eps = guided->eps;
    pass->for_next = true;
    status = weft_gpu_pass_add(builder, context, &lines, "guided_show", constants, 2, &pass, error);
    if (status != WEFT_OK)
        return status;
    set(pass, guided);
    pass->launch.window.means = pass->beside;
    return pass->beside >= 0 ? WEFT_OK : weft_fail(error, WEFT_ERROR_INTERNAL, "no launch has room for the guided filter's lines");
}
