/* SPDX-License-Identifier: MIT
 * The passes of a unit: those that the lowering of its kernel adds, or one that only runs programs. */
#include "backend/gpu/choose/point.h"
#include "backend/gpu/plan/plan.h"
#include "base/status.h"
#include "kernels/gpu/tile/tile.h"

static weft_status lower(struct gpu_builder *b, const struct gpu_node_context *context, weft_error *error) {
    switch (context->filter->kind) {
    case WEFT_KIND_STENCIL:
    case WEFT_KIND_WARP:
    case WEFT_KIND_LOOKUP:
        return weft_gpu_lower_body(b, context, error);
    case WEFT_KIND_WINDOW:
        return context->filter->squares  ? weft_gpu_lower_squares(b, context, error)
               : context->filter->guided ? weft_gpu_lower_guided(b, context, error)
                                         : weft_gpu_lower_body(b, context, error);
    case WEFT_KIND_SEPARABLE:
        return weft_gpu_lower_separable(b, context, error);
    case WEFT_KIND_BOX:
        return weft_gpu_lower_box(b, context, error);
    case WEFT_KIND_EXTREMUM:
        return weft_gpu_lower_extremum(b, context, error);
    case WEFT_KIND_RANK:
        return weft_gpu_lower_rank(b, context, error);
    case WEFT_KIND_RESAMPLE:
        return weft_gpu_lower_resample(b, context, error);
    case WEFT_KIND_GLOBAL:
        return weft_gpu_lower_global(b, context, error);
    case WEFT_KIND_POINT:
    case WEFT_KIND_REDUCE:
    case WEFT_KIND_COMPOSITE:
        break;
    }
    return weft_fail(error, WEFT_ERROR_INTERNAL, "'%s' has no kernel of its own", context->filter->info.name);
}

/* GPU kernels count pixels and components of a row in 32 bits. */
static weft_status check_size(const struct gpu_builder *b, int32_t n, weft_error *error) {
    const weft_image_info *info = &b->typed->info[n];
    int64_t row = info->width * (int64_t)sizeof(float) * 4;
    if (row <= INT32_MAX && info->height <= (1 << 30))
        return WEFT_OK;
    return weft_fail(error, WEFT_ERROR_UNSUPPORTED,
                     "an image of %lldx%lld pixels is too large for a GPU; rows hold at most %d pixels, columns %d",
                     (long long)info->width, (long long)info->height, INT32_MAX / 16, 1 << 30);
}

static weft_status kernel_passes(struct gpu_builder *b, const struct gpu_unit *unit, weft_error *error) {
    const struct weft_graph_node *node = &b->typed->graph->nodes[unit->start];
    int32_t in = node->inputs[0];
    struct gpu_node_context context = {.typed = b->typed,
                                       .node = unit->start,
                                       .filter = node->filter,
                                       .block = node->block,
                                       .in = b->typed->info[in],
                                       .out = b->typed->info[unit->start],
                                       .table = node->filter->info.inputs > 1 ? b->picture_of[node->inputs[1]] : -1,
                                       .steps = node->filter->kind == WEFT_KIND_BOX ? b->steps[in] : b->stored_steps[in],
                                       .between = TYPE_F32,
                                       .limits = &((struct gpu_device_base *)(void *)b->device)->limits};
    weft_status status = lower(b, &context, error);
    for (int32_t p = unit->first_pass; status == WEFT_OK && p < b->pass_count; p++)
        if (context.limits->loop_iterations > 0 && b->passes[p]->iterations > context.limits->loop_iterations)
            status = weft_fail(error, WEFT_ERROR_UNSUPPORTED,
                               "'%s' takes about %.0f iterations of loops in a thread, and this device stops threads after %d; a "
                               "smaller radius or fewer places take fewer",
                               context.filter->info.name, b->passes[p]->iterations, (int)context.limits->loop_iterations);
    for (int32_t p = unit->first_pass; status == WEFT_OK && p < b->pass_count; p++)
        if (b->passes[p]->table_count > GPU_TABLES)
            status = weft_fail(error, WEFT_ERROR_INTERNAL, "a pass of '%s' has more than %d tables", context.filter->info.name,
                               GPU_TABLES);
    if (status != WEFT_OK && error && error->filter[0] == 0)
        weft_error_at(error, node->origin, node->filter->info.name, NULL);
    return status;
}

/* Whether a program only moves pixels: it has no filter, or only one of WEFT_ROLE_RECALL, of the image that it starts from and of
 * another one. */
static bool only_moves(const struct gpu_builder *b, int32_t index, const struct gpu_launch *launch) {
    const struct gpu_unit *unit = &b->units[index];
    int32_t recalls = 0;
    bool moves = unit->load_group < 0 && unit->reductions == 0 && launch->in_type != TYPE_VALUES;
    for (int32_t n = 0; n < b->typed->graph->count; n++)
        if (b->unit_of[n] == index && n != unit->start)
            moves = moves && recalls++ == 0 && b->typed->graph->nodes[n].filter->role == WEFT_ROLE_RECALL;
    for (int32_t i = 0; moves && i < launch->store_count; i++) {
        const struct gpu_instruction *each = &launch->store[i];
        int32_t a = each->operands & 255, other = each->operands >> 8 & 255;
        bool stores = each->op == OP_STORE, recalls_image = a == 0 && other >= OPERAND_IMAGE && other != 255;
        int32_t channels = each->shape >> (stores ? 8 : 4) & 15, type = each->shape >> (stores ? 20 : 16) & 15;
        moves = (stores || recalls_image) && channels == launch->in_channels && type == launch->in_type;
    }
    return moves;
}

static struct gpu_point_case point_case(const struct gpu_builder *b, int32_t index, const struct gpu_launch *launch) {
    const struct gpu_unit *unit = &b->units[index];
    struct gpu_point_case point = {
        .one_image = unit->load_group < 0 && unit->reductions == 0, .apart = true, .moves = only_moves(b, index, launch)};
    if (launch->store_count < 2)
        return point;
    const struct gpu_instruction *last = &launch->store[launch->store_count - 1];
    point.filters = launch->store_count - 1;
    point.one_image = point.one_image && last->op == OP_STORE && (last->shape >> 8 & 15) == launch->in_channels;
    point.bytes = launch->in_type == TYPE_U8 && (last->shape >> 20 & 15) == TYPE_U8;
    for (int32_t i = 0; i + 1 < launch->store_count; i++)
        point.one_image = point.one_image && launch->store[i].op >= 0 && (launch->store[i].operands & 255) < OPERAND_IMAGE;
    for (int32_t n = 0; point.apart && n < b->typed->graph->count; n++)
        if (b->unit_of[n] == index && n != unit->start)
            point.apart = weft_filter_is_apart(b->typed->graph->nodes[n].filter, launch->in_channels);
    return point;
}

/* The kernel of the one pass of a unit without a kernel of its own. */
static weft_status choose_point(const struct gpu_builder *b, int32_t index, struct gpu_pass *pass, weft_error *error) {
    struct gpu_point_case point = point_case(b, index, &pass->launch);
    const struct weft_rung *rung = weft_gpu_choose_point(&point);
    pass->why = rung->when;
    if (rung->choice == GPU_POINT_ANY) {
        weft_gpu_prepare_program(b, pass);
        return WEFT_OK;
    }
    const struct gpu_picture *picture = &b->pictures[pass->picture[0]];
    pass->tile_width = (int32_t)(POINT_BYTES / (weft_gpu_row_bytes(picture) / picture->width));
    pass->tile_height = 1;
    return weft_gpu_find_kernel(rung->choice == GPU_POINT_MOVES ? "point_moves" : "point_bytes", NULL, 0, &pass->kernel, error);
}

weft_status weft_gpu_unit_passes(struct gpu_builder *b, int32_t index, weft_error *error) {
    struct gpu_unit *unit = &b->units[index];
    int32_t from = unit->load_group >= 0 ? unit->load_group : unit->start;
    weft_status status = check_size(b, unit->start, error);
    if (status == WEFT_OK)
        status = check_size(b, from, error);
    const struct weft_graph_node *node = &b->typed->graph->nodes[unit->start];
    for (int32_t i = 0; status == WEFT_OK && unit->kernel && i < node->filter->info.inputs; i++)
        status = check_size(b, node->inputs[i], error);
    b->unit = index;
    b->why = NULL;
    unit->first_pass = b->pass_count;
    if (status == WEFT_OK)
        status = unit->kernel  ? kernel_passes(b, unit, error)
                 : unit->reads ? weft_gpu_gather_pass(b, unit, error)
                               : weft_gpu_unit_point_pass(b, unit, error);
    if (status == WEFT_OK)
        status = weft_gpu_emit_store(b, index, error);
    struct gpu_pass *last = status == WEFT_OK ? b->passes[b->pass_count - 1] : NULL;
    if (last && unit->kernel &&
        weft_gpu_stencil_walks(node->filter, &((struct gpu_device_base *)(void *)b->device)->limits, last))
        return WEFT_OK;
    if (last && !unit->kernel && !unit->reads)
        status = choose_point(b, index, last, error);
    return status;
}
