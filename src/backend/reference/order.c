/* SPDX-License-Identifier: MIT
 * The definitions of extremum and rank: the largest, smallest or middle of the pixels around. */
#include <math.h>
#include <stdlib.h>
#include "backend/reference/model.h"
#include "base/memory.h"
#include "base/status.h"

struct rectangle {
    int64_t reach_x, reach_y;
    weft_border border;
    double border_value;
};

static struct rectangle rectangle_of(const struct reference_call *call) {
    return (struct rectangle){.reach_x = call->filter->reach(call->block, WEFT_X),
                              .reach_y = call->filter->reach(call->block, WEFT_Y),
                              .border = weft_filter_border(call->filter, call->block),
                              .border_value = (double)weft_filter_border_value(call->filter, call->block)};
}

/* The value at a place, with the border applied; false where none counts. */
static bool value_at(const struct reference_image *image, int32_t plane, int64_t x, int64_t y,
                     const struct rectangle *around, double *value) {
    int64_t column = weft_border_map(x, image->info.width, around->border);
    int64_t row = weft_border_map(y, image->info.height, around->border);
    bool inside = column >= 0 && row >= 0;
    *value = inside ? reference_row(image, plane, row)[column] : around->border_value;
    return inside || around->border == WEFT_BORDER_CONSTANT;
}

weft_status reference_extremum(const struct reference_call *call, weft_error *error) {
    const struct reference_image *in = call->in[0], *out = call->out;
    struct rectangle around = rectangle_of(call);
    weft_image_info plane = in->info;
    struct reference_image rows;
    plane.format.channels = 1;
    weft_status status = reference_image_create(&plane, &rows, error);
    if (status != WEFT_OK)
        return status;
    /* Along x into rows, then along y: the largest of the largest. The pixel itself always counts; NaN gives way to anything. */
    for (int32_t k = 0; k < out->info.format.channels; k++)
        for (int pass = 0; pass < 2; pass++)
            for (int64_t y = 0; y < out->info.height; y++)
                for (int64_t x = 0; x < out->info.width; x++) {
                    const struct reference_image *from = pass == 0 ? in : &rows;
                    int32_t from_plane = pass == 0 ? k : 0;
                    int64_t reach = pass == 0 ? around.reach_x : around.reach_y;
                    double best = reference_row(from, from_plane, y)[x], v;
                    for (int64_t d = -reach; d <= reach; d++)
                        if (value_at(from, from_plane, pass == 0 ? x + d : x, pass == 0 ? y : y + d, &around, &v) &&
                            (isnan(best) || (call->filter->maximum ? v > best : v < best)))
                            best = v;
                    *(pass == 0 ? &reference_row(&rows, 0, y)[x] : &reference_row(out, k, y)[x]) = best;
                }
    weft_free(rows.data);
    return WEFT_OK;
}

/* NaN comes last. */
static int compare(const void *a, const void *b) {
    const double *left = a, *right = b;
    if (isnan(*left) || isnan(*right))
        return isnan(*left) - isnan(*right);
    return (*left > *right) - (*left < *right);
}

weft_status reference_rank(const struct reference_call *call, weft_error *error) {
    const struct reference_image *out = call->out;
    struct rectangle around = rectangle_of(call);
    size_t capacity, width = 2 * (size_t)around.reach_x + 1, height = 2 * (size_t)around.reach_y + 1;
    double *values = weft_multiply(width, height, &capacity) ? weft_allocate(capacity, sizeof *values) : NULL;
    if (!values)
        return weft_fail_memory(error, sizeof *values, "a neighbourhood to sort");
    for (int32_t k = 0; k < out->info.format.channels; k++)
        for (int64_t y = 0; y < out->info.height; y++)
            for (int64_t x = 0; x < out->info.width; x++) {
                size_t n = 0;
                for (int64_t dy = -around.reach_y; dy <= around.reach_y; dy++)
                    for (int64_t dx = -around.reach_x; dx <= around.reach_x; dx++)
                        n += value_at(call->in[0], k, x + dx, y + dy, &around, &values[n]);
                qsort(values, n, sizeof *values, compare);
                reference_row(out, k, y)[x] = values[n / 2];
            }
    weft_free(values);
    return WEFT_OK;
}
