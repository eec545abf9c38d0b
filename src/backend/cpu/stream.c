/* SPDX-License-Identifier: MIT
 * Running a stage on streams: it is walked in windows of rows, and a buffer for each stream holds the rows that a window
 * reads or writes. */
#include <string.h>
#include "backend/cpu/program.h"
#include "backend/cpu/run.h"
#include "backend/cpu/walk.h"
#include "base/status.h"

/* What the rows of all streams that are in memory may take together, where less would mean that most is computed twice. */
static const int64_t window_bytes = 48 << 20;
#define LEAST_STRIP 256 /* columns, and how many more all strips may have than the image: */
#define FEW_TWICE 1.12
#define MANY_TWICE 1.5  /* where only so all threads work */

static size_t row_bytes(const weft_image_info *info) { return (size_t)info->width * weft_format_size(info->format); }

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
    struct walk early, late; /* what a window reads is known but for rows that steps may as well read a little later */
    int64_t window;         /* parts of the stage that are walked at a time */
    bool goes_on;           /* a window goes on where the one before ended, with the rows that the rings hold */
};

static void take_rows(struct stream *stream, struct interval rows, int64_t height) {
    if (rows.low > rows.high)
        return;
    if (rows.low < 0 || rows.high >= height) /* wraps around: all of it */
        rows = (struct interval){0, height - 1};
    stream->low = rows.low < stream->low ? rows.low : stream->low;
    stream->high = rows.high + 1 > stream->high ? rows.high + 1 : stream->high;
}

/* The rows of every stream that one part reads or makes. */
static void part_rows(struct streaming *s, const struct walk *walk) {
    const struct stage *stage = walk->stage;
    int32_t inputs = s->run->plan->typed->graph->input_count;
    for (int32_t i = 0; i < stage->count; i++) {
        const struct step *step = &stage->steps[i];
        int32_t input = weft_source_input(step), output = weft_sink_output(step), table = weft_lookup_input(step);
        if (table >= 0) /* all of it, from the first window on */
            take_rows(&s->streams[table], (struct interval){0, s->streams[table].info->height - 1}, INT64_MAX);
        if (output >= 0)
            take_rows(&s->streams[inputs + output], walk->made[i], step->height);
        if (input >= 0)
            take_rows(&s->streams[input], walk->made[i], step->height);
        if (input >= 0 && step->direct) /* its rows are read again and again */
            take_rows(&s->streams[input], walk->now[i], step->height);
    }
}

/* Sets low and high of every stream for a window. */
static void window_rows(struct streaming *s, int64_t from, int64_t to) {
    if (from == 0 || !s->goes_on) {
        weft_walk_restart(&s->early);
        weft_walk_restart(&s->late);
    }
    for (int64_t part = from; part < to; part++) {
        weft_walk_part(&s->early, part);
        weft_walk_part(&s->late, part);
        part_rows(s, &s->early);
        part_rows(s, &s->late);
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

static bool is_streamed(const struct streaming *s, int32_t i) {
    const struct weft_run_request *request = s->run->request;
    int32_t inputs = s->run->plan->typed->graph->input_count;
    return s->streams[i].info->format.type != WEFT_F64 &&
           (i < inputs ? request->inputs[i].source.read != NULL : request->outputs[i - inputs].sink.write != NULL);
}

/* Bytes of all streams' rows for one part of the stage, which may stand for more or less than one row of them. */
static int64_t part_bytes(const struct streaming *s, int32_t count) {
    int64_t height = s->run->stage->height, bytes = 1;
    for (int32_t i = 0; i < count; i++)
        if (is_streamed(s, i))
            bytes += (int64_t)row_bytes(s->streams[i].info) * ((s->streams[i].info->height + height - 1) / height);
    return bytes;
}

/* Windows that begin anew: bands, no more than keep the threads busy beside the strips of columns, and each so tall that
 * the `lead` rows that its neighbor computes as well are few. */
static void choose_bands(struct streaming *s, int32_t count) {
    struct cpu_run *run = s->run;
    const struct stage *stage = run->stage;
    const int64_t height = stage->height, lead = stage->lead > 8 ? stage->lead : 8;
    int64_t bands = (2 * (int64_t)run->plan->device->threads + stage->strips - 1) / stage->strips, most;
    const int64_t bytes = part_bytes(s, count);
    bands = bands < stage->bands ? bands : stage->bands;
    most = window_bytes / bytes > 2 * lead ? window_bytes / bytes : 2 * lead;
    s->window = 8 * lead * bands < most ? 8 * lead * bands : most;
    s->window = s->window < height ? s->window : height;
    most = s->window / (2 * lead) > 1 ? s->window / (2 * lead) : 1;
    run->bands = (int32_t)(bands < most ? bands : most);
    s->goes_on = false;
}

/* Windows that go on: nothing is computed twice, and they are as low as is still worth a start of all threads. */
static void choose_strips(struct streaming *s, int32_t count) {
    const int64_t rows = window_bytes / 2 / part_bytes(s, count), height = s->run->stage->height;
    s->window = rows < 1 ? 1 : rows < height ? rows : height;
    s->run->bands = 1;
    s->goes_on = true;
}

static int64_t stream_bytes(const struct streaming *s, int32_t count) {
    int64_t bytes = 0;
    for (int32_t i = 0; i < count; i++)
        if (is_streamed(s, i))
            bytes += (int64_t)weft_round_up(row_bytes(s->streams[i].info)) * s->streams[i].capacity;
    return bytes;
}

/* Cuts the run's stage into strips for all threads, unless all of them together had more than `most` times the columns. */
static weft_status cut_for_threads(struct streaming *s, double most, int64_t narrowest, weft_error *error) {
    struct cpu_run *run = s->run;
    const struct stage *stage = run->stage;
    int32_t threads = run->plan->device->threads, strips = (stage->strips + threads - 1) / threads * threads;
    bool reduces = false;
    for (int32_t i = 0; i < stage->count; i++)
        reduces = reduces || (stage->steps[i].sink && stage->steps[i].node >= 0);
    if (strips == stage->strips || weft_stage_widest(stage) / strips < narrowest ||
        (reduces && strips > stage->bands * stage->strips)) /* there is room for as many partial results */
        return WEFT_OK;
    return weft_run_cut(run, strips, most, error);
}

/* Chooses between the two kinds of windows. Those that go on need strips for all threads, those that begin anew need
 * memory for what the graph reaches. */
static weft_status choose_window(struct streaming *s, int32_t count, weft_error *error) {
    struct cpu_run *run = s->run;
    int32_t threads = run->plan->device->threads;
    weft_status status = cut_for_threads(s, FEW_TWICE, LEAST_STRIP, error);
    if (status != WEFT_OK)
        return status;
    if (run->stage->strips % threads != 0) {
        choose_bands(s, count);
        measure_streams(s, count);
        if (stream_bytes(s, count) <= 2 * window_bytes)
            return WEFT_OK;
        status = cut_for_threads(s, MANY_TWICE, LEAST_STRIP / 4, error);
        if (status != WEFT_OK)
            return status;
    }
    choose_strips(s, count);
    measure_streams(s, count);
    return WEFT_OK;
}

/* Gets the buffers of what is streamed; images keep capacity 0. */
static weft_status open_streams(struct streaming *s, weft_error *error) {
    const struct weft_graph *graph = s->run->plan->typed->graph;
    int32_t count = graph->input_count + graph->output_count;
    weft_status status = choose_window(s, count, error);
    if (status == WEFT_OK && s->goes_on)
        status = weft_run_keep_strips(s->run, error);
    if (status != WEFT_OK)
        return status;
    for (int32_t i = 0; i < count; i++) {
        struct stream *stream = &s->streams[i];
        size_t stride = weft_round_up(row_bytes(stream->info)), size;
        if (!is_streamed(s, i))
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
            status = weft_cpu_run_tiles(run, error);
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

weft_status weft_cpu_run_streams(struct cpu_run *run, weft_error *error) {
    const struct weft_typed_graph *typed = run->plan->typed;
    int32_t inputs = typed->graph->input_count, outputs = typed->output_count;
    weft_image_info *infos = weft_allocate((size_t)inputs + (size_t)outputs, sizeof *infos);
    struct streaming s = {.run = run};
    weft_status status = WEFT_OK;
    s.streams = weft_allocate((size_t)inputs + (size_t)outputs, sizeof *s.streams);
    if (!infos || !s.streams) {
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
    status = weft_walk_open(&s.early, run->stage, error);
    if (status == WEFT_OK)
        status = weft_walk_open(&s.late, run->stage, error);
    s.early.kept = s.late.kept = s.late.late = true;
    if (status == WEFT_OK)
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
    weft_walk_close(&s.early);
    weft_walk_close(&s.late);
    return status;
}
