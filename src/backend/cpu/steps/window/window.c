/* SPDX-License-Identifier: MIT
 * Windows: a weighted mean over a large neighbourhood, all planes together, on rows with pads. */
#include "backend/cpu/steps/lower.h"
#include "backend/cpu/pipeline/run.h"
#include "base/status.h"

#define WEFT_WINDOW_PIECE ((int64_t)1 << 22) /* sums at a time, which take some milliseconds; at least this many */
#define WEFT_WINDOW_LEAST 64                 /* pixels */

struct window {
    const struct weft_body *body;
    int32_t radius_x, radius_y;
    weft_border border;
};

static void rows(const struct step *step, int i, int64_t y, int64_t *first, int64_t *last) {
    const struct window *w = step->data;
    (void)i;
    weft_rows_around(y, w->radius_y, step->height, w->border, first, last);
}

static void columns(const struct step *step, int i, int64_t x0, int64_t x1, int64_t *first, int64_t *end) {
    const struct window *w = step->data;
    (void)i;
    weft_columns_around(x0, x1, w->radius_x, step->width, w->border, first, end);
}

/* Pointers to the rows, then the sums, then a row of border_value, then what a row leaves for the next one. */
static size_t pointers_size(const struct window *w) {
    return weft_round_up((size_t)(2 * w->radius_y + 1) * 4 * sizeof(float *));
}
static size_t sums_size(const struct step *step) {
    size_t sums = 2 * (size_t)(step->planes + 1) * WEFT_WINDOW_PART, weights = WEFT_WINDOW_PART + 2 * WEFT_WINDOW_MUTUAL;
    return weft_round_up((sums + weights) * sizeof(float));
}
static size_t outside_size(const struct window *w, int64_t columns_) {
    return weft_round_up((size_t)(columns_ + 2 * (int64_t)w->radius_x) * sizeof(float));
}

/* What a row leaves for the next one; rows of floats follow it in memory. A 3 x 3 window whose pixels all exist leaves its
 * weights: two rows, for this row and the one before, used alternately. Mutual weights leave the sums of this row and of the
 * rows below that it contributes to. */
struct left {
    bool begun;
    int64_t next; /* row */
};
static bool is_near(const struct window *w) {
    return w->radius_x == 1 && w->radius_y == 1 && w->border != WEFT_BORDER_SHRINK;
}
static bool is_mutual(const struct window *w) {
    return w->body->mutual && !is_near(w) && w->border != WEFT_BORDER_SHRINK && w->radius_x <= WEFT_WINDOW_MUTUAL &&
           w->radius_y <= WEFT_WINDOW_MUTUAL;
}
static size_t left_size(const struct step *step, int64_t columns_) {
    const struct window *w = step->data;
    size_t row = weft_round_up((size_t)columns_ * sizeof(float));
    size_t rows_ = is_near(w) ? 2 : is_mutual(w) ? (size_t)(w->radius_y + 1) * (size_t)(step->planes + 1) : 0;
    return rows_ > 0 ? weft_round_up(sizeof(struct left)) + rows_ * row : 0;
}
/* Sums for an element of a row. */
static int64_t work_of(const struct window *w) { return (2 * (int64_t)w->radius_x + 1) * (2 * (int64_t)w->radius_y + 1); }
static void pass_on(const struct step *step, struct left *left, int64_t y, struct weft_window_call *call) {
    const struct window *w = step->data;
    float *row = (float *)(void *)((unsigned char *)left + weft_round_up(sizeof *left));
    size_t stride = weft_round_up((size_t)step->max_columns * sizeof(float)) / sizeof(float);
    if (!is_near(w) && !is_mutual(w))
        return;
    bool follows = left->begun && left->next == y;
    if (is_near(w)) {
        call->below = row + (size_t)(y % 2) * stride;
        call->above = follows ? row + (size_t)((y + 1) % 2) * stride : NULL;
    } else {
        call->kept = row;
        call->stride = (int32_t)stride;
        call->slot = (int32_t)(y % (w->radius_y + 1));
        call->begins = !follows;
        call->last = step->height - 1 - y;
    }
    *left = (struct left){.begun = true, .next = y + 1};
}

static size_t state_size(const struct step *step, int64_t columns_, int64_t in_columns) {
    const struct window *w = step->data;
    (void)in_columns;
    return pointers_size(w) + sums_size(step) + outside_size(w, columns_) + left_size(step, columns_);
}

/* The rest of the state, megabytes for wide windows, is written before it is read and needs no clearing. */
static void begin(struct lane *lane, const struct step *step) {
    const struct window *w = step->data;
    unsigned char *after = (unsigned char *)weft_lane_state(lane, step) + pointers_size(w) + sums_size(step);
    if (is_near(w) || is_mutual(w))
        *(struct left *)(void *)(after + outside_size(w, step->max_columns)) = (struct left){0};
}

/* Pixels that are made at a time: a row of a wide window takes seconds, and in between the caller may cancel. */
static int64_t piece_of(const struct window *w, const struct step *step, const struct weft_window_call *call) {
    if (is_near(w))
        return INT32_MAX;
    int64_t sums = work_of(w) * step->planes * (call->kept && call->begins ? w->radius_y + 1 : 1);
    int64_t piece = WEFT_WINDOW_PIECE / sums / WEFT_WINDOW_PART * WEFT_WINDOW_PART;
    return piece > 0 ? piece : is_mutual(w) ? WEFT_WINDOW_PART : WEFT_WINDOW_LEAST;
}

static void run(struct lane *lane, const struct step *step, int64_t y, const struct row *out) {
    const struct window *w = step->data;
    int32_t input = step->inputs[0];
    int64_t first = weft_lane_first(lane, step), count = weft_lane_end(lane, step) - first;
    unsigned char *state = weft_lane_state(lane, step);
    const float **pointers = (const float **)(void *)state;
    float *sums = (float *)(void *)(state + pointers_size(w));
    unsigned char *after = state + pointers_size(w) + sums_size(step);
    float *outside = (float *)(void *)after + w->radius_x;
    const void *block = weft_lane_block(lane, step);
    if (w->border == WEFT_BORDER_CONSTANT)
        for (int64_t i = -w->radius_x; i < count + w->radius_x; i++)
            outside[i] = weft_filter_border_value(lane->typed->graph->nodes[step->node].filter, block);
    for (int64_t k = -w->radius_y; k <= w->radius_y; k++) {
        struct row row = weft_lane_fetch_border(lane, input, y + k, w->border);
        for (int32_t p = 0; p < step->planes; p++)
            pointers[(k + w->radius_y) * 4 + p] = row.plane[0]                           ? weft_row_at(lane, input, &row, p, first)
                                                  : w->border == WEFT_BORDER_CONSTANT ? outside
                                                                                      : NULL;
    }
    bool shrink = w->border == WEFT_BORDER_SHRINK;
    struct weft_window_call call = {.block = block,
                                    .rows = pointers,
                                    .sums = sums,
                                    .planes = step->planes,
                                    .radius_x = w->radius_x,
                                    .radius_y = w->radius_y,
                                    .count = (int32_t)count,
                                    .left = shrink ? -first : INT32_MIN,
                                    .right = shrink ? step->width - 1 - first : INT64_MAX / 2};
    for (int32_t p = 0; p < step->planes; p++)
        call.out[p] = out->plane[p];
    pass_on(step, (struct left *)(void *)(after + outside_size(w, step->max_columns)), y, &call);
    int64_t piece = piece_of(w, step, &call);
    for (int64_t x = 0; x < count && !weft_lane_stops(lane, piece < count ? WEFT_LANE_WORK : 0); x += piece) {
        call.from = (int32_t)x;
        call.count = (int32_t)(count - x < piece ? count : x + piece);
        w->body->window(&call);
    }
}
static const struct step_kind window = {
    .name = "window", .rows = rows, .columns = columns, .state_size = state_size, .begin = begin, .run = run};

weft_status weft_lower_window(struct builder *b, int32_t node, const int32_t *inputs, int32_t *result,
                              weft_error *error) {
    const struct weft_graph_node *n = &b->typed->graph->nodes[node];
    const weft_image_info *info = &b->typed->info[node];
    struct window *w = weft_allocate(1, sizeof *w);
    int32_t input = inputs[0];
    if (!w)
        return weft_fail_memory(error, sizeof *w, "a window");
    w->body = weft_cpu_body(b->bodies, n->filter);
    w->radius_x = n->filter->reach(n->block, WEFT_X);
    w->radius_y = n->filter->reach(n->block, WEFT_Y);
    w->border = weft_filter_border(n->filter, n->block);
    weft_border pads = w->border == WEFT_BORDER_SHRINK ? WEFT_BORDER_REPLICATE : w->border;
    weft_status status = weft_stage_pad(b, &input, w->radius_x, pads, node, error);
    if (status != WEFT_OK) {
        weft_free(w);
        return status;
    }
    return weft_stage_add(b,
                          &(struct step){.kind = &window,
                                         .inputs = {input},
                                         .input_count = 1,
                                         .node = node,
                                         .data = w,
                                         .work = work_of(w),
                                         .type = WEFT_ROW_F32,
                                         .planes = info->format.channels,
                                         .width = info->width,
                                         .height = info->height},
                          result, error);
}
