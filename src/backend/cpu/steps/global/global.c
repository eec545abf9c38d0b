/* SPDX-License-Identifier: MIT
 * Global filters: pixels that are connected to seeds, numbers of components, distances (distance.c). The result is made whole
 * between two walks, where an earlier stage has left the input; the steps of the stage then read it like any kept image.
 *
 * For components the memory first holds runs (connect.h). Threads label bands of rows in parallel; the bands are then joined at
 * their edges. After that each run gets a result, in order from the first to the last: 1, 0 or the number of its component, which
 * the component's first run takes. A run points to a slot before it, which has its result by then. At last threads turn bands into
 * pixels. */
#include <math.h>
#include <string.h>
#include "backend/cpu/steps/global/connect.h"
#include "backend/cpu/steps/global/global.h"
#include "backend/cpu/steps/lower.h"
#include "backend/cpu/pipeline/source_sink.h"
#include "backend/cpu/pipeline/run.h"
#include "backend/cpu/pipeline/spill.h"
#include "backend/cpu/pipeline/tiles.h"
#include "base/status.h"

struct work {
    struct cpu_run *run;
    const struct global *global;
    struct labels labels;
    int64_t height;
    int32_t bands;
    int low_byte; /* the first byte that exceeds the limit; 256: none does */
};

static struct runs runs_of_lane(const struct work *w, int32_t lane_index) {
    return weft_runs_of(weft_lane_memory(w->run, lane_index), w->labels.width);
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

static void mark_row(const struct work *w, const struct lane *lane, const struct pixels *pixels, const struct runs *runs,
                     int64_t y) {
    const struct labels *l = &w->labels;
    float room[4][GLOBAL_CHUNK];
    if (pixels->type == WEFT_U8 && pixels->pixel_bytes == 1 && !l->has_seeds) {
        weft_mark_bytes(l, pixels->plane[0] + y * pixels->row_bytes, w->low_byte, 0, y, (int)l->width);
        return;
    }
    for (int64_t x = 0; x < l->width; x += GLOBAL_CHUNK) {
        int count = (int)(l->width - x < GLOBAL_CHUNK ? l->width - x : GLOBAL_CHUNK);
        weft_mark_row(l, runs, weft_global_load(lane, pixels, x, y, count, room), x, y, count);
    }
}

/* While the calling thread waits for the others. */
static void ask(void *user) {
    const struct work *w = user;
    weft_run_stops(w->run, 0);
}

static void label_band(void *user, int32_t lane_index, int32_t band) {
    const struct work *w = user;
    const struct labels *l = &w->labels;
    const struct lane lane = {.run = w->run, .kernels = &w->run->plan->device->kernels};
    struct pixels pixels = weft_whole_pixels(&lane, &w->global->whole);
    struct runs runs = runs_of_lane(w, lane_index);
    for (int64_t y = edge(w, band); y < edge(w, band + 1) && !weft_run_stops(w->run, lane_index); y++) {
        mark_row(w, &lane, &pixels, &runs, y);
        weft_label_row(l, &runs, y, y > edge(w, band));
        if (w->run->spill)
            weft_spill_look(w->run, pixels.row_bytes + l->pitch * (int64_t)sizeof *l->at);
    }
}

static void fill_band(void *user, int32_t lane_index, int32_t band) {
    const struct work *w = user;
    const struct labels *l = &w->labels;
    const struct kept *kept = &w->run->plan->kept[w->global->node];
    struct runs runs = runs_of_lane(w, lane_index);
    for (int64_t y = edge(w, band); y < edge(w, band + 1) && !weft_run_stops(w->run, lane_index); y++) {
        if (w->run->spill)
            weft_spill_look(w->run, l->pitch * (int64_t)sizeof *l->at);
        weft_fill_row(l, &runs, y);
        if (kept->tiles_size > 0) {
            struct tiles tiles = weft_tiles_of(l->width, w->height, sizeof *l->at);
            weft_tiles_put(&tiles, sizeof *l->at, w->run->kept + kept->tiles_offset, 0, y, l->width, l->at + y * l->pitch);
        }
    }
}

static void resolve(const struct work *w, bool numbers) {
    uint32_t count = 0;
    for (int64_t y = 0; y < w->height && !weft_run_stops(w->run, 0); y++) {
        if (w->run->spill)
            weft_spill_look(w->run, w->labels.pitch * (int64_t)sizeof *w->labels.at);
        weft_resolve_row(&w->labels, numbers ? &count : NULL, y);
    }
}

/* Bytes are converted as rows are, so that a byte exceeds the limit exactly where its f32 does. */
static int first_exceeding(const struct weft_kernels *kernels, float limit) {
    uint8_t bytes[256];
    float values[256];
    int low = 0;
    for (int i = 0; i < 256; i++)
        bytes[i] = (uint8_t)i;
    kernels->widen[WEFT_ROW_U8](bytes, values, 256);
    while (low < 256 && !(values[low] > limit))
        low++;
    return low;
}

static void run_components(struct cpu_run *run, const struct global *global, bool numbers) {
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
    w.labels.has_seeds = !numbers;
    w.bands = w.bands < w.height ? w.bands : (int32_t)w.height;
    w.low_byte = first_exceeding(&run->plan->device->kernels, w.labels.connect.low);
    weft_pool_run_watched(run->plan->device->pool, w.bands, label_band, ask, &w);
    if (weft_run_stops(run, 0))
        return; /* the run was cancelled: unfinished bands cannot be joined */
    struct runs runs = runs_of_lane(&w, 0);
    for (int32_t band = 1; band < w.bands; band++)
        weft_join_rows(&w.labels, &runs, edge(&w, band));
    resolve(&w, numbers);
    if (!weft_run_stops(run, 0))
        weft_pool_run_watched(run->plan->device->pool, w.bands, fill_band, ask, &w);
}

size_t weft_global_lane_bytes(const struct weft_filter *filter, int64_t width) {
    return filter->global == WEFT_GLOBAL_DISTANCE      ? weft_distance_bytes(width)
           : filter->global == WEFT_GLOBAL_RECONSTRUCT ? weft_reconstruct_bytes()
                                                       : weft_runs_bytes(width);
}

void weft_cpu_run_globals(struct cpu_run *run) {
    for (int32_t i = 0; i < run->stage->global_count && !weft_run_stops(run, 0); i++) {
        const struct global *global = &run->stage->globals[i];
        enum weft_global what = run->plan->typed->graph->nodes[global->node].filter->global;
        if (what == WEFT_GLOBAL_DISTANCE)
            weft_global_distance(run, global);
        else if (what == WEFT_GLOBAL_RECONSTRUCT)
            weft_global_reconstruct(run, global);
        else
            run_components(run, global, what == WEFT_GLOBAL_LABEL);
    }
}

weft_status weft_lower_global(struct builder *b, int32_t node, const struct whole *whole, int32_t *result,
                              weft_error *error) {
    const weft_image_info *info = &b->typed->info[node];
    struct stage *stage = b->stage;
    if (info->height > (int64_t)(~PLACE) / (info->width + 32)) /* rows are padded to cache lines */
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED, "an image of %lldx%lld pixels is too large for %s",
                         (long long)info->width, (long long)info->height,
                         b->typed->graph->nodes[node].filter->info.name);
    struct global *globals = weft_reallocate(stage->globals, (size_t)stage->global_count + 1, sizeof *globals);
    if (!globals)
        return weft_fail_memory(error, sizeof *globals, "a global filter");
    globals[stage->global_count++] = (struct global){node, *whole, *whole};
    stage->globals = globals;
    struct whole made = {-1, node, *info};
    return weft_lower_source(b, &made, WEFT_ROW_F32, false, result, error);
}
