/* SPDX-License-Identifier: MIT
 * Extrema over a union of rectangles around the pixel, as ellipses and crosses are. Each row that comes in is made once into
 * rows of extrema along it, one for each width that the shape has; a row of the result is the extremum of one of these for
 * each row of the shape. Joining the extrema of the rectangles instead took 4 times as long for an ellipse of 9 x 9. */
#include <string.h>
#include "backend/cpu/steps/extremum/extremum.h"
#include "base/status.h"

struct shape {
    struct extremum extremum; /* of the rectangle around all */
    int32_t widths, radius[WEFT_UNION_RADIUS + 1];
    int32_t at[WEFT_UNION_RADIUS + 1]; /* at[d]: the index in `radius` for rows d above and below the center */
};

static size_t rows_of(const struct step *step) {
    const struct shape *shape = step->data;
    return around_sum(0, (size_t)shape->widths, (size_t)shape->extremum.window_y);
}

static size_t union_size(const struct step *step, int64_t columns, int64_t in_columns) {
    return around_sum(weft_extremum_size(step, columns, in_columns), around_sum(0, (size_t)step->planes, rows_of(step)),
                      weft_extremum_stride(step, columns));
}

/* Row v of plane k along width number i. */
static char *row_at(const struct step *step, const struct extremum_memory *memory, int32_t k, int32_t i, int64_t v) {
    const struct shape *shape = step->data;
    size_t window = (size_t)shape->extremum.window_y, slot = (size_t)(v % shape->extremum.window_y);
    return memory->rows.blocks + ((size_t)k * rows_of(step) + (size_t)i * window + slot) * memory->rows.stride;
}

/* Makes all rows along row v of plane k, whose column memory->first is at `in`. */
static void take(struct lane *lane, const struct step *step, int32_t k, int64_t v, const char *in) {
    const struct shape *shape = step->data;
    const struct extremum_memory *memory = weft_lane_state(lane, step);
    const struct extremum_rows *r = &memory->rows;
    int64_t x0 = weft_lane_first(lane, step), x1 = weft_lane_end(lane, step), apart = step->interleave;
    size_t element = weft_step_element(step);
    for (int32_t i = 0; i < shape->widths; i++) {
        int64_t begin = x0 - shape->radius[i], end = x1 + shape->radius[i];
        int64_t low = begin > memory->first ? begin : memory->first, high = end < memory->end ? end : memory->end;
        const void *from = in + (size_t)(low - memory->first) * element;
        char *to = row_at(step, memory, k, i, v);
        if (shape->radius[i] == 0) { /* a copy, but for NaN */
            lane->kernels->extremum_rows[step->type](shape->extremum.maximum, &from, 1, to, (x1 - x0) * apart);
            continue;
        }
        memcpy(r->line, r->outside, (size_t)(low - begin) * element);
        memcpy(r->line + (size_t)(high - begin) * element, r->outside, (size_t)(end - high) * element);
        lane->kernels->extremum_rows[step->type](shape->extremum.maximum, &from, 1, r->line + (size_t)(low - begin) * element,
                                                 (high - low) * apart);
        lane->kernels->extremum_line[step->type](shape->extremum.maximum, r->line, r->spare, 2 * shape->radius[i] + 1, apart,
                                                 to, (x1 - x0) * apart);
    }
}

static void run_union(struct lane *lane, const struct step *step, int64_t y, const struct row *out) {
    const struct shape *shape = step->data;
    struct extremum_memory *memory = weft_lane_state(lane, step);
    int64_t radius = shape->extremum.radius_y, columns = weft_lane_end(lane, step) - weft_lane_first(lane, step);
    int64_t first = y > radius ? y - radius : 0, last = y + radius < step->height ? y + radius : step->height - 1;
    for (int64_t v = memory->valid && memory->last == y - 1 ? y + radius : first; v <= last; v++) {
        struct row in = weft_lane_fetch(lane, step->inputs[0], v);
        for (int32_t k = 0; k < step->planes; k++)
            take(lane, step, k, v, around_at(lane, step->inputs[0], &in, k, memory->first));
    }
    for (int32_t k = 0; k < step->planes; k++) {
        const void *rows[2 * WEFT_UNION_RADIUS + 1];
        int count = 0;
        for (int64_t v = first; v <= last; v++)
            rows[count++] = row_at(step, memory, k, shape->at[v < y ? y - v : v - y], v);
        lane->kernels->extremum_rows[step->type](shape->extremum.maximum, rows, count, out->plane[k],
                                                 columns * step->interleave);
    }
    memory->valid = true;
    memory->last = y;
}

static const struct step_kind kind = {.name = "extremum",
                                      .rows = weft_extremum_rows,
                                      .folds = true,
                                      .columns = weft_extremum_columns,
                                      .state_size = union_size,
                                      .begin = weft_extremum_begin,
                                      .run = run_union};

/* Finds how far each row of the shape reaches to the sides. at[row] is the index of that width in radius[]. */
static void set_rows(struct shape *shape, const int32_t (*rectangles)[2], int32_t count) {
    for (int32_t down = 0; down <= (int32_t)shape->extremum.radius_y; down++) {
        int32_t wide = 0, i = 0;
        for (int32_t r = 0; r < count; r++)
            wide = rectangles[r][1] >= down && rectangles[r][0] > wide ? rectangles[r][0] : wide;
        while (i < shape->widths && shape->radius[i] != wide)
            i++;
        shape->widths += i == shape->widths;
        shape->radius[i] = wide;
        shape->at[down] = i;
    }
}

weft_status weft_lower_union(struct builder *b, int32_t node, int32_t input, bool maximum, const int32_t (*rectangles)[2],
                             int32_t count, int32_t *result, weft_error *error) {
    const weft_image_info *info = &b->typed->info[node];
    const struct step *of = &b->stage->steps[input];
    struct shape *shape = weft_allocate(1, sizeof *shape);
    if (!shape)
        return weft_fail_memory(error, sizeof *shape, "an extremum");
    struct extremum *e = &shape->extremum;
    *e = (struct extremum){.border = WEFT_BORDER_SHRINK, .maximum = maximum};
    for (int32_t r = 0; r < count; r++) {
        e->radius_x = rectangles[r][0] > e->radius_x ? rectangles[r][0] : e->radius_x;
        e->radius_y = rectangles[r][1] > e->radius_y ? rectangles[r][1] : e->radius_y;
    }
    e->window_y = 2 * e->radius_y + 1;
    set_rows(shape, rectangles, count);
    struct step step = {.kind = &kind,
                        .inputs = {input},
                        .input_count = 1,
                        .node = node,
                        .data = shape,
                        .type = of->type,
                        .planes = of->planes,
                        .interleave = of->interleave,
                        .width = info->width,
                        .height = info->height,
                        .late = true};
    size_t size = union_size(&step, info->width, info->width);
    if (size > PTRDIFF_MAX) {
        weft_free(shape);
        return weft_fail_memory(error, size, "the rows of an extremum");
    }
    return weft_stage_add(b, &step, result, error);
}
