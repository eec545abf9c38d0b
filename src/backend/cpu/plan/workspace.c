/* SPDX-License-Identifier: MIT
 * Where everything lies in a plan's workspace. */
#include <string.h>
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

/* Whether the node's mask lies behind its result (reconstruct.c). */
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

/* Reserves an image in a file: in tiles where steps read it at any place, and in rows where it is read by rows or made in place. */
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

static bool is_image(const struct cpu_plan *plan, int32_t n) {
    return is_kept(plan, n) && plan->typed->info[n].format.type != WEFT_F64;
}

/* Kept images in a file, one behind the other. */
static bool reserve_files(struct cpu_plan *plan) {
    bool fits = true;
    for (int32_t n = 0; fits && n < plan->typed->graph->count; n++)
        if (is_image(plan, n))
            fits = reserve_in_file(plan, n, &plan->kept_apart);
    return fits;
}

/* A kept image: the stages from the one that makes it to the last that reads it, and where it lies. */
struct life {
    int32_t first, last;
    size_t offset, end;
};

static void reads_image(struct life *lives, const struct whole *whole, int32_t stage) {
    if (whole && whole->input < 0)
        lives[whole->node].last = stage;
}

/* When each node's image is needed, if it is kept. Numbers that are parameters are read when the stage ends that makes them. */
static void find_lives(const struct cpu_plan *plan, struct life *lives) {
    const struct weft_graph *graph = plan->typed->graph;
    for (int32_t n = 0; n < graph->count; n++)
        lives[n].first = lives[n].last = plan->schedule.stage[n];
    for (int32_t s = 0; s < plan->schedule.stages; s++) {
        const struct stage *stage = &plan->stages[s];
        for (int32_t i = 0; i < stage->count; i++)
            reads_image(lives, stage->steps[i].whole, s);
        for (int32_t i = 0; i < stage->global_count; i++) {
            reads_image(lives, &stage->globals[i].whole, s);
            reads_image(lives, &stage->globals[i].second, s);
        }
    }
}

/* Kept images in memory, from *at on: those that are not needed at the same time one over the other. `placed` are those before,
 * sorted by their offsets. */
static bool place_images(struct cpu_plan *plan, const struct life *lives, struct life *placed, size_t *at) {
    size_t base = *at;
    int32_t count = 0;
    for (int32_t n = 0; n < plan->typed->graph->count; n++) {
        size_t size = 0, offset = base;
        int32_t k = 0;
        if (!is_image(plan, n))
            continue;
        if (!reserve_kept(plan, n, &size))
            return false;
        for (; k < count && placed[k].offset < offset + size; k++)
            if (placed[k].first <= lives[n].last && lives[n].first <= placed[k].last && placed[k].end > offset)
                offset = placed[k].end;
        while (k > 0 && placed[k - 1].offset > offset)
            k--;
        memmove(placed + k + 1, placed + k, (size_t)(count++ - k) * sizeof *placed);
        placed[k] = (struct life){lives[n].first, lives[n].last, offset, offset};
        plan->kept[n].offset = offset;
        if (!weft_add(offset, size, &placed[k].end) || placed[k].end > SIZE_MAX / 8)
            return false;
        *at = placed[k].end > *at ? placed[k].end : *at;
    }
    return true;
}

static weft_status reserve_images(struct cpu_plan *plan, size_t *at, bool *fits, weft_error *error) {
    size_t count = (size_t)plan->typed->graph->count;
    struct life *lives = weft_allocate(2 * count, sizeof *lives);
    if (!lives)
        return weft_fail_memory(error, 2 * count * sizeof *lives, "the plan's memory");
    find_lives(plan, lives);
    *fits = *fits && place_images(plan, lives, lives + count, at);
    weft_free(lives);
    return WEFT_OK;
}

/* Decides whether images spill: they do where a run would take more memory than it may. */
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
    weft_status status = reserve_images(plan, &with_images, &fits, error);
    if (status != WEFT_OK)
        return status;
    if (fits)
        decide(plan, with_images);
    if (fits && plan->spills)
        fits = reserve_files(plan);
    else
        at = with_images;
    plan->workspace = at;
    return !fits         ? weft_fail(error, WEFT_ERROR_MEMORY, "the images between the passes do not fit the address space")
           : plan->large ? weft_cpu_share_memory(plan, error)
                         : WEFT_OK;
}
