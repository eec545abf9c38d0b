/* SPDX-License-Identifier: MIT
 * Bilinear interpolation to twice the size along both axes, and means and bilinear interpolation to half of it, from image to image
 * on interleaved pixels: exact in integers of u8 and u16; the first two also in f32. */
#include <math.h>
#include <string.h>
#include "backend/cpu/pipeline/source_sink.h"
#include "backend/cpu/steps/resample/resample.h"
#include "backend/cpu/pipeline/run.h"
#include "backend/cpu/pipeline/whole_image.h"
#include "base/status.h"

#define SHORT_ROW 2048 /* bytes */

static int64_t limited(int64_t y, int64_t size) { return y < 0 ? 0 : y < size ? y : size - 1; }

/* The pixel with weight 3/4 in output i, and the one with weight 1/4. */
static int64_t near(int64_t i) { return i / 2; }
static int64_t far(int64_t i, int64_t size) { return limited(i % 2 ? i / 2 + 1 : i / 2 - 1, size); }

static void rows(const struct step *step, int i, int64_t y, int64_t *first, int64_t *last) {
    (void)i;
    int64_t a = near(y), b = far(y, step->height / 2);
    *first = a < b ? a : b;
    *last = a < b ? b : a;
}

static void columns(const struct step *step, int i, int64_t x0, int64_t x1, int64_t *first, int64_t *end) {
    (void)i;
    *first = limited(x0 / 2 - 1, step->width / 2);
    *end = limited((x1 - 1) / 2 + 1, step->width / 2) + 1;
}

/* Sums of whole numbers have twice the bytes of components. */
static size_t sum_size(const struct step *step) {
    return weft_step_element(step) * (step->type == WEFT_ROW_F32 ? 1 : 2);
}

/* A pixel more at each end. */
static size_t state_size(const struct step *step, int64_t columns_, int64_t in_columns) {
    (void)columns_;
    return ((size_t)in_columns + 2) * sum_size(step);
}

static void run(struct lane *lane, const struct step *step, int64_t y, const struct row *out) {
    int32_t input = step->inputs[0];
    int64_t size = step->height / 2, first = weft_lane_first(lane, step) / 2, end = weft_lane_end(lane, step) / 2;
    int64_t in_first, in_end;
    size_t element = weft_step_element(step), sum = sum_size(step);
    unsigned char *sums = (unsigned char *)weft_lane_state(lane, step) + sum;
    columns(step, 0, weft_lane_first(lane, step), weft_lane_end(lane, step), &in_first, &in_end);
    size_t skip = (size_t)(in_first - lane->first[input]) * element, count = (size_t)(in_end - in_first);
    struct row a = weft_lane_fetch(lane, input, near(y)), b = weft_lane_fetch(lane, input, far(y, size));
    lane->kernels->double_rows[step->type]((const unsigned char *)a.plane[0] + skip,
                                           (const unsigned char *)b.plane[0] + skip, sums,
                                           (int64_t)count * step->interleave);
    memcpy(sums - sum, sums, sum); /* outside the image the nearest pixel */
    memcpy(sums + count * sum, sums + (count - 1) * sum, sum);
    lane->kernels->double_row[step->type](sums + (size_t)(first - in_first) * sum, step->interleave, out->plane[0],
                                          (end - first) * step->interleave);
}
static const struct step_kind doubling = {
    .name = "double", .rows = rows, .columns = columns, .state_size = state_size, .run = run};

static void halve_rows(const struct step *step, int i, int64_t y, int64_t *first, int64_t *last) {
    (void)step, (void)i;
    *first = 2 * y, *last = 2 * y + 1;
}

static void halve_columns(const struct step *step, int i, int64_t x0, int64_t x1, int64_t *first, int64_t *end) {
    (void)step, (void)i;
    *first = 2 * x0, *end = 2 * x1;
}

static void halve_run(struct lane *lane, const struct step *step, int64_t y, const struct row *out) {
    int32_t input = step->inputs[0];
    int64_t first = weft_lane_first(lane, step), count = weft_lane_end(lane, step) - first;
    size_t skip = (size_t)(2 * first - lane->first[input]) * weft_step_element(step);
    struct row a = weft_lane_fetch(lane, input, 2 * y), b = weft_lane_fetch(lane, input, 2 * y + 1);
    lane->kernels->halve_rows[step->type]((const unsigned char *)a.plane[0] + skip,
                                          (const unsigned char *)b.plane[0] + skip, step->interleave, out->plane[0],
                                          count * step->interleave);
}
static const struct step_kind halving = {
    .name = "halve", .rows = halve_rows, .columns = halve_columns, .run = halve_run};

static void tent_rows(const struct step *step, int i, int64_t y, int64_t *first, int64_t *last) {
    (void)i;
    *first = limited(2 * y - 1, 2 * step->height), *last = limited(2 * y + 2, 2 * step->height);
}

static void tent_columns(const struct step *step, int i, int64_t x0, int64_t x1, int64_t *first, int64_t *end) {
    (void)i;
    *first = limited(2 * x0 - 1, 2 * step->width), *end = limited(2 * x1, 2 * step->width) + 1;
}

static void tent_run(struct lane *lane, const struct step *step, int64_t y, const struct row *out) {
    int32_t input = step->inputs[0];
    int64_t first = weft_lane_first(lane, step), end = weft_lane_end(lane, step);
    size_t skip = (size_t)(2 * first - lane->first[input]) * weft_step_element(step);
    struct weft_tent tent = {.channels = step->interleave, .first = first == 0, .last = end == step->width};
    /* Rows 2 y - 1 to 2 y + 2, and those to prefetch. With it u8 takes 0.83 to 0.9 of the time, less than with a prefetch 2 KB
     * ahead. u16, whose sums take longer, takes 1.2 times as long, unless rows are so short that the hardware prefetches none of
     * the next row. */
    bool is_short = lane->stage->steps[input].width * (int64_t)weft_step_element(step) <= SHORT_ROW;
    bool ask = (step->type == WEFT_ROW_U8 || is_short) && lane->stage->steps[input].direct && y + 2 < step->height;
    int skipped = y == 0, last = y + 1 < step->height ? ask ? 6 : 4 : 3;
    struct row rows[6];
    weft_lane_fetch_rows(lane, input, 2 * y - 1 + skipped, last - skipped, WEFT_BORDER_REPLICATE, rows + skipped);
    for (int i = skipped; i < last; i++)
        *(i < 4 ? &tent.rows[i] : &tent.next[i - 4]) = (const unsigned char *)rows[i].plane[0] + skip;
    lane->kernels->halve_tent[step->type](&tent, out->plane[0], (end - first) * step->interleave);
}
static const struct step_kind halving_tent = {
    .name = "halve", .rows = tent_rows, .columns = tent_columns, .run = tent_run};

/* Whether the axis is of twice `size` pixels, each near and far by 3 : 1. */
static bool doubles(const struct weft_axis *axis, int64_t size) {
    if (axis->size != 2 * size)
        return false;
    for (int64_t i = 0; i < axis->size; i++)
        for (int32_t k = 0; k < axis->count; k++) {
            int64_t place = axis->first[i] + k;
            float weight = (place == near(i) ? 0.75f : 0.0f) + (place == far(i, size) ? 0.25f : 0.0f);
            if (axis->weight[i * axis->count + k] != weight)
                return false;
        }
    return true;
}

/* Whether the axis is of half of `size` pixels, each the mean of two. */
static bool halves(const struct weft_axis *axis, int64_t size) {
    if (2 * axis->size != size)
        return false;
    for (int64_t i = 0; i < axis->size; i++)
        for (int32_t k = 0; k < axis->count; k++)
            if (axis->weight[i * axis->count + k] != ((axis->first[i] + k) / 2 == i ? 0.5f : 0.0f))
                return false;
    return true;
}

/* Whether the axis is of half of `size` pixels, each of four around it that count 1, 3, 3 and 1, of those inside. */
static bool halves_tent(const struct weft_axis *axis, int64_t size) {
    if (2 * axis->size != size || size < 4)
        return false;
    for (int64_t i = 0; i < axis->size; i++) {
        float parts = i == 0 || i + 1 == axis->size ? 7 : 8;
        for (int32_t k = 0; k < axis->count; k++) {
            int64_t place = axis->first[i] + k - 2 * i;
            float part = place == 0 || place == 1 ? 3 : place == -1 || place == 2 ? 1 : 0;
            if (fabsf(axis->weight[i * axis->count + k] - part / parts) > 1e-7f)
                return false;
        }
    }
    return true;
}

weft_status weft_lower_resample_whole(struct builder *b, int32_t node, const struct whole *image, int32_t *result,
                                      weft_error *error) {
    const struct weft_graph_node *n = &b->typed->graph->nodes[node];
    const weft_image_info *info = &b->typed->info[node];
    weft_type type = info->format.type;
    bool twice = info->width == 2 * image->info.width && info->height == 2 * image->info.height;
    bool half = 2 * info->width == image->info.width && 2 * info->height == image->info.height;
    bool fits = (type == WEFT_U8 || type == WEFT_U16 || type == WEFT_F32) && (twice || half);
    bool tent = half && type != WEFT_F32, other = twice || half;
    int32_t input;
    *result = -1;
    for (int i = 0; i < 2 && fits; i++) {
        enum weft_direction direction = i == 0 ? WEFT_X : WEFT_Y;
        int64_t size = direction == WEFT_X ? image->info.width : image->info.height;
        struct weft_axis axis = {0};
        weft_status status = n->filter->axis(n->block, direction, size, &axis, error);
        if (status != WEFT_OK)
            return status;
        tent = tent && halves_tent(&axis, size);
        other = other && (twice ? doubles(&axis, size) : halves(&axis, size));
        fits = tent || other;
        weft_axis_clear(&axis);
    }
    if (!fits)
        return WEFT_OK;
    enum weft_row_type row_type = type == WEFT_U8 ? WEFT_ROW_U8 : type == WEFT_U16 ? WEFT_ROW_U16 : WEFT_ROW_F32;
    weft_status status = weft_lower_source(b, image, row_type, true, &input, error);
    if (status != WEFT_OK)
        return status;
    struct step step = {.kind = twice  ? &doubling
                                : tent ? &halving_tent
                                       : &halving,
                        .inputs = {input},
                        .input_count = 1,
                        .node = node,
                        .type = b->stage->steps[input].type,
                        .late = twice};
    return weft_stage_add_whole(b, step, result, error);
}
