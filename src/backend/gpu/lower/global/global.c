/* SPDX-License-Identifier: MIT
 * Global filters: labels, joined in place, then the result (kernels/gpu/global/connect.h). Three passes, whatever the image. */
#include "backend/gpu/pass/pass.h"
#include "base/status.h"

weft_status weft_gpu_lower_global(struct gpu_builder *builder, const struct gpu_node_context *context, weft_error *error) {
    struct gpu_pass *begin, *join, *end;
    weft_image_info labels = context->out;
    labels.format.channels = 1;
    if (context->out.height > INT32_MAX / (context->out.width + 16)) /* rows end on cache lines */
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED, "an image of %lldx%lld pixels has more than a GPU can label",
                         (long long)context->out.width, (long long)context->out.height);
    weft_status status = weft_gpu_pass_add(builder, context, NULL, "connect_begin", NULL, 0, &begin, error);
    if (status == WEFT_OK)
        status = weft_gpu_pass_add(builder, context, &labels, "connect_join", NULL, 0, &join, error);
    if (status != WEFT_OK)
        return status;
    begin->launch.number[0] = (begin->launch.store[0].operands >> 8 & 255) - OPERAND_IMAGE;
    join->in_place = true;
    join->need = GPU_NEED_WHOLE;
    status = weft_gpu_pass_add(builder, context, NULL, "connect_end", NULL, 0, &end, error);
    if (status == WEFT_OK)
        end->need = GPU_NEED_WHOLE;
    return status;
}
