/* SPDX-License-Identifier: MIT
 * Where rows go: the graph's outputs, and images kept for a later stage. */
#include <string.h>
#include "backend/cpu/pipeline/source_sink.h"
#include "backend/cpu/steps/point/program.h"
#include "backend/cpu/pipeline/tiles.h"
#include "base/status.h"

/* Bytes of an output row up to which its lines are asked for ahead: a third to a half of a first-level cache, where
 * they and the input's rows are to stay together. */
#define LINES 16384
/* Programs store chunk by chunk, from planes. */
#define PLANES_BYTES (4 * WEFT_CHUNK * sizeof(float))

/* How rows get into an image: chunk by chunk from a program, piece by piece past the caches, written in place by the step, or
 * copied from a ring. */
enum way { BY_CHUNKS, BY_PIECES, IN_PLACE, FROM_ROWS };

/* What is the same for all rows of a tile. It is computed once, since on narrow images that takes as long as the pixels. */
struct target {
    unsigned char *data; /* of row `first` */
    int64_t first;
    ptrdiff_t stride;
    size_t pixel;
    enum way way;
    bool asks; /* for the lines of a row before it is made */
};
#define TARGET 64 /* bytes of it in the lane's memory */
_Static_assert(sizeof(struct target) <= TARGET, "the target does not fit");

struct sink {
    int32_t output; /* of the graph, or -1 */
    int32_t node;   /* whose image is kept, or -1 */
    weft_type type;
};

/* Bytes of an output row that are made at a time where they go past the caches: what is made and what it is made of
 * stay in the first-level cache. */
#define PIECE 8192

/* `count` columns of a row of planes, from the one `skip` after its first. */
static void store_planes(struct lane *lane, const struct step *step, const struct row *row, int64_t skip, int count,
                         unsigned char *pixels) {
    const struct sink *sink = step->data;
    const struct step *input = &lane->stage->steps[step->inputs[0]];
    const void *planes[4] = {NULL};
    for (int32_t k = 0; k < step->planes; k++)
        planes[k] = (const unsigned char *)row->plane[k] + (size_t)skip * weft_step_element(step);
    if (step->interleave > 1) {
        memcpy(pixels, planes[0], (size_t)count * weft_step_element(step));
    } else if (input->type == WEFT_ROW_F32) {
        const float *floats[4] = {planes[0], planes[1], planes[2], planes[3]};
        lane->kernels->store[sink->type](floats, step->planes, pixels, count);
    } else {
        lane->kernels->join[input->type](planes, step->planes, pixels, count);
    }
}

/* Columns [x, end) of row y of a step that writes pixels. */
static void deliver(struct lane *lane, int32_t input, int64_t y, int64_t x, int64_t end, unsigned char *pixels) {
    const struct step *step = &lane->stage->steps[input];
    int64_t first = lane->first[input], last = lane->end[input];
    lane->first[input] = x, lane->end[input] = end;
    step->kind->run(lane, step, y, &(struct row){{pixels}});
    lane->first[input] = first, lane->end[input] = last;
}

/* A row of an image that is larger than the caches: piece by piece, made in a buffer and then written by non-temporal stores, which
 * do not read the cache lines first as ordinary stores do. brightness at 3840x2160, one thread, then takes 0.6 of the time on u8x4
 * and 0.49 on f32x1. */
static void store_past_caches(struct lane *lane, const struct step *step, int64_t y, unsigned char *pixels,
                              size_t pixel) {
    int32_t input = step->inputs[0];
    const struct step *source = &lane->stage->steps[input];
    unsigned char *made = (unsigned char *)weft_lane_state(lane, step) + TARGET + PLANES_BYTES;
    int64_t first = weft_lane_first(lane, step), end = weft_lane_end(lane, step);
    int64_t piece = !source->delivers || source->divisible ? PIECE / (int64_t)pixel / 64 * 64 : end - first;
    struct row row = {{NULL}};
    if (!source->delivers)
        row = weft_lane_fetch(lane, input, y);
    for (int64_t x = first; x < end; x += piece) {
        int64_t to = x + piece < end ? x + piece : end;
        if (source->delivers)
            deliver(lane, input, y, x, to, made);
        else
            store_planes(lane, step, &row, x - lane->first[input], (int)(to - x), made);
        lane->kernels->move_past_caches(made, pixels + (size_t)(x - first) * pixel, (size_t)(to - x) * pixel);
    }
}

static void store_run(struct lane *lane, const struct step *step, int64_t y, const struct row *out) {
    const struct target *target = weft_lane_state(lane, step);
    int32_t input = step->inputs[0];
    const struct step *source = &lane->stage->steps[input];
    int64_t first = weft_lane_first(lane, step), end = weft_lane_end(lane, step);
    unsigned char *pixels = target->data + (y - target->first) * target->stride + (size_t)first * target->pixel;
    (void)out;
    if (target->way == IN_PLACE) {
        if (target->asks)
            weft_prefetch((uintptr_t)pixels, (int64_t)((size_t)(end - first) * target->pixel));
        source->kind->run(lane, source, y, &(struct row){{pixels}}); /* its columns are the sink's, which alone asks for them */
    } else if (target->way == BY_CHUNKS) {
        const struct sink *sink = step->data;
        bool plane = sink->type == WEFT_F32 && step->planes == 1;
        weft_program_store(lane, source, y, (float *)(void *)((unsigned char *)weft_lane_state(lane, step) + TARGET),
                           plane ? NULL : lane->kernels->store[sink->type], pixels, target->pixel,
                           lane->run->outputs[sink->output].past_caches);
    } else if (target->way == BY_PIECES) {
        store_past_caches(lane, step, y, pixels, target->pixel);
    } else {
        struct row row = weft_lane_fetch(lane, input, y);
        store_planes(lane, step, &row, first - lane->first[input], (int)(end - first), pixels);
    }
}
static size_t store_state_size(const struct step *step, int64_t columns, int64_t in_columns) {
    (void)step, (void)columns, (void)in_columns;
    _Static_assert(LINES >= WEFT_PROGRAM_PIECE && LINES >= PIECE, "pieces are made in this room");
    return TARGET + PLANES_BYTES + LINES;
}
/* The memory behind it needs no beginning. */
static void store_begin(struct lane *lane, const struct step *step) {
    const struct sink *sink = step->data;
    const struct view *view = &lane->run->outputs[sink->output];
    const struct step *source = &lane->stage->steps[step->inputs[0]];
    struct target *target = weft_lane_state(lane, step);
    size_t pixel = weft_type_size(sink->type) * (size_t)(step->planes * step->interleave);
    /* The output's cache lines are prefetched while the input is read. With longer rows that would evict the input from the
     * first-level cache. */
    bool asks = source->late && (size_t)(weft_lane_end(lane, step) - weft_lane_first(lane, step)) * pixel <= LINES;
    *target = (struct target){
        .data = view->data, .first = view->first, .stride = view->stride, .pixel = pixel, .asks = asks};
    if (source->inlined)
        target->way = BY_CHUNKS;
    else if (view->past_caches && (!source->delivers || source->divisible || asks))
        target->way = BY_PIECES;
    else
        target->way = source->delivers ? IN_PLACE : FROM_ROWS;
}
static const struct step_kind store = {
    .name = "store", .state_size = store_state_size, .begin = store_begin, .looks_up = true, .run = store_run};

static void keep_run(struct lane *lane, const struct step *step, int64_t y, const struct row *out) {
    const struct sink *sink = step->data;
    const struct kept *kept = &lane->run->plan->kept[sink->node];
    int32_t input = step->inputs[0];
    size_t size = weft_row_type_size(step->type);
    int64_t first = weft_lane_first(lane, step), skip = first - lane->first[input];
    struct row row = weft_lane_fetch(lane, input, y);
    (void)out;
    for (int32_t k = 0; k < step->planes; k++) {
        const unsigned char *from = (const unsigned char *)row.plane[k] + (size_t)skip * size;
        int64_t count = weft_lane_end(lane, step) - first;
        if (kept->plane_bytes > 0)
            memcpy(lane->run->kept + kept->offset + (size_t)k * kept->plane_bytes + y * kept->row_bytes +
                       (size_t)first * size,
                   from, (size_t)count * size);
        if (kept->tiles_size > 0 && lane->run->spill) {
            struct tiles tiles = weft_tiles_of(step->width, step->height, size);
            weft_tiles_put(&tiles, size, lane->run->kept + kept->tiles_offset + (size_t)k * kept->tiles_size, first, y,
                           count, from);
        }
    }
}
static const struct step_kind keep = {.name = "keep", .run = keep_run};

static weft_status add_sink(struct builder *b, const struct step_kind *kind, struct sink value, int32_t input,
                            weft_error *error) {
    struct sink *sink = weft_allocate(1, sizeof *sink);
    int32_t index;
    if (!sink)
        return weft_fail_memory(error, sizeof *sink, "a sink");
    *sink = value;
    struct step step = b->stage->steps[input];
    return weft_stage_add(b,
                          &(struct step){.kind = kind,
                                         .inputs = {input},
                                         .input_count = 1,
                                         .node = -1,
                                         .data = sink,
                                         .type = step.type,
                                         .planes = step.planes,
                                         .interleave = step.interleave,
                                         .width = step.width,
                                         .height = step.height,
                                         .sink = true},
                          &index, error);
}

weft_status weft_lower_store(struct builder *b, int32_t input, int32_t output, weft_error *error) {
    return add_sink(b, &store, (struct sink){output, -1, b->typed->output_types[output]}, input, error);
}

weft_status weft_lower_keep(struct builder *b, int32_t input, int32_t node, weft_error *error) {
    return add_sink(b, &keep, (struct sink){-1, node, WEFT_F32}, input, error);
}

/* The graph's output that a sink writes, -1 for other steps. */
int32_t weft_sink_output(const struct step *step) {
    return step->kind == &store ? ((const struct sink *)step->data)->output : -1;
}

weft_type weft_sink_type(const struct step *step) {
    return step->kind == &store ? ((const struct sink *)step->data)->type : 0;
}

/* Where the rows of a sink have the image's own layout, the step before writes them into the image without a copy. */
void weft_sinks_take(struct stage *stage) {
    for (int32_t i = 0; i < stage->count; i++) {
        const struct step *step = &stage->steps[i];
        struct step *input = &stage->steps[step->inputs[0]];
        if (step->kind == &store && ((const struct sink *)step->data)->type == weft_row_image_type(step->type) &&
            step->planes == 1 && !input->direct && !input->inlined && input->pad == 0 &&
            weft_stage_readers(stage, step->inputs[0]) == 1)
            input->delivers = true;
    }
}
