/* SPDX-License-Identifier: MIT
 * The guided filter of an image of bytes or floats by itself (kernels/gpu/window/guided.h). */
#include <math.h>
#include "backend/gpu/pass/builder.h"
#include "base/status.h"
#include "filter/help/patches.h"
#include "kernels/gpu/window/guided.h"

#define STEP 4 /* rows that walks are multiples of */

static void set(struct gpu_pass *pass, const struct weft_guided *guided, bool floats) {
    int32_t radius = guided->radius;
    pass->launch.radius_x = pass->launch.radius_y = pass->reach = radius;
    pass->launch.window.made = pass->tile_width = floats ? GUIDED_MADE(radius, GUIDED_FLOATS_OWN, GUIDED_FLOATS_THREADS)
                                                         : GUIDED_MADE(radius, GUIDED_OWN, GUIDED_THREADS);
    pass->launch.window.share = 1.0f / (float)(2 * radius + 1);
    pass->tile_height = STEP;
    pass->walks = true;
}
/* Steps of 1 in lines of bytes. */
static float steps_of(const struct weft_guided *guided, bool grey) {
    double eps = (double)guided->eps;
    return (float)(GUIDED_STEPS / (grey ? GUIDED_LEVEL(eps) : 1));
}

weft_status weft_gpu_lower_guided(struct gpu_builder *builder, const struct gpu_node_context *context, weft_error *error) {
    const struct weft_guided *guided = context->block;
    int32_t channels = context->in.format.channels, constants[] = {channels, channels > 1 && !guided->channels};
    int64_t width = context->in.width, radius = guided->radius;
    bool floats = context->in.format.type == WEFT_F32;
    weft_image_info lines = context->in;
    struct gpu_pass *pass;
    weft_status status =
        weft_gpu_pass_add(builder, context, NULL, floats ? "guided_fit_floats" : "guided_fit", constants, 2, &pass, error);
    if (status != WEFT_OK)
        return status;
    if (pass->launch.load_count > 0 || pass->launch.in_type != (floats ? TYPE_F32 : TYPE_U8))
        return weft_fail(error, WEFT_ERROR_INTERNAL, "the guided filter's image is none of bytes or floats in memory");
    lines.width = floats ? 2 * GUIDED_COLUMNS(width + GUIDED_FLOATS_OWN, radius, GUIDED_FLOATS_OWN)
                         : GUIDED_COLUMNS(width, radius, GUIDED_OWN);
    set(pass, guided, floats);
    pass->tile_width *= floats ? 2 : 1; /* two numbers each */
    pass->launch.window.eps = guided->eps;
    pass->launch.window.steps = steps_of(guided, constants[1] != 0);
    pass->for_next = true;
    status = weft_gpu_pass_add(builder, context, &lines, floats ? "guided_show_floats" : "guided_show", constants, 2, &pass, error);
    if (status != WEFT_OK)
        return status;
    set(pass, guided, floats);
    pass->launch.window.steps = steps_of(guided, constants[1] != 0);
    pass->launch.window.means = pass->beside;
    return pass->beside >= 0 ? WEFT_OK : weft_fail(error, WEFT_ERROR_INTERNAL, "no launch has room for the guided filter's lines");
}
