/* SPDX-License-Identifier: MIT
 * Global filters. Components are labels, joined in place, then the result (kernels/gpu/global/connect.h): three passes, whatever
 * the image; their numbers are counted in two more. Distances go along columns, then rows. */
#include "backend/gpu/pass/pass.h"
#include "base/status.h"
#include "kernels/gpu/global/distance.h"
#include "kernels/gpu/global/reconstruct.h"

/* The image that a pass makes for the next one, whose kernel writes it itself. */
static void write_directly(struct gpu_pass *pass) {
    pass->launch.global.image = (pass->launch.store[0].operands >> 8 & 255) - OPERAND_IMAGE;
}

static weft_status lower_numbers(struct gpu_builder *builder, const struct gpu_node_context *context, const struct gpu_pass *join,
                                 weft_error *error) {
    struct gpu_pass *rows, *sums, *end;
    weft_image_info counts = context->out;
    counts.width += 1;
    weft_status status = weft_gpu_pass_add(builder, context, NULL, "label_rows", NULL, 0, &rows, error);
    if (status == WEFT_OK)
        status = weft_gpu_pass_add(builder, context, &counts, "label_sums", NULL, 0, &sums, error);
    if (status != WEFT_OK)
        return status;
    write_directly(rows);
    rows->tile_width = sums->tile_width = (int32_t)counts.width;
    rows->tile_height = 1, sums->tile_height = (int32_t)counts.height;
    rows->need = sums->need = GPU_NEED_WHOLE;
    sums->in_place = true;
    status = weft_gpu_pass_add(builder, context, NULL, "label_end", NULL, 0, &end, error);
    if (status != WEFT_OK)
        return status;
    end->need = GPU_NEED_WHOLE;
    end->table_image = end->launch.global.image = weft_gpu_image_slot(builder, end, join->picture[0]);
    return end->table_image >= 0 ? WEFT_OK
                                 : weft_fail(error, WEFT_ERROR_INTERNAL, "no launch has room for the labels of components");
}

static weft_status lower_components(struct gpu_builder *builder, const struct gpu_node_context *context, weft_error *error) {
    struct gpu_pass *begin, *join, *end;
    bool numbers = context->filter->global == WEFT_GLOBAL_LABEL;
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
    write_directly(begin);
    begin->launch.global.seedless = numbers;
    join->launch.global.word = numbers ? 1 : 2;
    join->in_place = true;
    join->need = GPU_NEED_WHOLE;
    if (numbers)
        return lower_numbers(builder, context, join, error);
    status = weft_gpu_pass_add(builder, context, NULL, "connect_end", NULL, 0, &end, error);
    if (status == WEFT_OK)
        end->need = GPU_NEED_WHOLE;
    return status;
}

static weft_status lower_distance(struct gpu_builder *builder, const struct gpu_node_context *context, weft_error *error) {
    struct gpu_pass *columns, *join, *rows;
    weft_image_info away = context->out;
    away.format.channels = 1;
    if (context->out.width > DISTANCE_SIDE || context->out.height > DISTANCE_SIDE)
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED, "a GPU measures distances in images of at most %dx%d pixels, not %lldx%lld",
                         DISTANCE_SIDE, DISTANCE_SIDE, (long long)context->out.width, (long long)context->out.height);
    weft_status status = weft_gpu_pass_add(builder, context, NULL, "distance_columns", NULL, 0, &columns, error);
    if (status == WEFT_OK)
        status = weft_gpu_pass_add(builder, context, &away, "distance_join", NULL, 0, &join, error);
    if (status == WEFT_OK)
        status = weft_gpu_pass_add(builder, context, &away, "distance_rows", NULL, 0, &rows, error);
    if (status != WEFT_OK)
        return status;
    write_directly(columns);
    write_directly(join);
    columns->tile_height = join->tile_height = 8 * DISTANCE_ROWS;
    columns->need = join->need = rows->need = GPU_NEED_WHOLE;
    rows->iterations = (double)context->out.width;
    return WEFT_OK;
}

/* Rounds that join components until only the marker's is left: each at least halves the number of others. */
static int32_t rounds_of(const weft_image_info *info) {
    int64_t components = info->width * info->height;
    int32_t rounds = 0;
    for (; components > 0; components /= 2)
        rounds++;
    return rounds;
}

static weft_status lower_reconstruct(struct gpu_builder *builder, const struct gpu_node_context *context, weft_error *error) {
    static const char *const round[] = {"reconstruct_find", "reconstruct_choose", "reconstruct_hook", "reconstruct_flatten"};
    struct gpu_pass *begin, *pass;
    weft_image_info state = context->out;
    int64_t row = (state.width + 16) * RECONSTRUCT_WORDS;
    int32_t steps = 4 * rounds_of(&context->out);
    if (row > INT32_MAX / 16 || context->out.height > INT32_MAX / row) /* rows end on cache lines */
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED, "an image of %lldx%lld pixels has more than a GPU can number",
                         (long long)context->out.width, (long long)context->out.height);
    state.width *= RECONSTRUCT_WORDS;
    state.format.channels = 1;
    weft_status status = weft_gpu_pass_add(builder, context, NULL, "reconstruct_begin", NULL, 0, &begin, error);
    if (status != WEFT_OK)
        return status;
    begin->table_image = begin->launch.global.mask = weft_gpu_image_slot(builder, begin, context->table);
    begin->launch.global.width = (int32_t)context->out.width;
    begin->tile_width *= RECONSTRUCT_WORDS; /* of the state */
    begin->need = GPU_NEED_WHOLE;
    if (begin->table_image < 0)
        return weft_fail(error, WEFT_ERROR_INTERNAL, "no launch has room for the mask of a reconstruction");
    for (int32_t i = 0; i <= steps; i++) {
        status = weft_gpu_pass_add(builder, context, &state, i < steps ? round[i % 4] : "reconstruct_end", NULL, 0, &pass, error);
        if (status != WEFT_OK)
            return status;
        if (i == 0)
            write_directly(begin);
        pass->launch.global.width = (int32_t)context->out.width;
        pass->launch.global.odd_round = i / 4 % 2;
        pass->in_place = i < steps;
        pass->need = GPU_NEED_WHOLE;
    }
    return WEFT_OK;
}

weft_status weft_gpu_lower_global(struct gpu_builder *builder, const struct gpu_node_context *context, weft_error *error) {
    return context->filter->global == WEFT_GLOBAL_DISTANCE      ? lower_distance(builder, context, error)
           : context->filter->global == WEFT_GLOBAL_RECONSTRUCT ? lower_reconstruct(builder, context, error)
                                                                : lower_components(builder, context, error);
}
