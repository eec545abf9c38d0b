/* SPDX-License-Identifier: MIT
 * Global filters: pixels that are connected to seeds, numbers of components, distances (distance.c). The result is made whole
 * between two walks, where an earlier stage has left the input; the steps of the stage then read it like any kept image.
 *
 * Of components its memory first holds labels, one for each pixel. A pixel that might belong to a component points to another
 * one of it that comes before it, the first one to itself; seeds are ONE from the beginning, and so is what points to them. Labels
 * only ever become smaller, and ONE is smaller than all places, so components that meet are ONE if either is.
 * Bands of rows are labelled side by side, then joined at their edges, and at last each label becomes what it leads to:
 * 1 or 0, as f32, or the number of its component, which the first place has got by then. A label that is a result already
 * leads to itself, so bands may end side by side in the same memory. */
#include <math.h>
#include <string.h>
#include "backend/cpu/steps/global/connect.h"
#include "backend/cpu/steps/global/globals.h"
#include "backend/cpu/steps/lower.h"
#include "backend/cpu/pipeline/ends.h"
#include "backend/cpu/pipeline/run.h"
#include "backend/cpu/pipeline/spill.h"
#include "backend/cpu/pipeline/tiles.h"
#include "base/status.h"

struct work {
    const struct cpu_run *run;
    const struct global *global;
    struct labels labels;
    int64_t height;
    int32_t bands;
};

static void join(uint32_t *labels, int64_t i, int64_t k) {
    uint32_t a = follow_label(labels, labels[i]), b = follow_label(labels, labels[k]), least = a < b ? a : b;
    if (a != b)
        labels[(a < b ? b : a) & ~PLACE] = least;
    if (labels[i] & PLACE) /* a shorter way for those who come after */
        labels[i] = least;
}

/* Joins the pixels of a row with their neighbors in the row above, except where neighbors of both have done so. */
static void join_row(const struct labels *l, int64_t y) {
    uint32_t *labels = l->at;
    bool eight = !l->connect.four;
    for (int64_t x = 0; x < l->width; x++) {
        int64_t i = y * l->pitch + x, above = i - l->pitch;
        if (labels[i] == NONE)
            continue;
        bool left = x > 0 && labels[i - 1] != NONE, right = x + 1 < l->width && labels[i + 1] != NONE;
        bool above_left = x > 0 && labels[above - 1] != NONE;
        if (labels[above] != NONE) {
            if (!left || !above_left)
                join(labels, i, above);
            continue;
        }
        if (eight && above_left && !left)
            join(labels, i, above - 1);
        if (eight && !right && x + 1 < l->width && labels[above + 1] != NONE)
            join(labels, i, above + 1);
    }
}

const float *weft_global_load(const struct lane *lane, const struct pixels *pixels, int64_t x, int64_t y, int count,
                              float (*room)[GLOBAL_CHUNK]) {
    const unsigned char *from = pixels->plane[0] + y * pixels->row_bytes + x * pixels->pixel_bytes;
    float *planes[4] = {room[0], room[1], room[2], room[3]};
    if (pixels->type == WEFT_F32 && pixels->pixel_bytes == (ptrdiff_t)sizeof(float))
        return (const float *)(const void *)from;
    if (pixels->type == WEFT_F64) /* a reduction's numbers */
        for (int i = 0; i < count; i++)
            room[0][i] = (float)*(const double *)(const void *)(from + i * pixels->pixel_bytes);
    else
        lane->kernels->load[pixels->type](
            from, (int)((size_t)pixels->pixel_bytes / weft_type_size(pixels->type)), planes, count);
    return room[0];
}

static int64_t edge(const struct work *w, int32_t band) { return w->height * band / w->bands; }

static void label_band(void *user, int32_t lane_index, int32_t band) {
    const struct work *w = user;
    const struct labels *l = &w->labels;
    const struct lane lane = {.run = w->run, .kernels = &w->run->plan->device->kernels};
    struct pixels pixels = weft_whole_pixels(&lane, &w->global->whole);
    float room[4][GLOBAL_CHUNK];
    (void)lane_index;
    for (int64_t y = edge(w, band); y < edge(w, band + 1); y++) {
        for (int64_t x = 0; x < l->width; x += GLOBAL_CHUNK) {
            int count = (int)(l->width - x < GLOBAL_CHUNK ? l->width - x : GLOBAL_CHUNK);
            const float *values = weft_global_load(&lane, &pixels, x, y, count, room);
            weft_label_row(l, values, x, y, count, y > edge(w, band));
        }
        if (w->run->spill)
            weft_spill_look(w->run, pixels.row_bytes + l->pitch * (int64_t)sizeof *l->at);
    }
}

/* Other bands read labels of this one meanwhile, and find what they lead to either way. */
static void finish_band(void *user, int32_t lane_index, int32_t band) {
    const struct work *w = user;
    const struct labels *l = &w->labels;
    const struct kept *kept = &w->run->plan->kept[w->global->node];
    (void)lane_index;
    for (int64_t y = edge(w, band); y < edge(w, band + 1); y++) {
        if (w->run->spill)
            weft_spill_look(w->run, l->pitch * (int64_t)sizeof *l->at);
        weft_finish_row(l, y);
        if (kept->tiles_size > 0) {
            struct tiles tiles = weft_tiles_of(l->width, w->height, sizeof *l->at);
            weft_tiles_put(&tiles, sizeof *l->at, w->run->kept + kept->tiles_offset, 0, y, l->width, l->at + y * l->pitch);
        }
    }
}

/* Gives the first place of each component its number, in their order, as f32. */
static void number_components(const struct work *w) {
    const struct labels *l = &w->labels;
    uint32_t count = 0;
    for (int64_t y = 0; y < w->height; y++) {
        if (w->run->spill)
            weft_spill_look(w->run, l->pitch * (int64_t)sizeof *l->at);
        for (int64_t i = y * l->pitch; i < y * l->pitch + l->width; i++)
            if (l->at[i] == (PLACE | (uint32_t)i)) {
                const float number = (float)++count; /* beyond 2^24 the nearest */
                memcpy(&l->at[i], &number, sizeof number);
            }
    }
}

static void run_components(const struct cpu_run *run, const struct global *global, bool numbers) {
    const struct kept *kept = &run->plan->kept[global->node];
    const weft_image_info *info = &run->plan->typed->info[global->node];
    const struct weft_threshold *threshold = run->blocks[global->node];
    struct work w = {.run = run,
                     .global = global,
                     .labels = {.at = (uint32_t *)(void *)(run->kept + kept->offset),
                                .width = info->width,
                                .pitch = kept->row_bytes / (ptrdiff_t)sizeof(uint32_t)},
                     .height = info->height,
                     .bands = 4 * run->plan->device->threads};
    w.labels.connect = numbers ? (struct weft_connect){threshold->above, INFINITY, threshold->form}
                               : *(const struct weft_connect *)run->blocks[global->node];
    w.bands = w.bands < w.height ? w.bands : (int32_t)w.height;
    weft_pool_run(run->plan->device->pool, w.bands, label_band, &w);
    for (int32_t band = 1; band < w.bands; band++)
        join_row(&w.labels, edge(&w, band));
    if (numbers)
        number_components(&w);
    weft_pool_run(run->plan->device->pool, w.bands, finish_band, &w);
}

void weft_cpu_run_globals(const struct cpu_run *run) {
    for (int32_t i = 0; i < run->stage->global_count; i++) {
        const struct global *global = &run->stage->globals[i];
        enum weft_global what = run->plan->typed->graph->nodes[global->node].filter->global;
        if (what == WEFT_GLOBAL_DISTANCE)
            weft_global_distance(run, global);
        else
            run_components(run, global, what == WEFT_GLOBAL_LABEL);
    }
}

weft_status weft_lower_global(struct builder *b, int32_t node, const struct whole *whole, int32_t *result,
                              weft_error *error) {
    const weft_image_info *info = &b->typed->info[node];
    struct stage *stage = b->stage;
    if (info->height > (int64_t)(~PLACE) / (info->width + 32)) /* rows end on cache lines */
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED, "an image of %lldx%lld pixels is too large for %s",
                         (long long)info->width, (long long)info->height,
                         b->typed->graph->nodes[node].filter->info.name);
    struct global *globals = weft_reallocate(stage->globals, (size_t)stage->global_count + 1, sizeof *globals);
    if (!globals)
        return weft_fail_memory(error, sizeof *globals, "a global filter");
    globals[stage->global_count++] = (struct global){node, *whole};
    stage->globals = globals;
    struct whole made = {-1, node, *info};
    return weft_lower_source(b, &made, WEFT_ROW_F32, false, result, error);
}
