/* SPDX-License-Identifier: MIT
 * Where everything lies in a plan's workspace. */
#include "backend/cpu/steps/lower.h"
#include "backend/cpu/pipeline/run.h"
#include "backend/cpu/pipeline/spill.h"
#include "base/status.h"

bool weft_is_global(const struct weft_typed_graph *typed, int32_t n) {
    const struct weft_filter *filter = typed->graph->nodes[n].filter;
    return filter && filter->kind == WEFT_KIND_GLOBAL;
}

static bool reserve(size_t *at, size_t count, size_t size, size_t *offset) {
    size_t bytes;
    *offset = *at;
    return weft_multiply(count, size, &bytes) && bytes < SIZE_MAX / 8 && weft_add(*at, weft_round_up(bytes), at) &&
           *at < SIZE_MAX / 8;
}

static bool reserve_kept(struct cpu_plan *plan, int32_t n, size_t *at) {
    const weft_image_info *info = &plan->typed->info[n];
    struct kept *kept = &plan->kept[n];
    size_t numbers;
    kept->numbers = info->format.type == WEFT_F64;
    if (kept->numbers) {
        kept->row_bytes = (ptrdiff_t)((size_t)info->width * (size_t)info->format.channels * sizeof(double));
        return weft_multiply((size_t)info->width, (size_t)info->format.channels, &numbers) &&
               reserve(at, numbers, sizeof(double), &kept->offset);
    }
    size_t size = weft_row_type_size(kept->type);
    size_t row = weft_round_up((size_t)info->width * size + 64);
    kept->row_bytes = (ptrdiff_t)row;
    return weft_multiply(row, (size_t)info->height, &kept->plane_bytes) &&
           reserve(at, kept->plane_bytes, (size_t)info->format.channels, &kept->offset);
}

static bool is_kept(const struct cpu_plan *plan, int32_t n) {
    return plan->schedule.keep[n] || weft_is_global(plan->typed, n);
}

/* Kept images but for numbers, one behind the other from *at on. */
static bool reserve_images(struct cpu_plan *plan, size_t *at) {
    bool fits = true;
    for (int32_t n = 0; fits && n < plan->typed->graph->count; n++)
        if (is_kept(plan, n) && plan->typed->info[n].format.type != WEFT_F64)
            fits = reserve_kept(plan, n, at);
    return fits;
}

/* Decides whether images spill: where all that a run has in memory is more than it may take. */
static void decide(struct cpu_plan *plan, size_t workspace) {
    uint64_t most = plan->typed->memory;
    size_t images = weft_plan_image_bytes(plan), all;
    bool again = plan->schedule.stages > 1 || plan->stages[0].reads_whole_input;
    plan->spills = most > 0 && again && (!weft_add(images, workspace, &all) || all > most);
    size_t rest = workspace - plan->kept_apart;
    plan->mapped_most = (int64_t)(most > rest && most - rest > most / 4 ? most - rest : most / 4);
}

weft_status weft_lay_out_workspace(struct cpu_plan *plan, weft_error *error) {
    const struct weft_graph *graph = plan->typed->graph;
    size_t at = 0;
    bool fits = reserve(&at, (size_t)graph->count, sizeof(void *), &plan->blocks) &&
                reserve(&at, (size_t)graph->input_count + (size_t)graph->output_count, sizeof(struct view), &plan->views);
    for (int32_t n = 0; fits && n < graph->count; n++) {
        plan->block[n] = SIZE_MAX;
        if (graph->nodes[n].binding_count > 0)
            fits = reserve(&at, 1, graph->nodes[n].filter->block_size, &plan->block[n]);
        if (fits && is_kept(plan, n) && plan->typed->info[n].format.type == WEFT_F64)
            fits = reserve_kept(plan, n, &at);
    }
    for (int32_t s = 0; fits && s < plan->schedule.stages; s++) {
        const struct stage *stage = &plan->stages[s];
        plan->lane_bytes = stage->lane_bytes > plan->lane_bytes ? stage->lane_bytes : plan->lane_bytes;
        for (int32_t i = 0; fits && i < stage->count; i++) {
            const struct step *step = &stage->steps[i];
            if (step->sink && step->node >= 0)
                fits = reserve(&at, (size_t)stage->bands * (size_t)stage->strips + 1,
                               weft_round_up(weft_reduction_size(step)), &plan->partial[step->node]);
        }
    }
    fits = fits && reserve(&at, plan->lane_bytes, (size_t)plan->device->threads, &plan->lanes);
    size_t apart = 0, with_images = at;
    fits = fits && reserve_images(plan, &apart) && weft_add(at, apart, &with_images);
    if (fits) {
        plan->kept_apart = apart;
        decide(plan, with_images);
    }
    if (fits && !plan->spills) {
        plan->kept_apart = 0;
        fits = reserve_images(plan, &at);
    }
    plan->workspace = at;
    return fits ? WEFT_OK
                : weft_fail(error, WEFT_ERROR_MEMORY, "the images between the passes do not fit the address space");
}
