/* SPDX-License-Identifier: MIT
 * Which nodes of a graph are stored, for whom, and as what: whole numbers of steps as they are, all else as f32. */
#include "backend/gpu/plan/nodes.h"
#include "backend/gpu/plan/units.h"
#include "base/status.h"

/* Exact filters keep whole numbers whole; a box that rounds down makes them. */
static void find_steps(struct gpu_builder *b) {
    for (int32_t n = 0; n < b->typed->graph->count; n++) {
        const struct weft_graph_node *node = node_of(b, n);
        const struct weft_filter *filter = node->filter;
        int32_t steps = weft_gpu_steps(b->typed->info[n].format.type);
        bool whole = !filter || (filter->info.inputs > 0 && (filter->info.exact || (filter->moves && filter->moves(node->block))));
        if (filter && filter->kind == WEFT_KIND_BOX)
            whole = filter->rounding(node->block) == WEFT_ROUND_DOWN;
        for (int32_t i = 0; i < input_count(b, n); i++)
            whole = whole && b->steps[node->inputs[i]] == steps;
        b->steps[n] = whole ? steps : 0;
    }
}

/* Values outside the image may lie between two steps; what takes them in as they are is not stored in steps. */
static void find_stored(struct gpu_builder *b) {
    for (int32_t n = 0; n < b->typed->graph->count; n++) {
        const struct weft_graph_node *node = node_of(b, n);
        bool rounds = node->filter && node->filter->kind == WEFT_KIND_BOX;
        b->stored_steps[n] = b->steps[n];
        if (node->filter && !rounds && weft_filter_border(node->filter, node->block) == WEFT_BORDER_CONSTANT)
            b->stored_steps[n] = 0;
        for (int32_t i = 0; i < input_count(b, n) && !rounds; i++)
            b->stored_steps[n] = b->stored_steps[node->inputs[i]] ? b->stored_steps[n] : 0;
    }
}

void weft_gpu_find_steps(struct gpu_builder *b) {
    find_steps(b);
    find_stored(b);
}

int32_t weft_gpu_stored_type(const struct gpu_builder *b, int32_t n) {
    return b->stored_steps[n] ? (int32_t)b->typed->info[n].format.type : TYPE_F32;
}

static weft_status add_store(struct gpu_builder *b, int32_t unit, int32_t node, int32_t picture, weft_error *error) {
    struct gpu_store *store = picture >= 0 ? GPU_GROW(b, store, stores) : NULL;
    if (!store)
        return weft_fail_memory(error, sizeof *store, "the plan's images");
    *store = (struct gpu_store){unit, node, picture};
    return WEFT_OK;
}

/* True when something needs node n in memory: a kernel, a unit that does not make it, a later stage. */
static bool is_read_from_memory(const struct gpu_builder *b, int32_t n, int32_t stage) {
    if (is_kept(b, n, stage))
        return true;
    for (int32_t c = n + 1; c < b->typed->graph->count; c++)
        for (int32_t i = 0; b->member[c] && i < input_count(b, c); i++) {
            if (node_of(b, c)->inputs[i] != n)
                continue;
            if (is_kind(b, c, WEFT_KIND_REDUCE)) {
                for (int32_t r = 0; r < b->fused_count; r++)
                    if (b->fused[r].node == c && b->fused[r].unit != b->unit_of[n])
                        return true;
            } else if (is_kind(b, c, WEFT_KIND_POINT) ? b->unit_of[c] != b->unit_of[n] : b->group[n] < 0 || b->unit_of[n] >= 0) {
                return true;
            }
        }
    return false;
}

weft_status weft_gpu_add_stores(struct gpu_builder *b, int32_t n, int32_t stage, weft_error *error) {
    const weft_image_info *info = &b->typed->info[n];
    int32_t unit = b->unit_of[n];
    bool source = !node_of(b, n)->filter || !b->member[n]; /* made by no unit of this stage */
    weft_status status = WEFT_OK;
    if (info->format.type == WEFT_F64 || (!source && unit < 0))
        return WEFT_OK; /* numbers, or part of a load program */
    bool keep = is_kept(b, n, stage) && (!source || !node_of(b, n)->filter); /* an input whose numbers are bound */
    int32_t outputs = b->schedule.stage[n] == stage ? outputs_of(b, n) : 0;
    if (source && outputs == 0 && !keep)
        return WEFT_OK;
    if (source)
        status = weft_gpu_unit_on(b, n, stage, &unit, error);
    for (int32_t i = 0; status == WEFT_OK && outputs > 0 && i < b->typed->graph->output_count; i++)
        if (b->typed->graph->outputs[i] == n) {
            int32_t picture = weft_gpu_picture_add(b, GPU_OUTPUT, n, info, (int32_t)b->typed->output_types[i], stage);
            if (picture >= 0)
                b->pictures[picture].index = i;
            status = add_store(b, unit, n, picture, error);
        }
    if (status == WEFT_OK && (keep || (!source && is_read_from_memory(b, n, stage)))) {
        int32_t picture = weft_gpu_picture_add(b, is_kept(b, n, stage) ? GPU_KEPT : GPU_TEMPORARY, n, info,
                                               weft_gpu_stored_type(b, n), stage);
        status = add_store(b, unit, n, picture, error);
        if (status == WEFT_OK && !source)
            b->picture_of[n] = picture;
    }
    return status;
}
