/* SPDX-License-Identifier: MIT
 * Stencils: a fixed small neighbourhood, plane by plane, or all planes at a time on rows with pads. */
#include <string.h>
#include "backend/cpu/choose/stencil.h"
#include "backend/cpu/steps/lower.h"
#include "backend/cpu/pipeline/run.h"
#include "base/status.h"

#define PIECE 128 /* pixels: 8 cache lines are prefetched at a time; more would wait for one another */
#define AHEAD 4   /* pieces */
#define LINE 16   /* pixels */

struct stencil {
    const struct weft_body *body; /* of the lane's instruction set: set when the step is made */
    int32_t radius, colors, in_planes;
    bool pixels; /* the body sees all planes at a time */
    bool light;  /* of luminance alone */
    weft_border border;
};

static void rows(const struct step *step, int i, int64_t y, int64_t *first, int64_t *last) {
    const struct stencil *s = step->data;
    (void)i;
    weft_rows_around(y, s->radius, step->height, s->border, first, last);
}

static void columns(const struct step *step, int i, int64_t x0, int64_t x1, int64_t *first, int64_t *end) {
    const struct stencil *s = step->data;
    (void)i;
    weft_columns_around(x0, x1, s->radius, step->width, s->border, first, end);
}

/* One row of border_value, for rows above and below with border=constant, and where whole pixels are seen one of zeros
 * for planes that they do not have. */
static size_t state_size(const struct step *step, int64_t columns_, int64_t in_columns) {
    const struct stencil *s = step->data;
    (void)in_columns;
    size_t row = (size_t)(columns_ + 2 * s->radius) * sizeof(float);
    return s->border == WEFT_BORDER_CONSTANT || s->pixels ? (s->pixels ? 2 : 1) * row : 0;
}

/* The plane that a body sees as red, green, blue or alpha, as filter/stencil.h has it; below 0 for none. */
static int32_t seen_plane(const struct stencil *s, int32_t p) {
    if (s->in_planes >= 3)
        return p < s->in_planes ? p : -1;
    return p == 3 ? (s->in_planes == 2 ? 1 : -1) : p == 0 || !s->light ? 0 : -1;
}

static void run_pixels(struct lane *lane, const struct step *step, const void *block, const struct row *in,
                       const float *outside, const struct row *out) {
    const struct stencil *s = step->data;
    int64_t first = weft_lane_first(lane, step), count = weft_lane_end(lane, step) - first;
    const float *zeros = outside + count + 2 * s->radius;
    struct weft_stencil_pixels_call call = {.block = block, .planes = step->planes, .count = (int32_t)count};
    for (int32_t p = 0; p < 4; p++) {
        int32_t seen = seen_plane(s, p);
        call.out[p] = out->plane[p];
        for (int32_t k = 0; k <= 2 * s->radius; k++)
            call.rows[p][k] = seen < 0         ? zeros
                              : in[k].plane[0] ? weft_row_at(lane, step->inputs[0], &in[k], seen, first)
                                               : outside;
    }
    s->body->stencil_pixels(&call);
}

/* What all calls of a row have in common. */
static struct weft_stencil_call call_of(const struct stencil *s, const void *block) {
    return (struct weft_stencil_call){.block = block, .user = s->body->user};
}

/* Columns [x, x + count) of the image, where some neighbors lie outside: from copies with pads. Rows begin at column
 * `first`; a row that does not exist is NULL, and then `constant` begins a row of the border value. */
static void run_edge(const struct step *step, const void *block, const float *const *rows_, const float *constant,
                     int64_t first, int64_t x, int count, float *out) {
    const struct stencil *s = step->data;
    float copies[WEFT_STENCIL_ROWS][4 * WEFT_STENCIL_ROWS];
    struct weft_stencil_call call = call_of(s, block);
    call.out = out + (x - first);
    call.count = count;
    for (int32_t k = 0; k <= 2 * s->radius; k++) {
        for (int64_t i = 0; i < count + 2 * s->radius; i++) {
            int64_t from = weft_border_map(x + i - s->radius, step->width, s->border);
            copies[k][i] = rows_[k] && from >= 0 ? rows_[k][from - first] : *constant;
        }
        call.rows[k] = copies[k] + s->radius;
    }
    s->body->stencil(&call);
}

/* One plane: the edges, and the pixels between straight from the rows, piece by piece, while the next piece of the newest row is
 * prefetched. */
static void run_plane(const struct lane *lane, const struct step *step, const void *block, const float *const *rows_,
                      const float *constant, float *out) {
    const struct stencil *s = step->data;
    int64_t first = weft_lane_first(lane, step), end = weft_lane_end(lane, step);
    int64_t from = first == 0 ? s->radius : first, to = end == step->width ? end - s->radius : end;
    from = from < end ? from : end;
    to = to > from ? to : from;
    if (first < from)
        run_edge(step, block, rows_, constant, first, first, (int)(from - first), out);
    struct weft_stencil_call call = call_of(s, block); /* once per row: clearing it takes as long as tens of pixels */
    for (int64_t x = from; x < to; x += PIECE) {
        call.out = out + (x - first);
        call.count = (int32_t)(to - x < PIECE ? to - x : PIECE);
        for (int32_t k = 0; k <= 2 * s->radius; k++)
            call.rows[k] = (rows_[k] ? rows_[k] : constant) + (x - first);
        for (int32_t i = 0; i < PIECE; i += LINE)
            __builtin_prefetch((const void *)((uintptr_t)(call.rows[2 * s->radius] + i) + AHEAD * PIECE * sizeof(float)));
        s->body->stencil(&call);
    }
    if (to < end)
        run_edge(step, block, rows_, constant, first, to, (int)(end - to), out);
}

static void run(struct lane *lane, const struct step *step, int64_t y, const struct row *out) {
    const struct stencil *s = step->data;
    const void *block = weft_lane_block(lane, step);
    int64_t first = weft_lane_first(lane, step), count = weft_lane_end(lane, step) - first;
    struct row in[WEFT_STENCIL_ROWS];
    float *outside = (float *)weft_lane_state(lane, step) + s->radius;
    if (s->border == WEFT_BORDER_CONSTANT) {
        float value = weft_filter_border_value(lane->typed->graph->nodes[step->node].filter, block);
        for (int64_t i = -s->radius; i < count + s->radius; i++)
            outside[i] = value;
    }
    weft_lane_fetch_rows(lane, step->inputs[0], y - s->radius, 2 * s->radius + 1, s->border, in);
    if (s->pixels) {
        run_pixels(lane, step, block, in, outside, out);
        return;
    }
    const float *constant = s->border == WEFT_BORDER_CONSTANT ? outside : NULL;
    for (int32_t p = 0; p < step->planes; p++) {
        const float *rows_[WEFT_STENCIL_ROWS];
        for (int32_t k = 0; k <= 2 * s->radius; k++)
            rows_[k] = in[k].plane[0] ? weft_row_at(lane, step->inputs[0], &in[k], p, first) : NULL;
        if (p < s->colors)
            run_plane(lane, step, block, rows_, constant, out->plane[p]);
        else
            memcpy(out->plane[p], rows_[s->radius], (size_t)count * sizeof(float));
    }
}
static const struct step_kind stencil = {
    .name = "stencil", .rows = rows, .columns = columns, .state_size = state_size, .run = run};

weft_status weft_lower_stencil(struct builder *b, int32_t node, const int32_t *inputs, int32_t *result,
                               weft_error *error) {
    const struct weft_graph_node *n = &b->typed->graph->nodes[node];
    const weft_image_info *info = &b->typed->info[node];
    struct stencil *s = weft_allocate(1, sizeof *s);
    int32_t input = inputs[0];
    if (!s)
        return weft_fail_memory(error, sizeof *s, "a stencil");
    s->body = weft_cpu_body(b->bodies, n->filter);
    s->radius = n->filter->radius;
    s->border = weft_filter_border(n->filter, n->block);
    if (s->border == WEFT_BORDER_SHRINK) /* a stencil is not a mean: outside counts as the nearest pixel */
        s->border = WEFT_BORDER_REPLICATE;
    s->pixels = n->filter->pixels;
    s->light = n->filter->luminance;
    s->in_planes = b->stage->steps[input].planes;
    s->colors = weft_filter_copies_alpha(n->filter, n->block) ? weft_color_channels(info) : info->format.channels;
    /* Bodies that see whole pixels get rows with pads. */
    weft_status status = s->pixels ? weft_stage_pad(b, &input, s->radius, s->border, node, error) : WEFT_OK;
    if (status != WEFT_OK) {
        weft_free(s);
        return status;
    }
    return weft_stage_add(b,
                          &(struct step){.kind = &stencil,
                                         .why = weft_cpu_choose_stencil(&(struct cpu_stencil_case){.image = false})->when,
                                         .inputs = {input},
                                         .input_count = 1,
                                         .node = node,
                                         .data = s,
                                         .type = WEFT_ROW_F32,
                                         .planes = info->format.channels,
                                         .width = info->width,
                                         .height = info->height,
                                         .divisible = true},
                          result, error);
}
