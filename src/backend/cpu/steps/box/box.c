/* SPDX-License-Identifier: MIT
 * Box filters: in one step first sums down the columns, into a row with pads, then sums along that row, then means.
 *
 * Outside is 0 with constant and shrink, whose means then account for the number of pixels inside. */
#include <string.h>
#include "backend/cpu/choose/box.h"
#include "backend/cpu/steps/box/box.h"
#include "backend/cpu/pipeline/source_sink.h"
#include "backend/cpu/pipeline/whole_image.h"
#include "base/status.h"

static size_t state_size(const struct step *step, int64_t columns, int64_t in_columns) {
    struct box_pieces unused;
    (void)in_columns;
    return weft_box_lay_out(step, columns, NULL, &unused);
}

static void rows(const struct step *step, int i, int64_t y, int64_t *first, int64_t *last) {
    const struct box *box = step->data;
    int64_t unused;
    (void)i;
    weft_rows_around(y, box->radius_y, step->height, box->border, first, last);
    if (box->sums != WEFT_BOX_F32 && y > 0) /* and the row that goes out */
        weft_rows_around(y - 1, box->radius_y, step->height, box->border, first, &unused);
}

static void columns(const struct step *step, int i, int64_t x0, int64_t x1, int64_t *first, int64_t *end) {
    const struct box *box = step->data;
    (void)i;
    weft_columns_around(x0, x1, box->radius_x, step->width, box->border, first, end);
}

/* The tables that a tile needs. */
static void begin_tile(struct box_row *w) {
    const struct box *box = w->box;
    int64_t radius = box->radius_x, width = w->step->width;
    if (box_has_zeros(box))
        for (int64_t x = w->first; x < w->end; x++) {
            int64_t low = x - radius > 0 ? x - radius : 0, high = x + radius < width - 1 ? x + radius : width - 1;
            w->p.inside[x - w->first] = (double)(high - low + 1);
            w->p.share[x - w->first] = box->border == WEFT_BORDER_SHRINK ? 1.0 / (double)(high - low + 1) : 1;
        }
}

/* Copies columns into the pads, by elements of 16 bits. */
static void fill_pads(const struct box_row *w, char *line) {
    const struct box *box = w->box;
    int32_t element = w->step->interleave * (int32_t)(box_column_size(box) / sizeof(uint16_t));
    if (!box_has_zeros(box))
        weft_pad_row(WEFT_ROW_U16, (uint16_t *)(void *)line + box->radius_x * element, element, w->in_count,
                     box->radius_x, box->border, 0, w->in_first == 0, w->in_first + w->in_count == w->step->width);
}

/* The means of a row from the sums along it. */
static void means(const struct box_row *w, void *out) {
    const struct box *box = w->box;
    const struct step *step = w->step;
    int64_t radius = box->radius_x, width = step->width, rows_inside, low = 0, high = step->height;
    bool constant = box->border == WEFT_BORDER_CONSTANT, shrink = box->border == WEFT_BORDER_SHRINK;
    bool whole = step->type != WEFT_ROW_F32;
    double steps = box->in == WEFT_ROW_U8 ? 255 : box->in == WEFT_ROW_U16 ? 65535 : 1, unit = whole ? 1 : steps;
    double outside = constant ? (double)around_value(w->lane, step) : 0;
    size_t in_size = box_sum_size(box), out_size = weft_step_element(step);
    if (w->y - box->radius_y > 0)
        low = w->y - box->radius_y;
    if (w->y + box->radius_y < step->height)
        high = w->y + box->radius_y + 1;
    rows_inside = box_has_zeros(box) ? high - low : 2 * box->radius_y + 1;
    if (box->in != WEFT_ROW_F32)
        outside = nearbyint(outside * steps);
    /* The middle, where all columns of the rectangle are inside: one factor for all pixels. To round, half a window is added, or
     * nothing; and a quarter or a half more, less than the distance to the next sum, so that an error in the factor cannot bring an
     * exact quotient below its whole number. */
    double inside = (double)(2 * radius + 1) * (double)rows_inside, window = shrink ? inside : box->window;
    double add = (whole ? box->down ? 0.5 : 0.5 * window + 0.25 : 0) + (constant ? (window - inside) * outside : 0);
    int64_t begin = box_has_zeros(box) ? radius : 0, end = box_has_zeros(box) ? width - radius : width;
    begin = begin < w->first ? w->first : begin > w->end ? w->end : begin;
    end = end < begin ? begin : end > w->end ? w->end : end;
    const char *sums = w->p.sums + (size_t)(begin - w->first) * in_size;
    char *to = (char *)out + (size_t)(begin - w->first) * out_size;
    int64_t count_inside = (end - begin) * step->interleave; /* interleave is 1 where outside counts as 0 */
    if (begin < end && step->type == WEFT_ROW_U8 && in_size == sizeof(uint32_t) && !constant && window < 8192)
        w->lane->kernels->box_mean_small((const uint32_t *)(const void *)sums, (float)add, (float)(1 / window),
                                         (uint8_t *)to, count_inside);
    else if (begin < end && whole && in_size == sizeof(uint32_t) && !constant)
        w->lane->kernels->box_mean_whole[step->type]((const uint32_t *)(const void *)sums,
                                                     box->down ? 0 : (uint32_t)window / 2, (uint32_t)window, to,
                                                     count_inside);
    else if (begin < end)
        w->lane->kernels->box_mean[box->sums][step->type](sums, add, 1 / (window * unit), steps, to, count_inside);
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
static void finish(const struct box_row *w, char *line, void *out) {
    const struct weft_kernels *kernels = w->lane->kernels;
    int64_t window = 2 * w->box->radius_x + 1, count = w->end - w->first, skip = w->first - w->in_first;
    fill_pads(w, line);
    if (w->box->factor && kernels->has_fixed) {
        kernels->box_line_few((uint16_t *)(void *)line + skip * w->step->interleave, window, w->step->interleave,
                              w->box->down ? 0 : (uint16_t)(w->box->window / 2), w->box->factor, w->box->shift, out,
                              count * w->step->interleave);
        return;
    }
    if (w->box->few_u16) {
        double add = w->box->down ? 0.5 : 0.5 * w->box->window + 0.25; /* as in means */
        kernels->box_line_few_u16((uint32_t *)(void *)line + skip * w->step->interleave, window, w->step->interleave,
                                    (float)add, (float)(1 / w->box->window), out, count * w->step->interleave);
        return;
    }
    if (w->box->sums == WEFT_BOX_F32)
        kernels->box_line_f32((float *)(void *)line + skip,
                              (float *const[]){(float *)(void *)w->p.spare[0], (float *)(void *)w->p.spare[1]}, window,
                              (float *)(void *)w->p.sums, count);
    else
        kernels->box_line[w->box->sums](line + (size_t)(skip * w->step->interleave) * box_column_size(w->box), window,
                                        w->step->interleave, w->p.sums, count * w->step->interleave);
    means(w, out);
}

static void run(struct lane *lane, const struct step *step, int64_t y, const struct row *out) {
    const struct box *box = step->data;
    struct box_row w; /* all of it is set below; zeros would take longer than a few of its rows */
    struct box_memory *memory = weft_lane_state(lane, step);
    bool goes_on = memory->valid && memory->last == y - 1;
    int64_t in_end;
    if (!memory->valid)
        weft_box_lay_out(step, step->max_columns, (char *)memory, &memory->pieces);
    w.lane = lane, w.step = step, w.box = box, w.y = y, w.p = memory->pieces;
    w.first = weft_lane_first(lane, step), w.end = weft_lane_end(lane, step);
    weft_columns_around(w.first, w.end, box->radius_x, step->width, box->border, &w.in_first, &in_end);
    w.in_count = in_end - w.in_first;
    if (!memory->valid)
        begin_tile(&w);
    memory->valid = true;
    memory->last = y;
    if (box->sums != WEFT_BOX_F32) {
        weft_box_slide(&w, goes_on);
        for (int32_t k = 0; k < step->planes; k++)
            finish(&w, w.p.line + (size_t)k * w.p.line_bytes, out->plane[k]);
        return;
    }
    if (!goes_on)
        weft_box_catch_up(&w);
    struct row last = weft_box_fetch(&w, y + box->radius_y);
    for (int32_t k = 0; k < step->planes; k++) {
        weft_box_join(&w, &last, k);
        finish(&w, w.p.line, out->plane[k]);
    }
    weft_box_end_row(&w);
}

static const struct step_kind kind = {
    .name = "box", .rows = rows, .columns = columns, .state_size = state_size, .run = run};

static int64_t cut(int64_t radius, int64_t size, weft_border border) {
    int64_t enough = border == WEFT_BORDER_CONSTANT ? size : border == WEFT_BORDER_SHRINK ? size - 1 : radius;
    return radius < enough ? radius : enough;
}

weft_status weft_lower_box_image(struct builder *b, int32_t node, const struct whole *image, int32_t *result,
                                 weft_error *error) {
    const struct weft_graph_node *n = &b->typed->graph->nodes[node];
    weft_border border = weft_filter_border(n->filter, n->block);
    weft_type type = b->typed->info[node].format.type;
    int32_t input;
    *result = -1;
    if ((type != WEFT_U8 && type != WEFT_U16) || border == WEFT_BORDER_CONSTANT || border == WEFT_BORDER_SHRINK)
        return WEFT_OK;
    weft_status status = weft_lower_source(b, image, type == WEFT_U8 ? WEFT_ROW_U8 : WEFT_ROW_U16, true, &input, error);
    return status == WEFT_OK ? weft_lower_box(b, node, &input, true, result, error) : status;
}

/* Division by the window as a multiplication by a factor that is rounded up. It is exact for all sums up to `most` where the
 * factor's error, times `most`, stays below 1 (Granlund and Montgomery 1994). */
static void divide_by_product(struct box *box, uint32_t window) {
    uint64_t most = 255 * (uint64_t)window + window / 2;
    int shift = 0;
    while (window >> (shift + 1) > 0)
        shift++;
    uint64_t unit = (uint64_t)1 << (16 + shift), factor = unit / window + 1;
    if (most < 65536 && factor < 65536 && (factor * window - unit) * most < unit)
        box->factor = (uint16_t)factor, box->shift = shift;
}

/* The largest window, in pixels, for which a quotient of sums of u16 in single precision, whose error is at most 65535 * 2^-23,
 * always rounds to the right whole number: sums are at least a quarter of 1 / window away from where the result changes. */
#define FEW_U16 25

weft_status weft_lower_box(struct builder *b, int32_t node, const int32_t *inputs, bool integer_result, int32_t *result,
                           weft_error *error) {
    const struct weft_graph_node *n = &b->typed->graph->nodes[node];
    const weft_image_info *info = &b->typed->info[node];
    int64_t x = n->filter->reach(n->block, WEFT_X), y = n->filter->reach(n->block, WEFT_Y);
    struct step step = {.kind = &kind,
                        .inputs = {inputs[0]},
                        .input_count = 1,
                        .node = node,
                        .planes = b->stage->steps[inputs[0]].planes,
                        .interleave = b->stage->steps[inputs[0]].interleave,
                        .width = info->width,
                        .height = info->height,
                        .late = true};
    if (x == 0 && y == 0) {
        *result = inputs[0];
        return WEFT_OK;
    }
    weft_border border = weft_filter_border(n->filter, n->block);
    struct cpu_box_case facts = {.x = x,
                                 .y = y,
                                 .radius_x = cut(x, info->width, border),
                                 .radius_y = cut(y, info->height, border),
                                 .type = b->stage->steps[inputs[0]].type};
    const struct weft_rung *rung = weft_cpu_choose_box(&facts);
    if (rung->choice == CPU_BOX_SEPARABLE)
        return weft_lower_separable(b, node, inputs, result, error);
    struct box *box = weft_allocate(1, sizeof *box);
    if (!box)
        return weft_fail_memory(error, sizeof *box, "a box");
    box->in = facts.type;
    box->border = border;
    box->radius_x = facts.radius_x;
    box->radius_y = facts.radius_y;
    box->window = (2 * (double)x + 1) * (2 * (double)y + 1);
    box->down = n->filter->rounding(n->block) == WEFT_ROUND_DOWN;
    step.type = box->in != WEFT_ROW_F32 && (box->down || integer_result) ? box->in : WEFT_ROW_F32;
    step.data = box;
    step.why = rung->when;
    static const enum weft_box_sums sums[] = {
        [CPU_BOX_F32] = WEFT_BOX_F32, [CPU_BOX_U16] = WEFT_BOX_U16, [CPU_BOX_U32] = WEFT_BOX_U32, [CPU_BOX_U64] = WEFT_BOX_U64};
    box->sums = sums[rung->choice];
    if (step.type == WEFT_ROW_U8 && box->radius_x <= 7 && box->window < 256 && !box_has_zeros(box))
        divide_by_product(box, (uint32_t)box->window);
    box->few_u16 = step.type == WEFT_ROW_U16 && box->radius_x <= 2 && box->window <= FEW_U16 && !box_has_zeros(box);
    weft_status status = WEFT_OK;
    if (box->sums != WEFT_BOX_F32 && weft_cpu_box_column(&facts) >= 4294967296.0)
        status = weft_fail(error, WEFT_ERROR_UNSUPPORTED, "a box of integers is at most %d pixels high",
                           (int)(4294967295.0 / (box->in == WEFT_ROW_U8 ? 255 : 65535)));
    else if (state_size(&step, info->width, info->width) > PTRDIFF_MAX)
        status = weft_fail_memory(error, SIZE_MAX, "the rows of a box");
    if (status != WEFT_OK) {
        weft_free(box);
        return status;
    }
    return weft_stage_add(b, &step, result, error);
}
