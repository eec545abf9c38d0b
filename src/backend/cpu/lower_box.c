/* SPDX-License-Identifier: MIT
 * Box filters: in one step first sums down the columns, into a row with pads, then sums along that row, then means.
 *
 * Integer rows keep exact running sums of the columns: a row comes in, a row goes out. Rows of f32 keep, in double
 * precision, blocks of 2 radius + 1 rows as extremum does: the sums of the end of one block, and the running sum of the
 * next. Nothing is ever subtracted, so an infinity or a huge number leaves no trace in rows that do not contain it, and
 * a result does not depend on where a band began.
 *
 * Outside is 0 with constant and shrink, whose means then account for the number of pixels inside. */
#include <string.h>
#include "backend/cpu/around.h"
#include "base/status.h"
#include "kernels/box.h"

struct box {
    int64_t radius_x, radius_y; /* with constant and shrink no larger than the image */
    double window;              /* pixels in the rectangle, all of it */
    weft_border border;
    enum weft_box_sums sums;
    enum weft_row_type in;
    bool down;
};

struct memory {
    bool valid;
    int64_t last; /* the row that was made last */
};

/* The pieces of a lane's memory. */
struct pieces {
    int32_t *map; /* in the row of column sums: where each element of the left and right pads is copied from */
    double *inside, *share;       /* of each output column near an edge: columns inside, and the factor of its mean */
    float *zeros;                 /* a row that is not there */
    char *line, *spare[2], *sums; /* line: of plane k at line + k * line_bytes; sums: along the row */
    char *blocks; /* f32, per plane: the running sums, then window + 1 rows, the last of which stays 0 */
    size_t line_bytes, row_bytes;
};

static bool has_zeros(const struct box *box) {
    return box->border == WEFT_BORDER_CONSTANT || box->border == WEFT_BORDER_SHRINK;
}

static size_t take(size_t *at, size_t count, size_t size) {
    size_t begin = *at;
    *at = around_sum(begin, count, size);
    *at = *at < SIZE_MAX - 64 ? weft_round_up(*at) : SIZE_MAX;
    return begin;
}

/* Lays out the memory of a step whose strips have up to `columns`; returns its size. */
static size_t lay_out(const struct step *step, int64_t columns, char *memory, struct pieces *p) {
    const struct box *box = step->data;
    bool wide = box->sums == WEFT_BOX_F64;
    size_t at = weft_round_up(sizeof(struct memory)), out = (size_t)columns;
    size_t in = (size_t)around_columns(step, columns, box->radius_x, box->border);
    size_t padded = in + 2 * (size_t)box->radius_x, number = wide ? sizeof(double) : sizeof(uint32_t);
    size_t offset[9];
    p->line_bytes = weft_round_up(padded * number);
    p->row_bytes = weft_round_up(in * sizeof(double));
    offset[0] = take(&at, has_zeros(box) ? 0 : 2 * (size_t)box->radius_x, sizeof *p->map);
    offset[1] = take(&at, has_zeros(box) ? out : 0, sizeof *p->inside);
    offset[2] = take(&at, has_zeros(box) ? out : 0, sizeof *p->share);
    offset[3] = take(&at, wide ? in : 0, sizeof *p->zeros);
    offset[4] = take(&at, wide ? 1 : (size_t)step->planes, p->line_bytes);
    offset[5] = take(&at, 1, p->line_bytes);
    offset[6] = take(&at, 1, p->line_bytes);
    offset[7] = take(&at, out, sizeof(double));
    offset[8] = take(&at, wide ? around_sum(0, (size_t)step->planes, 2 * (size_t)box->radius_y + 3) : 0, p->row_bytes);
    if (memory) {
        p->map = (int32_t *)(void *)(memory + offset[0]);
        p->inside = (double *)(void *)(memory + offset[1]);
        p->share = (double *)(void *)(memory + offset[2]);
        p->zeros = (float *)(void *)(memory + offset[3]);
        p->line = memory + offset[4];
        p->spare[0] = memory + offset[5], p->spare[1] = memory + offset[6];
        p->sums = memory + offset[7];
        p->blocks = memory + offset[8];
    }
    return at;
}

static size_t state_size(const struct step *step, int64_t columns, int64_t in_columns) {
    struct pieces unused;
    (void)in_columns;
    return lay_out(step, columns, NULL, &unused);
}

static void rows(const struct step *step, int i, int64_t y, int64_t *first, int64_t *last) {
    const struct box *box = step->data;
    int64_t unused;
    (void)i;
    weft_rows_around(y, box->radius_y, step->height, box->border, first, last);
    if (box->sums != WEFT_BOX_F64 && y > 0) /* and the row that goes out */
        weft_rows_around(y - 1, box->radius_y, step->height, box->border, first, &unused);
}

static void columns(const struct step *step, int i, int64_t x0, int64_t x1, int64_t *first, int64_t *end) {
    const struct box *box = step->data;
    (void)i;
    weft_columns_around(x0, x1, box->radius_x, step->width, box->border, first, end);
}

/* One row's work, as it is passed along. */
struct work {
    struct lane *lane;
    const struct step *step;
    const struct box *box;
    struct pieces p;
    int64_t y, first, end;      /* the row, and the columns of the output */
    int64_t in_first, in_count; /* the columns of the input that it reads */
};

/* The tables that a tile needs. */
static void begin_tile(struct work *w) {
    const struct box *box = w->box;
    int64_t radius = box->radius_x, width = w->step->width;
    if (has_zeros(box))
        for (int64_t x = w->first; x < w->end; x++) {
            int64_t low = x - radius > 0 ? x - radius : 0, high = x + radius < width - 1 ? x + radius : width - 1;
            w->p.inside[x - w->first] = (double)(high - low + 1);
            w->p.share[x - w->first] = box->border == WEFT_BORDER_SHRINK ? 1.0 / (double)(high - low + 1) : 1;
        }
    for (int64_t i = 0; i < 2 * radius && !has_zeros(box); i++) {
        int64_t x = i < radius ? i - radius : width + i - radius;
        w->p.map[i] = (int32_t)(weft_border_map(x, width, box->border) - w->in_first);
    }
}

/* Copies columns into the pads; those that are not in this strip's input are not in its windows either. */
static void fill_pads(const struct work *w, char *line) {
    int64_t radius = w->box->radius_x;
    bool left = w->in_first == 0, right = w->in_first + w->in_count == w->step->width;
    if (has_zeros(w->box))
        return;
#define FILL(T)                                                                                                        \
    {                                                                                                                  \
        T *in = (T *)(void *)line + radius, *after = in + w->in_count;                                                 \
        for (int64_t i = 0; left && i < radius; i++)                                                                   \
            if (w->p.map[i] < w->in_count)                                                                             \
                in[i - radius] = in[w->p.map[i]];                                                                      \
        for (int64_t i = 0; right && i < radius; i++)                                                                  \
            if (w->p.map[radius + i] >= 0)                                                                             \
                after[i] = in[w->p.map[radius + i]];                                                                   \
    }
    if (w->box->sums == WEFT_BOX_F64)
        FILL(double)
    else
        FILL(uint32_t)
#undef FILL
}

/* Row v of the input, plane[0] NULL where there is none. */
static struct row fetch(const struct work *w, int64_t v) {
    return weft_lane_fetch_border(w->lane, w->step->inputs[0], v, w->box->border);
}
static const void *plane_of(const struct work *w, const struct row *row, int32_t k) {
    return row->plane[0] ? around_at(w->lane, w->step->inputs[0], row, k, w->in_first) : NULL;
}
static const float *numbers_of(const struct work *w, const struct row *row, int32_t k) {
    const float *plane = plane_of(w, row, k);
    return plane ? plane : w->p.zeros;
}

/* Has the rows around y made from top to bottom, so that they can be fetched in any order. */
static void fetch_all(const struct work *w) {
    int64_t first, last;
    weft_rows_around(w->y, w->box->radius_y, w->step->height, w->box->border, &first, &last);
    for (int64_t v = first; v <= last; v++)
        weft_lane_fetch(w->lane, w->step->inputs[0], v);
}

/* Slides the sums of the columns to row y. */
static void slide(const struct work *w, bool goes_on) {
    int64_t radius = w->box->radius_y, bytes = w->box->radius_x * (int64_t)sizeof(uint32_t);
    if (!goes_on)
        fetch_all(w);
    for (int64_t v = goes_on ? w->y + radius : w->y - radius; v <= w->y + radius; v++) {
        struct row none = {{NULL}}, enter = fetch(w, v), leave = goes_on ? fetch(w, v - 2 * radius - 1) : none;
        for (int32_t k = 0; k < w->step->planes; k++) {
            char *line = w->p.line + (size_t)k * w->p.line_bytes;
            if (!goes_on && v == w->y - radius)
                memset(line, 0, w->p.line_bytes);
            w->lane->kernels->box_slide[w->box->in](plane_of(w, &enter, k), plane_of(w, &leave, k),
                                                    (uint32_t *)(void *)(line + bytes), w->in_count);
        }
    }
}

static double *block_row(const struct work *w, int32_t k, int64_t slot) {
    int64_t window = 2 * w->box->radius_y + 1;
    return (double *)(void *)(w->p.blocks + ((size_t)k * (size_t)(window + 2) + (size_t)slot + 1) * w->p.row_bytes);
}

/* Sums of all rows from each row v > above (a row of the same block) to the end `last` of its block. */
static void sum_ends(const struct work *w, int64_t above, int64_t last) {
    int64_t window = 2 * w->box->radius_y + 1;
    for (int64_t v = last; v > above; v--) {
        struct row row = fetch(w, v);
        int64_t slot = weft_border_modulo(v, window);
        for (int32_t k = 0; k < w->step->planes; k++)
            w->lane->kernels->box_add(numbers_of(w, &row, k), block_row(w, k, slot + 1), block_row(w, k, slot),
                                      w->in_count);
    }
}

/* Takes the rows up to y + radius into the running sums, except the last. */
static void catch_up(const struct work *w) {
    int64_t low = w->y - w->box->radius_y, high = w->y + w->box->radius_y, window = high - low + 1;
    int64_t begin = low + weft_border_modulo(-low, window); /* of a block */
    fetch_all(w);
    if (begin > low)
        sum_ends(w, low - 1, begin - 1);
    for (int64_t v = begin; v < high; v++) {
        struct row row = fetch(w, v);
        for (int32_t k = 0; k < w->step->planes; k++) {
            double *sums = block_row(w, k, -1);
            if (v == begin)
                memset(sums, 0, w->p.row_bytes);
            w->lane->kernels->box_add(numbers_of(w, &row, k), sums, sums, w->in_count);
        }
    }
}

/* The means of a row from the sums along it. */
static void means(const struct work *w, void *out) {
    const struct box *box = w->box;
    const struct step *step = w->step;
    int64_t radius = box->radius_x, width = step->width, rows_inside, low = 0, high = step->height;
    bool constant = box->border == WEFT_BORDER_CONSTANT, shrink = box->border == WEFT_BORDER_SHRINK;
    bool whole = step->type != WEFT_ROW_F32;
    double steps = box->in == WEFT_ROW_U8 ? 255 : box->in == WEFT_ROW_U16 ? 65535 : 1, unit = whole ? 1 : steps;
    double outside = constant ? (double)around_value(w->lane, step) : 0;
    size_t in_size = box->sums == WEFT_BOX_U32 ? sizeof(uint32_t) : sizeof(double), out_size = around_size(step->type);
    if (w->y - box->radius_y > 0)
        low = w->y - box->radius_y;
    if (w->y + box->radius_y < step->height)
        high = w->y + box->radius_y + 1;
    rows_inside = has_zeros(box) ? high - low : 2 * box->radius_y + 1;
    if (box->in != WEFT_ROW_F32)
        outside = nearbyint(outside * steps);
    /* The middle, where all columns of the rectangle are inside: one factor. To round, half a window is added, or
     * nothing, and then something less than 1 / window, so that an error in the factor cannot bring a quotient that
     * is a whole number below it. */
    double inside = (double)(2 * radius + 1) * (double)rows_inside, window = shrink ? inside : box->window;
    double add = (whole ? box->down ? 0.5 : 0.5 * window + 0.25 : 0) + (constant ? (window - inside) * outside : 0);
    int64_t begin = has_zeros(box) ? radius : 0, end = has_zeros(box) ? width - radius : width;
    begin = begin < w->first ? w->first : begin > w->end ? w->end : begin;
    end = end < begin ? begin : end > w->end ? w->end : end;
    const char *sums = w->p.sums + (size_t)(begin - w->first) * in_size;
    char *to = (char *)out + (size_t)(begin - w->first) * out_size;
    if (begin < end && step->type == WEFT_ROW_U8 && box->sums == WEFT_BOX_U32 && !constant && window < 8192)
        w->lane->kernels->box_mean_small((const uint32_t *)(const void *)sums, (float)add, (float)(1 / window),
                                         (uint8_t *)to, end - begin);
    else if (begin < end)
        w->lane->kernels->box_mean[box->sums][step->type](sums, add, 1 / (window * unit), steps, to, end - begin);
    /* The edges. */
    double each = constant ? -(double)rows_inside * outside : whole && !box->down ? 0.5 * (double)rows_inside : 0;
    double count = constant ? box->window : (double)rows_inside;
    add = whole ? box->down ? 0.5 : 0.25 : 0;
    if (constant)
        add = box->window * outside + (whole && !box->down ? 0.5 * box->window : 0) + add;
    int64_t edges[2][2] = {{w->first, begin}, {end, w->end}};
    for (int i = 0; i < 2; i++)
        if (edges[i][0] < edges[i][1]) {
            size_t at = (size_t)(edges[i][0] - w->first);
            w->lane->kernels->box_mean_edge[box->sums][step->type](
                w->p.sums + at * in_size, w->p.inside + at, w->p.share + at, each, add, 1 / (count * unit), steps,
                (char *)out + at * out_size, edges[i][1] - edges[i][0]);
        }
}

/* Sums along the row, from `line`, and means. */
static void finish(const struct work *w, char *line, void *out) {
    const struct weft_kernels *kernels = w->lane->kernels;
    int64_t window = 2 * w->box->radius_x + 1, count = w->end - w->first, skip = w->first - w->in_first;
    fill_pads(w, line);
    if (w->box->sums == WEFT_BOX_F64)
        kernels->box_line_f64((double *)(void *)line + skip,
                              (double *const[]){(double *)(void *)w->p.spare[0], (double *)(void *)w->p.spare[1]},
                              window, (double *)(void *)w->p.sums, count);
    else if (w->box->sums == WEFT_BOX_U64)
        kernels->box_line_u64((uint32_t *)(void *)line + skip, window, (uint64_t *)(void *)w->p.sums, count);
    else
        kernels->box_line_u32((uint32_t *)(void *)line + skip,
                              (uint32_t *const[]){(uint32_t *)(void *)w->p.spare[0], (uint32_t *)(void *)w->p.spare[1]},
                              window, (uint32_t *)(void *)w->p.sums, count);
    means(w, out);
}

static void run(struct lane *lane, const struct step *step, int64_t y, const struct row *out) {
    const struct box *box = step->data;
    struct work w = {.lane = lane, .step = step, .box = box, .y = y};
    struct memory *memory = weft_lane_state(lane, step);
    bool goes_on = memory->valid && memory->last == y - 1;
    int64_t in_end, window = 2 * box->radius_y + 1;
    lay_out(step, step->max_columns, (char *)memory, &w.p);
    w.first = weft_lane_first(lane, step), w.end = weft_lane_end(lane, step);
    weft_columns_around(w.first, w.end, box->radius_x, step->width, box->border, &w.in_first, &in_end);
    w.in_count = in_end - w.in_first;
    if (!memory->valid)
        begin_tile(&w);
    memory->valid = true;
    memory->last = y;
    if (box->sums != WEFT_BOX_F64) {
        slide(&w, goes_on);
        for (int32_t k = 0; k < step->planes; k++)
            finish(&w, w.p.line + (size_t)k * w.p.line_bytes, out->plane[k]);
        return;
    }
    if (!goes_on)
        catch_up(&w);
    struct row last = fetch(&w, y + box->radius_y);
    int64_t slot = weft_border_modulo(y + box->radius_y, window);
    for (int32_t k = 0; k < step->planes; k++) {
        double *sums = block_row(&w, k, -1);
        if (slot == 0)
            memset(sums, 0, w.p.row_bytes);
        lane->kernels->box_join(numbers_of(&w, &last, k), sums, block_row(&w, k, slot + 1),
                                (double *)(void *)w.p.line + box->radius_x, w.in_count);
        finish(&w, w.p.line, out->plane[k]);
    }
    if (slot == window - 1)
        sum_ends(&w, y - box->radius_y, y + box->radius_y);
}

static const struct step_kind kind = {
    .name = "box", .rows = rows, .columns = columns, .state_size = state_size, .run = run};

static int64_t cut(int64_t radius, int64_t size, weft_border border) {
    int64_t enough = border == WEFT_BORDER_CONSTANT ? size : border == WEFT_BORDER_SHRINK ? size - 1 : radius;
    return radius < enough ? radius : enough;
}

weft_status weft_lower_box(struct builder *b, int32_t node, const int32_t *inputs, bool integer_result, int32_t *result,
                           weft_error *error) {
    const struct weft_graph_node *n = &b->typed->graph->nodes[node];
    const weft_image_info *info = &b->typed->info[node];
    int64_t x = n->filter->reach(n->block, WEFT_X), y = n->filter->reach(n->block, WEFT_Y);
    struct step step = {.kind = &kind,
                        .inputs = {inputs[0]},
                        .input_count = 1,
                        .node = node,
                        .planes = info->format.channels,
                        .width = info->width,
                        .height = info->height};
    if (x == 0 && y == 0) {
        *result = inputs[0];
        return WEFT_OK;
    }
    struct box *box = weft_allocate(1, sizeof *box);
    if (!box)
        return weft_fail_memory(error, sizeof *box, "a box");
    box->in = b->stage->steps[inputs[0]].type;
    box->border = weft_filter_border(n->filter, n->block);
    box->radius_x = cut(x, info->width, box->border);
    box->radius_y = cut(y, info->height, box->border);
    box->window = (2 * (double)x + 1) * (2 * (double)y + 1);
    box->down = n->filter->rounding(n->block) == WEFT_ROUND_DOWN;
    step.type = box->in != WEFT_ROW_F32 && (box->down || integer_result) ? box->in : WEFT_ROW_F32;
    step.data = box;
    double steps = box->in == WEFT_ROW_U8 ? 255 : 65535, column = (2 * (double)box->radius_y + 1) * steps;
    box->sums = box->in == WEFT_ROW_F32                                   ? WEFT_BOX_F64
                : column * (2 * (double)box->radius_x + 1) < 4294967296.0 ? WEFT_BOX_U32
                                                                          : WEFT_BOX_U64;
    weft_status status = WEFT_OK;
    if (box->sums != WEFT_BOX_F64 && column >= 4294967296.0)
        status = weft_fail(error, WEFT_ERROR_UNSUPPORTED, "a box of integers is at most %d pixels high",
                           (int)(4294967295.0 / steps));
    else if (state_size(&step, info->width, info->width) > PTRDIFF_MAX)
        status = weft_fail_memory(error, SIZE_MAX, "the rows of a box");
    if (status != WEFT_OK) {
        weft_free(box);
        return status;
    }
    return weft_stage_add(b, &step, result, error);
}
