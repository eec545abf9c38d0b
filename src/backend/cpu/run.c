/* SPDX-License-Identifier: MIT
 * Running a plan: stage after stage, tiles in parallel, and between stages the numbers of reductions. When an input or an
 * output is a stream, a stage is walked in windows of rows, and buffers hold the rows that a window reads and writes. */
#include "backend/cpu/run.h"
#include <string.h>
#include "backend/cpu/program.h"
#include "base/status.h"

/* Rows between two calls of the progress callback. */
#define PROGRESS_ROWS 64

static size_t row_bytes(const weft_image_info *info) { return (size_t)info->width * weft_format_size(info->format); }

static bool is_reduction(const struct step *step) { return step->sink && step->node >= 0; }

/* ---- reductions */

static double *partial(const struct cpu_run *run, const struct step *step, int32_t tile) {
    return (double *)(void *)(run->workspace + run->plan->partial[step->node] +
                              (size_t)tile * weft_round_up(weft_reduction_size(step)));
}

double *weft_lane_partial(struct lane *lane, const struct step *step) { return partial(lane->run, step, lane->tile); }

/* The total stands behind the tiles' partial results. */
static void merge_reductions(const struct cpu_run *run) {
    const struct stage *stage = run->stage;
    for (int32_t i = 0; i < stage->count; i++) {
        const struct step *step = &stage->steps[i];
        int32_t tiles = stage->bands * stage->strips;
        for (int32_t tile = 0; is_reduction(step) && tile < tiles; tile++)
            weft_reduction_merge(step, partial(run, step, tiles), partial(run, step, tile));
    }
}

static void clear_reductions(const struct cpu_run *run, int32_t from, int32_t to) {
    const struct stage *stage = run->stage;
    for (int32_t i = 0; i < stage->count; i++)
        for (int32_t tile = from; is_reduction(&stage->steps[i]) && tile < to; tile++)
            weft_reduction_clear(&stage->steps[i], partial(run, &stage->steps[i], tile));
}

static void finish_reductions(const struct cpu_run *run) {
    const struct stage *stage = run->stage;
    for (int32_t i = 0; i < stage->count; i++) {
        const struct step *step = &stage->steps[i];
        if (is_reduction(step))
            weft_reduction_finish(step, partial(run, step, stage->bands * stage->strips),
                                  (double *)(void *)(run->workspace + run->plan->kept[step->node].offset));
    }
}

/* Number `index` of a kept image, component by component, pixel by pixel. */
static double kept_number(const struct cpu_run *run, int32_t node, int32_t index) {
    const struct kept *kept = &run->plan->kept[node];
    const weft_image_info *info = &run->plan->typed->info[node];
    const unsigned char *data = run->workspace + kept->offset;
    int64_t pixel = index / info->format.channels, channel = index % info->format.channels;
    if (kept->numbers)
        return ((const double *)(const void *)data)[index];
    data += (size_t)channel * kept->plane_bytes + (size_t)(pixel / info->width) * (size_t)kept->row_bytes;
    switch (kept->type) {
    case WEFT_ROW_U8: return data[pixel % info->width] / 255.0;
    case WEFT_ROW_U16: return ((const uint16_t *)(const void *)data)[pixel % info->width] / 65535.0;
    default: return ((const float *)(const void *)data)[pixel % info->width];
    }
}

/* Parameters that images made by the stage just finished decide; held to their range. */
static void apply_bindings(const struct cpu_run *run, int32_t stage) {
    const struct weft_graph *graph = run->plan->typed->graph;
    for (int32_t n = 0; n < graph->count; n++) {
        const struct weft_graph_node *node = &graph->nodes[n];
        for (int32_t i = 0; i < node->binding_count; i++) {
            const struct weft_binding *b = &node->bindings[i];
            const struct weft_parameter *parameter = &node->filter->parameters[b->parameter];
            if (run->plan->schedule.stage[b->from] != stage)
                continue;
            double value = kept_number(run, b->from, b->index) * b->scale;
            value = value > parameter->info.minimum ? value : parameter->info.minimum;
            value = value < parameter->info.maximum ? value : parameter->info.maximum;
            *(float *)(void *)(run->workspace + run->plan->block[n] + parameter->offset) = (float)value;
        }
    }
}

/* ---- tiles */

static void report(struct cpu_run *run, int32_t lane, int64_t rows) {
    int64_t done = atomic_fetch_add_explicit(&run->done, rows, memory_order_relaxed) + rows;
    if (lane == 0 && run->request->progress &&
        !run->request->progress(run->request->progress_user, (double)done / (double)run->total))
        atomic_store(&run->cancelled, true);
}

static void run_tile(void *user, int32_t lane_index, int32_t tile) {
    struct cpu_run *run = user;
    const struct stage *stage = run->stage;
    const struct cpu_device *device = run->plan->device;
    int32_t band = tile / stage->strips, strip = tile % stage->strips;
    int64_t from = run->from + (run->to - run->from) * band / stage->bands;
    int64_t to = run->from + (run->to - run->from) * (band + 1) / stage->bands, reported = from;
    unsigned char *memory = run->workspace + run->plan->lanes + (size_t)lane_index * run->plan->lane_bytes;
    int64_t *columns = (int64_t *)(void *)(memory + stage->columns_offset);
    struct lane lane = {.stage = stage,
                        .typed = run->plan->typed,
                        .kernels = &device->kernels,
                        .bodies = device->isa->bodies,
                        .run = run,
                        .memory = memory,
                        .first = columns,
                        .end = columns + stage->count,
                        .tile = tile};
    weft_tile_begin(&lane, strip);
    for (int64_t part = from; part < to; part++) {
        if (atomic_load_explicit(&run->cancelled, memory_order_relaxed))
            return;
        for (int32_t i = 0; i < stage->count; i++) {
            const struct step *step = &stage->steps[i];
            int64_t y, end;
            if (!step->sink || lane.first[i] >= lane.end[i])
                continue;
            for (weft_sink_rows(stage, step, part, &y, &end); y < end; y++)
                step->kind->run(&lane, step, y, NULL);
        }
        if (part + 1 - reported >= PROGRESS_ROWS || part + 1 == to) {
            report(run, lane_index, part + 1 - reported);
            reported = part + 1;
        }
    }
}

static weft_status run_tiles(struct cpu_run *run, weft_error *error) {
    const struct stage *stage = run->stage;
    clear_reductions(run, 0, stage->bands * stage->strips);
    weft_pool_run(run->plan->device->pool, stage->bands * stage->strips, run_tile, run);
    if (atomic_load(&run->cancelled))
        return weft_fail(error, WEFT_ERROR_CANCELLED, "cancelled");
    merge_reductions(run);
    return WEFT_OK;
}

/* ---- streams */

/* Rows [*first, *end) of every step that parts [from, to) of the stage need when nothing has been made yet; into
 * rows[2 * i], rows[2 * i + 1]. */
static void needed_rows(const struct stage *stage, int64_t from, int64_t to, int64_t *rows) {
    for (int32_t i = 0; i < stage->count; i++)
        rows[2 * i] = INT64_MAX, rows[2 * i + 1] = INT64_MIN;
    for (int32_t i = stage->count - 1; i >= 0; i--) {
        const struct step *step = &stage->steps[i];
        int64_t unused;
        if (step->sink) {
            weft_sink_rows(stage, step, from, &rows[2 * i], &unused);
            weft_sink_rows(stage, step, to - 1, &unused, &rows[2 * i + 1]);
        }
        if (rows[2 * i] >= rows[2 * i + 1])
            continue;
        for (int32_t k = 0; k < step->input_count; k++) {
            int64_t *in = &rows[2 * (int64_t)step->inputs[k]], height = stage->steps[step->inputs[k]].height;
            int64_t low = rows[2 * i], high = rows[2 * i + 1] - 1;
            if (step->kind->rows) {
                /* Every row is asked: with a mirrored border the first row needed falls and rises again. */
                int64_t least = INT64_MAX, most = INT64_MIN, first, last;
                for (int64_t y = low; y <= high; y++) {
                    step->kind->rows(step, k, y, &first, &last);
                    least = first < least ? first : least;
                    most = last > most ? last : most;
                }
                low = least, high = most;
            }
            if (low < 0 || high >= height) /* wraps around: all of it */
                low = 0, high = height - 1;
            in[0] = low < in[0] ? low : in[0];
            in[1] = high + 1 > in[1] ? high + 1 : in[1];
        }
    }
}

struct stream {
    struct view *view;
    const weft_image_info *info;
    int64_t capacity; /* rows of the buffer */
    int64_t low;      /* of this window: rows before it are not needed again */
    int64_t high;     /* rows up to here are read (source) or made (sink) */
    int64_t previous; /* low of the window before */
    bool falls;       /* a later window needs earlier rows: keep all */
    bool owned;       /* view->data is the buffer */
};

struct streaming {
    struct cpu_run *run;
    struct stream *streams; /* of the inputs, then of the outputs; capacity 0 for images */
    int64_t *rows;          /* of every step, for needed_rows */
    int64_t window;         /* parts of the stage that are walked at a time */
};

/* Sets low and high of every stream for a window. */
static void window_rows(struct streaming *s, int64_t from, int64_t to) {
    const struct stage *stage = s->run->stage;
    int32_t inputs = s->run->plan->typed->graph->input_count;
    needed_rows(stage, from, to, s->rows);
    for (int32_t i = 0; i < stage->count; i++) {
        int32_t input = weft_source_input(&stage->steps[i]), output = weft_sink_output(&stage->steps[i]);
        struct stream *stream = input >= 0 ? &s->streams[input] : output >= 0 ? &s->streams[inputs + output] : NULL;
        if (!stream || s->rows[2 * i] >= s->rows[2 * i + 1])
            continue;
        stream->low = s->rows[2 * i] < stream->low ? s->rows[2 * i] : stream->low;
        stream->high = s->rows[2 * i + 1] > stream->high ? s->rows[2 * i + 1] : stream->high;
    }
}

static void reset_rows(struct streaming *s, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        s->streams[i].low = INT64_MAX, s->streams[i].high = INT64_MIN;
}

/* Walks the windows without pixels, to learn which streams must keep all their rows and how many the others hold. */
static void measure_streams(struct streaming *s, int32_t count) {
    int64_t height = s->run->stage->height;
    for (int32_t i = 0; i < count; i++)
        s->streams[i].previous = INT64_MIN, s->streams[i].falls = false, s->streams[i].capacity = 1;
    for (int64_t from = 0; from < height; from += s->window) {
        reset_rows(s, count);
        window_rows(s, from, from + s->window < height ? from + s->window : height);
        for (int32_t i = 0; i < count; i++) {
            struct stream *stream = &s->streams[i];
            if (stream->low > stream->high)
                continue;
            stream->falls = stream->falls || stream->low < stream->previous;
            stream->previous = stream->low;
            if (stream->high - stream->low > stream->capacity)
                stream->capacity = stream->high - stream->low;
        }
    }
    for (int32_t i = 0; i < count; i++)
        if (s->streams[i].falls)
            s->streams[i].capacity = s->streams[i].info->height;
}

/* Gets the buffers of what is streamed; images keep capacity 0. */
static weft_status open_streams(struct streaming *s, weft_error *error) {
    const struct weft_run_request *request = s->run->request;
    const struct weft_graph *graph = s->run->plan->typed->graph;
    int32_t count = graph->input_count + graph->output_count;
    measure_streams(s, count);
    for (int32_t i = 0; i < count; i++) {
        struct stream *stream = &s->streams[i];
        bool streamed = i < graph->input_count ? request->inputs[i].source.read != NULL
                                               : request->outputs[i - graph->input_count].sink.write != NULL;
        size_t stride = weft_round_up(row_bytes(stream->info)), size;
        if (!streamed || stream->info->format.type == WEFT_F64)
            stream->capacity = 0;
        if (stream->capacity == 0)
            continue;
        stream->view->data = weft_multiply(stride, (size_t)stream->capacity, &size) ? weft_allocate_aligned(size) : NULL;
        if (!stream->view->data)
            return weft_fail(error, WEFT_ERROR_MEMORY, "out of memory: a buffer of %lld rows for a stream",
                             (long long)stream->capacity);
        stream->owned = true;
        stream->view->stride = (ptrdiff_t)stride;
        stream->view->first = stream->view->count = 0;
    }
    return WEFT_OK;
}

/* Drops the rows of a source that are not needed again and reads up to the last one that is. */
static weft_status fill(struct stream *stream, const weft_source *source, weft_error *error) {
    struct view *view = stream->view;
    int64_t low = stream->falls ? 0 : stream->low, drop = low - view->first;
    if (stream->low > stream->high)
        return WEFT_OK;
    if (drop > 0) {
        int64_t kept = drop < view->count ? view->count - drop : 0, skipped = drop - (view->count - kept);
        memmove(view->data, view->data + (size_t)(view->count - kept) * (size_t)view->stride,
                (size_t)kept * (size_t)view->stride);
        view->first += view->count - kept;
        view->count = kept;
        /* Rows that nobody needs are read over. */
        for (; skipped > 0 && view->first < low; view->first++, skipped--) {
            weft_status status = source->read(source->user, view->first, 1, view->data, view->stride, error);
            if (status != WEFT_OK)
                return status;
        }
    }
    int64_t missing = stream->high - (view->first + view->count);
    if (missing <= 0)
        return WEFT_OK;
    weft_status status = source->read(source->user, view->first + view->count, missing,
                                      view->data + view->count * view->stride, view->stride, error);
    view->count += missing;
    return status;
}

static weft_status run_windows(struct streaming *s, weft_error *error) {
    struct cpu_run *run = s->run;
    const struct weft_graph *graph = run->plan->typed->graph;
    int64_t height = run->stage->height;
    weft_status status = WEFT_OK;
    for (int64_t from = 0; status == WEFT_OK && from < height; from += s->window) {
        run->from = from, run->to = from + s->window < height ? from + s->window : height;
        reset_rows(s, graph->input_count + graph->output_count);
        window_rows(s, run->from, run->to);
        for (int32_t i = 0; status == WEFT_OK && i < graph->input_count; i++)
            if (s->streams[i].capacity > 0)
                status = fill(&s->streams[i], &run->request->inputs[i].source, error);
        for (int32_t i = 0; i < graph->output_count; i++) {
            struct stream *stream = &s->streams[graph->input_count + i];
            if (stream->capacity > 0 && stream->low < stream->high)
                stream->view->first = stream->low;
        }
        if (status == WEFT_OK)
            status = run_tiles(run, error);
        for (int32_t i = 0; status == WEFT_OK && i < graph->output_count; i++) {
            struct stream *stream = &s->streams[graph->input_count + i];
            const weft_sink *sink = &run->request->outputs[i].sink;
            if (stream->capacity > 0 && stream->low < stream->high)
                status = sink->write(sink->user, stream->low, stream->high - stream->low, stream->view->data,
                                     stream->view->stride, error);
        }
    }
    return status;
}

/* The last rows of a source that no window needed, so that a reader reaches its end. */
static weft_status drain(const struct streaming *s, weft_error *error) {
    const struct cpu_run *run = s->run;
    weft_status status = WEFT_OK;
    for (int32_t i = 0; status == WEFT_OK && i < run->plan->typed->graph->input_count; i++) {
        const struct stream *stream = &s->streams[i];
        const weft_source *source = &run->request->inputs[i].source;
        if (stream->capacity > 0)
            for (int64_t y = stream->view->first + stream->view->count; status == WEFT_OK && y < stream->info->height; y++)
                status = source->read(source->user, y, 1, stream->view->data, stream->view->stride, error);
    }
    return status;
}

static weft_status run_streams(struct cpu_run *run, weft_error *error) {
    const struct weft_typed_graph *typed = run->plan->typed;
    int32_t inputs = typed->graph->input_count, outputs = typed->output_count, threads = run->plan->device->threads;
    weft_image_info *infos = weft_allocate((size_t)inputs + (size_t)outputs, sizeof *infos);
    struct streaming s = {.run = run};
    weft_status status = WEFT_OK;
    s.streams = weft_allocate((size_t)inputs + (size_t)outputs, sizeof *s.streams);
    s.rows = weft_allocate((size_t)run->stage->count * 2, sizeof *s.rows);
    if (!infos || !s.streams || !s.rows) {
        status = weft_fail_memory(error, (size_t)(inputs + outputs) * sizeof *infos, "streams");
        goto done;
    }
    for (int32_t n = 0; n < typed->graph->count; n++)
        if (!typed->graph->nodes[n].filter)
            infos[typed->graph->nodes[n].input] = typed->info[n];
    for (int32_t i = 0; i < outputs; i++) {
        infos[inputs + i] = typed->info[typed->graph->outputs[i]];
        infos[inputs + i].format.type = typed->output_types[i];
    }
    for (int32_t i = 0; i < inputs + outputs; i++) {
        s.streams[i].info = &infos[i];
        s.streams[i].view = i < inputs ? &run->inputs[i] : &run->outputs[i - inputs];
    }
    /* A window is so tall that what its bands compute twice is little. */
    s.window = 8 * run->stage->lead > 64 ? 8 * run->stage->lead : 64;
    s.window *= threads;
    s.window = s.window < run->stage->height ? s.window : run->stage->height;
    status = open_streams(&s, error);
    if (status == WEFT_OK)
        status = run_windows(&s, error);
    if (status == WEFT_OK)
        status = drain(&s, error);
done:
    for (int32_t i = 0; s.streams && i < inputs + outputs; i++)
        if (s.streams[i].owned)
            weft_free(s.streams[i].view->data);
    weft_free(infos);
    weft_free(s.streams);
    weft_free(s.rows);
    return status;
}

/* ---- the whole */

/* Reductions that are outputs of the graph: doubles, or a row to a sink. */
static weft_status write_numbers(const struct cpu_run *run, weft_error *error) {
    const struct weft_typed_graph *typed = run->plan->typed;
    for (int32_t i = 0; i < typed->output_count; i++) {
        int32_t n = typed->graph->outputs[i];
        const struct kept *kept = &run->plan->kept[n];
        const weft_run_output *output = &run->request->outputs[i];
        if (typed->output_types[i] != WEFT_F64)
            continue;
        const void *numbers = run->workspace + kept->offset;
        if (!output->sink.write) {
            memcpy(output->image.data, numbers, (size_t)kept->row_bytes);
            continue;
        }
        weft_status status = output->sink.write(output->sink.user, 0, 1, numbers, kept->row_bytes, error);
        if (status != WEFT_OK)
            return status;
    }
    return WEFT_OK;
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
        streamed = streamed || request->inputs[i].source.read;
    }
    for (int32_t i = 0; i < graph->output_count; i++) {
        const weft_image *image = &request->outputs[i].image;
        run->outputs[i] = (struct view){.data = image->data, .stride = image->stride};
        streamed = streamed || request->outputs[i].sink.write;
    }
    return streamed;
}

weft_status weft_cpu_run(const void *compiled, const struct weft_run_request *request, weft_error *error) {
    const struct cpu_plan *plan = compiled;
    const struct weft_graph *graph = plan->typed->graph;
    struct cpu_run run = {.plan = plan, .request = request, .workspace = request->workspace};
    weft_status status = WEFT_OK;
    bool streamed = set_views(&run);
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
        run.stage = &plan->stages[s];
        run.from = 0, run.to = run.stage->height;
        int32_t tiles = run.stage->bands * run.stage->strips;
        clear_reductions(&run, tiles, tiles + 1);
        if (run.stage->count > 0)
            status = streamed ? run_streams(&run, error) : run_tiles(&run, error);
        if (status == WEFT_OK) {
            finish_reductions(&run);
            apply_bindings(&run, s);
        }
    }
    return status == WEFT_OK ? write_numbers(&run, error) : status;
}
