/* SPDX-License-Identifier: MIT
 * Windows of a stage on streams: how tall they are, and which rows each of them reads and makes. */
#include <string.h>
#include "backend/cpu/pipeline/source_sink.h"
#include "backend/cpu/pipeline/spill.h"
#include "backend/cpu/pipeline/stream.h"
#include "base/status.h"

/* The most bytes that the rows of all streams in memory may take together, where with less most rows would be computed twice. */
static int64_t window_bytes(const struct cpu_plan *plan) {
    const int64_t most = 48 << 20;
    uint64_t part = plan->typed->memory / 8;
    return plan->typed->memory > 0 && part < (uint64_t)most ? (int64_t)part : most;
}
#define LEAST_STRIP 256 /* columns; and how many columns all strips may have together, as a multiple of the image's: */
#define FEW_TWICE 1.12
#define MANY_TWICE 1.5  /* where fewer would leave threads idle */

static size_t row_bytes(const weft_image_info *info) { return (size_t)info->width * weft_format_size(info->format); }

static bool is_streamed(const struct streaming *s, int32_t i) {
    const struct weft_run_request *request = s->run->request;
    int32_t inputs = s->run->plan->typed->graph->input_count;
    if (i < inputs && s->run->inputs[i].count == INT64_MAX) /* an image, or in a file by now */
        return false;
    return s->streams[i].info->format.type != WEFT_F64 &&
           (i < inputs ? request->inputs[i].source.read != NULL : request->outputs[i - inputs].sink.write != NULL);
}

static void take_rows(struct stream *stream, struct interval rows, int64_t height) {
    if (rows.low > rows.high)
        return;
    if (rows.low < 0 || rows.high >= height) /* wraps around: all rows */
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
        if (table >= 0) /* all rows, from the first window on */
            take_rows(&s->streams[table], (struct interval){0, s->streams[table].info->height - 1}, INT64_MAX);
        if (output >= 0)
            take_rows(&s->streams[inputs + output], walk->made[i], step->height);
        if (input >= 0)
            take_rows(&s->streams[input], walk->made[i], step->height);
        if (input >= 0 && !s->chain && walk->lowest[i] != INT64_MAX)
            take_rows(&s->streams[input], (struct interval){walk->lowest[i], walk->lowest[i]}, step->height);
        if (input >= 0 && step->direct) /* its rows are read again and again */
            take_rows(&s->streams[input], walk->now[i], step->height);
    }
}

static void reset_rows(struct streaming *s) {
    for (int32_t i = 0; i < s->count; i++)
        s->streams[i].low = INT64_MAX, s->streams[i].high = INT64_MIN;
}

static void walk_part(struct streaming *s, struct walk *walk, int64_t part) {
    weft_walk_part(walk, part);
    part_rows(s, walk);
}

void weft_streaming_window(struct streaming *s, int64_t from, int64_t to) {
    reset_rows(s);
    if (from == 0 || !s->goes_on) {
        weft_walk_restart(&s->early);
        weft_walk_restart(&s->late);
        for (int32_t i = 0; i < s->apart_count; i++)
            weft_walk_restart(&s->apart[i]);
    }
    for (int64_t part = from; part < to; part++) {
        walk_part(s, &s->early, part);
        walk_part(s, &s->late, part);
        for (int32_t i = 0; i < s->apart_count; i++)
            walk_part(s, &s->apart[i], part);
    }
}

/* Whether each step has at most one reader. Of two readers one may be far behind the other. */
static bool is_chain(const struct stage *stage) {
    for (int32_t of = 0; of < stage->count; of++) {
        int32_t readers = 0;
        for (int32_t i = 0; i < stage->count; i++)
            for (int32_t k = 0; k < stage->steps[i].input_count; k++)
                readers += stage->steps[i].inputs[k] == of;
        if (readers > 1)
            return false;
    }
    return true;
}

/* Whether some step that folds begins after the first window. */
static bool fold_begins_late(const struct streaming *s) {
    bool late = s->early.fold_begins >= s->window || s->late.fold_begins >= s->window;
    for (int32_t i = 0; i < s->apart_count; i++)
        late = late || s->apart[i].fold_begins >= s->window;
    return late;
}

/* Walks the windows without pixels, to learn which streams must keep all their rows and how many the others hold. */
static void measure_streams(struct streaming *s, int32_t count) {
    int64_t height = s->run->stage->height;
    for (int32_t i = 0; i < count; i++)
        s->streams[i].previous = INT64_MIN, s->streams[i].falls = false, s->streams[i].capacity = 1;
    for (int64_t from = 0; from < height; from += s->window) {
        weft_streaming_window(s, from, from + s->window < height ? from + s->window : height);
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
    /* A fold may begin far behind another reader of the same step, and then reads rows that the step's ring no longer has. The ring
     * makes them again, from rows of earlier windows, so the inputs keep all rows. A fold that begins in the first window needs no
     * earlier rows. */
    const bool again = s->goes_on && !s->chain && fold_begins_late(s);
    for (int32_t i = 0; i < count; i++) {
        if (again && i < s->run->plan->typed->graph->input_count)
            s->streams[i].falls = true;
        if (s->streams[i].falls)
            s->streams[i].capacity = s->streams[i].info->height;
        if (!is_streamed(s, i))
            s->streams[i].capacity = 0;
    }
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
    most = window_bytes(run->plan) / bytes;
    most = most > 2 * lead ? most : 2 * lead;
    s->window = 8 * lead * bands < most ? 8 * lead * bands : most;
    s->window = s->window < height ? s->window : height;
    most = s->window / (2 * lead) > 1 ? s->window / (2 * lead) : 1;
    run->bands = (int32_t)(bands < most ? bands : most);
    s->goes_on = false;
}

static bool has_all_outputs(const struct stage *stage, int32_t strip) {
    for (int32_t i = 0; i < stage->count; i++)
        if (stage->steps[i].sink && !weft_sink_in_strip(&stage->steps[i], strip, stage->strips))
            return false;
    return true;
}

/* Opens dry runs for the strips in which an output has no columns. Strips keep rows from one window to the next, and such a strip
 * has read fewer rows ahead. */
static weft_status walk_apart(struct streaming *s, weft_error *error) {
    const struct stage *stage = s->run->stage;
    weft_status status = WEFT_OK;
    s->apart = weft_allocate((size_t)stage->strips * 2, sizeof *s->apart);
    if (!s->apart)
        return weft_fail_memory(error, (size_t)stage->strips * 2 * sizeof *s->apart, "planning");
    for (int32_t i = 0; i < 2 * stage->strips && status == WEFT_OK; i++) {
        struct walk *walk = &s->apart[s->apart_count];
        if (has_all_outputs(stage, i / 2))
            continue;
        status = weft_walk_open(walk, stage, error);
        walk->kept = true, walk->late = i % 2, walk->strip = i / 2, walk->strips = stage->strips;
        s->apart_count += status == WEFT_OK;
    }
    return status;
}

/* Windows that continue the one before: nothing is computed twice, and a window has as few rows as still repay a start of all
 * threads. With windows of 3 MB reading, filtering and writing wait less for one another than with 24 MB: a JPEG of 24 megapixels
 * took 0.9 of the time to become another, and no graph that was measured took longer. Where a graph forks, windows are large, since
 * a branch that waits for another reads rows again that rings have dropped. */
static weft_status choose_strips(struct streaming *s, int32_t count, weft_error *error) {
    const int64_t bytes = window_bytes(s->run->plan) / (s->chain ? 16 : 2);
    const int64_t rows = bytes / part_bytes(s, count), height = s->run->stage->height;
    s->window = rows < 1 ? 1 : rows < height ? rows : height;
    s->run->bands = 1;
    s->goes_on = true;
    return walk_apart(s, error);
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

/* Chooses between the two kinds of windows. Windows that continue need a strip for each thread; windows that begin again need
 * memory for all rows that the graph reaches. */
weft_status weft_streaming_choose(struct streaming *s, weft_error *error) {
    const int32_t count = s->count;
    struct cpu_run *run = s->run;
    int32_t threads = run->plan->device->threads;
    weft_status status = cut_for_threads(s, FEW_TWICE, LEAST_STRIP, error);
    if (status != WEFT_OK)
        return status;
    if (run->stage->strips % threads != 0) {
        choose_bands(s, count);
        measure_streams(s, count);
        if (stream_bytes(s, count) <= 2 * window_bytes(run->plan) &&
            !weft_rings_apart(run->plan, run->plan->lane_bytes * (size_t)threads))
            return WEFT_OK;
        status = cut_for_threads(s, MANY_TWICE, LEAST_STRIP / 4, error);
        if (status != WEFT_OK)
            return status;
    }
    status = choose_strips(s, count, error);
    if (status == WEFT_OK)
        measure_streams(s, count);
    return status;
}

/* Inputs may take at most a quarter of the run's memory. */
bool weft_stream_spills(const struct streaming *s, int32_t i) {
    uint64_t most = s->run->plan->typed->memory / 4 / (uint64_t)(s->count > 2 ? s->count - 1 : 1);
    return most > 0 && is_streamed(s, i) && (uint64_t)s->streams[i].capacity > most / weft_stream_row(&s->streams[i]);
}

size_t weft_stream_row(const struct stream *stream) { return weft_round_up(row_bytes(stream->info)); }

weft_status weft_streaming_open(struct streaming *s, struct cpu_run *run, weft_error *error) {
    const struct weft_typed_graph *typed = run->plan->typed;
    int32_t inputs = typed->graph->input_count, outputs = typed->output_count;
    size_t count = (size_t)inputs + (size_t)outputs;
    *s = (struct streaming){.run = run,
                            .count = (int32_t)count,
                            .infos = weft_allocate(count, sizeof *s->infos),
                            .streams = weft_allocate(count, sizeof *s->streams)};
    if (!s->infos || !s->streams)
        return weft_fail_memory(error, count * (sizeof *s->infos + sizeof *s->streams), "streams");
    for (int32_t n = 0; n < typed->graph->count; n++)
        if (!typed->graph->nodes[n].filter)
            s->infos[typed->graph->nodes[n].input] = typed->info[n];
    for (int32_t i = 0; i < outputs; i++) {
        s->infos[inputs + i] = typed->info[typed->graph->outputs[i]];
        s->infos[inputs + i].format.type = typed->output_types[i];
    }
    for (int32_t i = 0; i < inputs + outputs; i++) {
        s->streams[i].info = &s->infos[i];
        s->streams[i].view = i < inputs ? &run->inputs[i] : &run->outputs[i - inputs];
    }
    s->chain = is_chain(run->stage);
    weft_status status = weft_walk_open(&s->early, run->stage, error);
    if (status == WEFT_OK)
        status = weft_walk_open(&s->late, run->stage, error);
    s->early.kept = s->late.kept = s->late.late = true;
    return status;
}

void weft_streaming_close(struct streaming *s) {
    for (int32_t i = 0; s->streams && i < s->count; i++)
        if (s->streams[i].owned)
            weft_free(s->streams[i].view->data);
    weft_free(s->infos);
    weft_free(s->streams);
    weft_walk_close(&s->early);
    weft_walk_close(&s->late);
    for (int32_t i = 0; i < s->apart_count; i++)
        weft_walk_close(&s->apart[i]);
    weft_free(s->apart);
}
