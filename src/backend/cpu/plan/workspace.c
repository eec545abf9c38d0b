/* SPDX-License-Identifier: MIT
 * Where everything lies in a plan's workspace. */
#include "backend/cpu/steps/global/global.h"
#include "backend/cpu/steps/lower.h"
#include "backend/cpu/pipeline/run.h"
#include "backend/cpu/pipeline/spill.h"
#include "backend/cpu/pipeline/tiles.h"
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

/* Whether behind what the node makes lies its mask (reconstruct.c). */
static bool has_mask(const struct cpu_plan *plan, int32_t n) {
    return weft_is_global(plan->typed, n) && plan->typed->graph->nodes[n].filter->global == WEFT_GLOBAL_RECONSTRUCT;
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
           reserve(at, kept->plane_bytes, (size_t)info->format.channels + has_mask(plan, n), &kept->offset);
}

static bool is_kept(const struct cpu_plan *plan, int32_t n) {
    return plan->schedule.keep[n] || weft_is_global(plan->typed, n);
}

/* In a file: in tiles, where it is read anywhere, and in rows, where it is read by rows or made in place. */
static bool reserve_in_file(struct cpu_plan *plan, int32_t n, size_t *at) {
    const weft_image_info *info = &plan->typed->info[n];
    struct kept *kept = &plan->kept[n];
    bool rows, anywhere, fits = true;
    kept->plane_bytes = 0;
    weft_plan_reads(plan, -1, n, &rows, &anywhere);
    if (rows || weft_is_global(plan->typed, n) || !anywhere)
        fits = reserve_kept(plan, n, at);
    if (anywhere) {
        kept->tiles_size = weft_tiles_of(info->width, info->height, weft_row_type_size(kept->type)).size;
        *at = (*at + 4095) / 4096 * 4096; /* tiles are whole pages */
        fits = fits && reserve(at, kept->tiles_size, (size_t)info->format.channels, &kept->tiles_offset);
        plan->kept_tiles += fits ? kept->tiles_size * (size_t)info->format.channels : 0;
    }
    return fits;
}

/* Kept images but for numbers, one behind the other from *at on. */
static bool reserve_images(struct cpu_plan *plan, size_t *at, bool in_file) {
    bool fits = true;
    for (int32_t n = 0; fits && n < plan->typed->graph->count; n++)
        if (is_kept(plan, n) && plan->typed->info[n].format.type != WEFT_F64)
            fits = (in_file ? reserve_in_file : reserve_kept)(plan, n, at);
    return fits;
}

/* Decides whether images spill: where all that a run has in memory is more than it may take. */
static void decide(struct cpu_plan *plan, size_t workspace) {
    uint64_t most = plan->typed->memory;
    size_t images = weft_plan_image_bytes(plan), all;
    plan->large = most > 0 && (!weft_add(images, workspace, &all) || all > most);
    plan->spills = plan->large && (plan->schedule.stages > 1 || plan->stages[0].reads_whole_input);
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
        for (int32_t i = 0; i < stage->global_count; i++) {
            int32_t n = stage->globals[i].node;
            size_t bytes = weft_round_up(weft_global_lane_bytes(graph->nodes[n].filter, plan->typed->info[n].width));
            plan->lane_bytes = bytes > plan->lane_bytes ? bytes : plan->lane_bytes;
        }
        for (int32_t i = 0; fits && i < stage->count; i++) {
            const struct step *step = &stage->steps[i];
            if (step->sink && step->node >= 0)
                fits = reserve(&at, (size_t)stage->bands * (size_t)stage->strips + 1,
                               weft_round_up(weft_reduction_size(step)), &plan->partial[step->node]);
        }
    }
    fits = fits && reserve(&at, plan->lane_bytes, (size_t)plan->device->threads, &plan->lanes);
    size_t with_images = at;
    fits = fits && reserve_images(plan, &with_images, false);
    if (fits)
        decide(plan, with_images);
    if (fits && plan->spills)
        fits = reserve_images(plan, &plan->kept_apart, true);
    else
        at = with_images;
    plan->workspace = at;
    return !fits         ? weft_fail(error, WEFT_ERROR_MEMORY, "the images between the passes do not fit the address space")
           : plan->large ? weft_cpu_share_memory(plan, error)
                         : WEFT_OK;
}
