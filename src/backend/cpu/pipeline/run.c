/* SPDX-License-Identifier: MIT
 * Running a plan: stage after stage, tiles in parallel. */
#include "backend/cpu/pipeline/run.h"
#include <string.h>
#include "backend/cpu/pipeline/source_sink.h"
#include "backend/cpu/pipeline/spill.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/status.h"

static void report(struct cpu_run *run, int32_t lane, int64_t rows) {
    int64_t done = atomic_fetch_add_explicit(&run->done, rows, memory_order_relaxed) + rows;
    if (lane == 0 && run->request->progress && !atomic_load(&run->cancelled) &&
        !run->request->progress(run->request->progress_user, (double)done / (double)run->total))
        atomic_store(&run->cancelled, true);
}

/* While the calling thread waits for the others. */
static void ask(void *user) { report(user, 0, 0); }

/* Whether it is time to call the caller's progress function, which may cancel the run. */
static bool is_due(struct lane *lane) {
    if (!lane->asks)
        return false;
    double now = weft_seconds();
    lane->worked = 0;
    if (now - lane->asked < WEFT_PROGRESS_SECONDS)
        return false;
    lane->asked = now;
    return true;
}

void weft_lane_ask(struct lane *lane) {
    if (is_due(lane))
        report(lane->asks, 0, 0);
}

bool weft_run_stops(struct cpu_run *run, int32_t lane) {
    if (lane == 0 && run->request->progress) {
        const double now = weft_seconds();
        if (now - run->asked >= WEFT_PROGRESS_SECONDS) {
            run->asked = now;
            report(run, 0, 0);
        }
    }
    return atomic_load_explicit(&run->cancelled, memory_order_relaxed);
}

static struct lane lane_of(struct cpu_run *run, int32_t lane_index, int32_t tile, unsigned char *memory) {
    const struct stage *stage = run->stage;
    const struct cpu_device *device = run->plan->device;
    int64_t *columns = (int64_t *)(void *)(memory + stage->columns_offset);
    struct lane lane = {.stage = stage,
                        .typed = run->plan->typed,
                        .kernels = &device->kernels,
                        .bodies = device->isa->bodies,
                        .run = run,
                        .memory = memory,
                        .first = columns,
                        .end = columns + stage->count,
                        .tile = tile,
                        .cancelled = run->request->progress ? &run->cancelled : NULL,
                        .asks = lane_index == 0 && run->request->progress ? run : NULL};
    lane.asked = lane.asks ? weft_seconds() : 0;
    return lane;
}

static void run_sink(struct lane *lane, const struct step *sink, int64_t y) {
    if (lane->stage->ordered)
        weft_lane_gather(lane, sink, y);
    sink->kind->run(lane, sink, y, NULL);
}

static void run_tile(void *user, int32_t lane_index, int32_t tile) {
    struct cpu_run *run = user;
    const struct stage *stage = run->stage;
    int32_t band = tile / stage->strips, strip = tile % stage->strips;
    int64_t from = run->from + (run->to - run->from) * band / run->bands;
    int64_t to = run->from + (run->to - run->from) * (band + 1) / run->bands, reported = from;
    unsigned char *memory =
        run->strips ? run->strips + (size_t)strip * stage->lane_bytes : weft_lane_memory(run, lane_index);
    struct lane lane = lane_of(run, lane_index, tile, memory);
    if (run->strips && run->from > 0)
        weft_tile_resume(&lane);
    else
        weft_tile_begin(&lane, strip);
    weft_lane_each_reduction(&lane, 0, stage->count, weft_reduction_clear);
    int32_t sinks = 0; /* where they begin, behind most other steps */
    while (sinks < stage->count && !stage->steps[sinks].sink)
        sinks++;
    for (int64_t part = from, next; part < to; part = next) {
        next = part + run->joined < to ? part + run->joined : to;
        if (atomic_load_explicit(&run->cancelled, memory_order_relaxed))
            return;
        if (run->joined > 1)
            weft_lane_join(&lane, part, next);
        for (int32_t i = sinks; i < stage->count; i++) {
            const struct step *step = &stage->steps[i];
            int64_t y = 0, end = 1;
            if (!step->sink || lane.first[i] >= lane.end[i])
                continue;
            if (run->joined == 1)
                weft_sink_rows(stage, step, part, &y, &end);
            for (; y < end; y++)
                run_sink(&lane, step, y);
        }
        if (run->spill)
            weft_spill_look(run, run->touches);
        if (next - reported >= WEFT_PROGRESS_ROWS || next == to || is_due(&lane)) {
            report(run, lane_index, next - reported);
            reported = next;
        }
    }
    weft_lane_each_reduction(&lane, 0, stage->count, weft_reduction_close);
    lane.kernels->move_end();
}

/* The index of the stage's sink number `number`; the count of steps where there are not so many sinks. */
static int32_t find_sink(const struct stage *stage, int32_t number) {
    int32_t i = 0;
    for (int32_t before = 0; i < stage->count && (!stage->steps[i].sink || before < number); i++)
        before += stage->steps[i].sink;
    return i;
}

/* A group of the stage's reductions from top to bottom; their partial results are the first tile's. */
static void run_group(void *user, int32_t lane_index, int32_t group) {
    struct cpu_run *run = user;
    const struct stage *stage = run->stage;
    const int32_t first = find_sink(stage, (int32_t)weft_part_edge(stage->sinks, group, stage->groups));
    const int32_t end = find_sink(stage, (int32_t)weft_part_edge(stage->sinks, group + 1, stage->groups));
    struct lane lane = lane_of(run, lane_index, 0, weft_lane_memory(run, lane_index));
    weft_tile_begin(&lane, 0);
    weft_lane_each_reduction(&lane, first, end, weft_reduction_clear);
    for (int64_t y = 0; y < stage->height; y++) {
        if (atomic_load_explicit(&run->cancelled, memory_order_relaxed))
            return;
        for (int32_t i = first; i < end; i++)
            if (stage->steps[i].sink && y < stage->steps[i].height)
                run_sink(&lane, &stage->steps[i], y);
        weft_lane_ask(&lane);
    }
    weft_lane_each_reduction(&lane, first, end, weft_reduction_close);
    lane.kernels->move_end();
    report(run, lane_index,
           weft_part_edge(stage->height, group + 1, stage->groups) - weft_part_edge(stage->height, group, stage->groups));
}

weft_status weft_cpu_run_tiles(struct cpu_run *run, weft_error *error) {
    const struct stage *stage = run->stage;
    weft_pool_run_watched(run->plan->device->pool, run->grouped ? stage->groups : run->bands * stage->strips,
                          run->grouped ? run_group : run_tile, run->request->progress ? ask : NULL, run);
    if (atomic_load(&run->cancelled))
        return weft_fail(error, WEFT_ERROR_CANCELLED, "cancelled");
    if (atomic_load(&run->misread->yes))
        return weft_fail(error, WEFT_ERROR_INTERNAL, "a step read a row outside the window of the stream");
    weft_run_merge_reductions(run);
    return WEFT_OK;
}

/* Outputs of at least so many bytes are written past the caches. A smaller one may be read again while it is still in a cache. */
#define LARGE ((size_t)4 << 20)

static bool is_large(const weft_image *image) {
    size_t row = (size_t)(image->stride < 0 ? -image->stride : image->stride), bytes;
    return !weft_multiply(row, (size_t)image->info.height, &bytes) || bytes >= LARGE;
}

static bool set_views(struct cpu_run *run) {
    const struct weft_run_request *request = run->request;
    const struct weft_graph *graph = run->plan->typed->graph;
    bool streamed = false;
    run->inputs = (struct view *)(void *)(run->workspace + run->plan->views);
    run->outputs = run->inputs + graph->input_count;
    for (int32_t i = 0; i < graph->input_count; i++) {
        const weft_image *image = &request->inputs[i].image;
        run->inputs[i] = (struct view){.data = image->data, .stride = image->stride};
        run->inputs[i].count = request->inputs[i].source.read ? 0 : INT64_MAX;
        streamed = streamed || request->inputs[i].source.read;
    }
    for (int32_t i = 0; i < graph->output_count; i++) {
        const weft_image *image = &request->outputs[i].image;
        bool in_memory = !request->outputs[i].sink.write;
        run->outputs[i] =
            (struct view){.data = image->data, .stride = image->stride, .past_caches = in_memory && is_large(image)};
        streamed = streamed || !in_memory;
    }
    return streamed;
}

weft_status weft_cpu_run(const void *compiled, const struct weft_run_request *request, weft_error *error) {
    const struct cpu_plan *plan = compiled;
    const struct weft_graph *graph = plan->typed->graph;
    struct cpu_run run = {.plan = plan, .request = request, .workspace = request->workspace};
    struct misread misread = {false};
    weft_status status = WEFT_OK;
    run.misread = &misread;
    bool streamed = set_views(&run);
    run.kept = run.workspace;
    if (plan->spills)
        status = weft_spill_open(&run, error);
    run.blocks = (const void **)(void *)(run.workspace + plan->blocks);
    for (int32_t n = 0; n < graph->count; n++) {
        run.blocks[n] = request->blocks[n];
        if (plan->block[n] != SIZE_MAX) {
            memcpy(run.workspace + plan->block[n], request->blocks[n], graph->nodes[n].filter->block_size);
            run.blocks[n] = run.workspace + plan->block[n];
        }
    }
    for (int32_t s = 0; s < plan->schedule.stages; s++)
        run.total += plan->stages[s].height * plan->stages[s].strips;
    for (int32_t s = 0; status == WEFT_OK && s < plan->schedule.stages; s++) {
        const double start = weft_seconds();
        run.stage = &plan->stages[s];
        run.from = 0, run.to = run.stage->height;
        run.bands = run.stage->bands;
        run.grouped = run.stage->groups > 0 && !streamed && !run.spill;
        run.touches = run.spill ? weft_spill_touches(&run) : 0;
        run.joined = streamed ? 1 : weft_run_joined_rows(&run);
        weft_run_clear_totals(&run);
        weft_cpu_run_globals(&run);
        if (atomic_load(&run.cancelled))
            status = weft_fail(error, WEFT_ERROR_CANCELLED, "cancelled");
        else if (run.stage->count > 0)
            status = streamed ? weft_cpu_run_streams(&run, error) : weft_cpu_run_tiles(&run, error);
        if (status == WEFT_OK) {
            weft_run_finish_reductions(&run);
            weft_run_apply_bindings(&run, s);
            weft_log_print(&plan->device->base.log, WEFT_LOG_DEBUG, "pass %d of %d took %.2f ms", (int)s + 1,
                           (int)plan->schedule.stages, 1e3 * (weft_seconds() - start));
        }
        weft_run_uncut(&run);
    }
    weft_spill_close(&run);
    return status == WEFT_OK ? weft_run_write_numbers(&run, error) : status;
}
