/* SPDX-License-Identifier: MIT
 * Running a stage on streams: it is walked in windows of rows, and a buffer for each stream holds the rows that a window
 * reads or writes. */
#include "backend/cpu/pipeline/stream.h"
#include <string.h>
#include "backend/cpu/pipeline/spill.h"
#include "base/status.h"

/* Gets the buffers of what is streamed; images keep capacity 0. */
static weft_status open_streams(struct streaming *s, weft_error *error) {
    const struct weft_graph *graph = s->run->plan->typed->graph;
    int32_t count = s->count;
    weft_status status = weft_streaming_choose(s, error);
    for (int32_t i = 0; status == WEFT_OK && i < graph->input_count; i++)
        if (weft_stream_spills(s, i)) {
            s->streams[i].capacity = 0;
            status = weft_spill_input(s->run, i, error);
        }
    if (status == WEFT_OK && s->goes_on)
        status = weft_run_keep_strips(s->run, error);
    if (status != WEFT_OK)
        return status;
    for (int32_t i = 0; i < count; i++) {
        struct stream *stream = &s->streams[i];
        size_t stride = weft_stream_row(stream), size;
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
        /* Rows that no step needs are read and dropped. */
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
        weft_streaming_window(s, run->from, run->to);
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
    struct streaming s;
    weft_status status = weft_streaming_open(&s, run, error);
    if (status == WEFT_OK)
        status = open_streams(&s, error);
    if (status == WEFT_OK)
        weft_run_clear_totals(run); /* in other strips than before, perhaps */
    if (status == WEFT_OK)
        status = run_windows(&s, error);
    if (status == WEFT_OK)
        status = drain(&s, error);
    weft_streaming_close(&s);
    return status;
}
