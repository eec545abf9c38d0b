/* SPDX-License-Identifier: MIT
 * Global filters: pixels that are connected to seeds. The result is made whole between two walks, where an earlier stage
 * has left the input; the steps of the stage then read it like any kept image.
 *
 * Its memory first holds labels, one for each pixel. A pixel that might belong to a component points to another one of it
 * that comes before it, the first one to itself; seeds are ONE from the beginning, and so is what points to them. Labels
 * only ever become smaller, and ONE is smaller than all places, so components that meet take the better fate of the two.
 * Bands of rows are labelled side by side, then joined at their edges, and at last each label becomes what it leads to:
 * 1 or 0, as f32. A label that is a result already leads to itself, so bands may end side by side in the same memory. */
#include <stdatomic.h>
#include "backend/cpu/steps/lower.h"
#include "backend/cpu/pipeline/ends.h"
#include "backend/cpu/pipeline/run.h"
#include "backend/cpu/pipeline/spill.h"
#include "backend/cpu/pipeline/tiles.h"
#include "base/status.h"

#define ONE 0x3f800000u /* the bits of 1.0f */
#define NONE 0u
#define PLACE 0x80000000u
#define CHUNK 1024

struct work {
    const struct cpu_run *run;
    const struct global *global;
    struct weft_connect connect;
    uint32_t *labels;
    int64_t width, height, pitch; /* of labels */
    int32_t bands;
};

/* What a label leads to: a result, or the first place of a component. */
static uint32_t follow(const uint32_t *labels, uint32_t label) {
    while (label & PLACE && labels[label & ~PLACE] != label)
        label = labels[label & ~PLACE];
    return label;
}

static void join(uint32_t *labels, int64_t i, int64_t k) {
    uint32_t a = follow(labels, labels[i]), b = follow(labels, labels[k]), least = a < b ? a : b;
    if (a != b)
        labels[(a < b ? b : a) & ~PLACE] = least;
    if (labels[i] & PLACE) /* a shorter way for those who come after */
        labels[i] = least;
}

/* Joins the pixels of a row with their neighbors in the row above, except where neighbors of both have done so. */
static void join_row(const struct work *w, int64_t y) {
    uint32_t *labels = w->labels;
    bool eight = !w->connect.four;
    for (int64_t x = 0; x < w->width; x++) {
        int64_t i = y * w->pitch + x, above = i - w->pitch;
        if (labels[i] == NONE)
            continue;
        bool left = x > 0 && labels[i - 1] != NONE, right = x + 1 < w->width && labels[i + 1] != NONE;
        bool above_left = x > 0 && labels[above - 1] != NONE;
        if (labels[above] != NONE) {
            if (!left || !above_left)
                join(labels, i, above);
            continue;
        }
        if (eight && above_left && !left)
            join(labels, i, above - 1);
        if (eight && !right && x + 1 < w->width && labels[above + 1] != NONE)
            join(labels, i, above + 1);
    }
}

/* Labels of a row by itself: a run of pixels is a component. */
static void label_row(const struct work *w, const float *values, int64_t x, int64_t y, int count) {
    uint32_t *labels = w->labels + y * w->pitch + x, place = PLACE | (uint32_t)(y * w->pitch + x);
    uint32_t before = x > 0 ? labels[-1] : NONE;
    for (int i = 0; i < count; i++) {
        bool seed = values[i] > w->connect.high, may = seed || values[i] > w->connect.low;
        uint32_t label = !may ? NONE : before != NONE ? before : seed ? ONE : place + (uint32_t)i;
        if (seed && label & PLACE) { /* the run began without one */
            w->labels[label & ~PLACE] = ONE;
            label = ONE;
        }
        labels[i] = before = label;
    }
}

/* The first plane of pixels x .. x + count of row y, as f32. */
static const float *load(const struct lane *lane, const struct pixels *pixels, int64_t x, int64_t y, int count,
                         float (*room)[CHUNK]) {
    const unsigned char *from = pixels->plane[0] + y * pixels->row_bytes + x * pixels->pixel_bytes;
    float *planes[4] = {room[0], room[1], room[2], room[3]};
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
    const struct lane lane = {.run = w->run, .kernels = &w->run->plan->device->kernels};
    struct pixels pixels = weft_whole_pixels(&lane, &w->global->whole);
    float room[4][CHUNK];
    (void)lane_index;
    for (int64_t y = edge(w, band); y < edge(w, band + 1); y++) {
        for (int64_t x = 0; x < w->width; x += CHUNK) {
            int count = (int)(w->width - x < CHUNK ? w->width - x : CHUNK);
            label_row(w, load(&lane, &pixels, x, y, count, room), x, y, count);
        }
        if (y > edge(w, band))
            join_row(w, y);
        if (w->run->spill)
            weft_spill_look(w->run, pixels.row_bytes + w->pitch * (int64_t)sizeof *w->labels);
    }
}

/* Other bands read labels of this one meanwhile, and find what they lead to either way. */
static void finish_band(void *user, int32_t lane_index, int32_t band) {
    const struct work *w = user;
    _Atomic uint32_t *labels = (_Atomic uint32_t *)(void *)w->labels;
    const struct kept *kept = &w->run->plan->kept[w->global->node];
    (void)lane_index;
    for (int64_t y = edge(w, band); y < edge(w, band + 1); y++) {
        if (w->run->spill)
            weft_spill_look(w->run, w->pitch * (int64_t)sizeof *w->labels);
        for (int64_t i = y * w->pitch; i < y * w->pitch + w->width; i++) {
            uint32_t own = atomic_load_explicit(&labels[i], memory_order_relaxed), label = own;
            for (uint32_t next; label & PLACE; label = next) {
                next = atomic_load_explicit(&labels[label & ~PLACE], memory_order_relaxed);
                if (next == label)
                    next = NONE; /* the first of a component without a seed */
            }
            if (label != own)
                atomic_store_explicit(&labels[i], label, memory_order_relaxed);
        }
        if (kept->tiles_size > 0) {
            struct tiles tiles = weft_tiles_of(w->width, w->height, sizeof *w->labels);
            weft_tiles_put(&tiles, sizeof *w->labels, w->run->kept + kept->tiles_offset, 0, y, w->width,
                           w->labels + y * w->pitch);
        }
    }
}

void weft_cpu_run_globals(const struct cpu_run *run) {
    for (int32_t i = 0; i < run->stage->global_count; i++) {
        const struct global *global = &run->stage->globals[i];
        const struct kept *kept = &run->plan->kept[global->node];
        const weft_image_info *info = &run->plan->typed->info[global->node];
        struct work w = {.run = run,
                         .global = global,
                         .connect = *(const struct weft_connect *)run->blocks[global->node],
                         .labels = (uint32_t *)(void *)(run->kept + kept->offset),
                         .width = info->width,
                         .height = info->height,
                         .pitch = kept->row_bytes / (ptrdiff_t)sizeof(uint32_t),
                         .bands = 4 * run->plan->device->threads};
        w.bands = w.bands < w.height ? w.bands : (int32_t)w.height;
        weft_pool_run(run->plan->device->pool, w.bands, label_band, &w);
        for (int32_t band = 1; band < w.bands; band++)
            join_row(&w, edge(&w, band));
        weft_pool_run(run->plan->device->pool, w.bands, finish_band, &w);
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
