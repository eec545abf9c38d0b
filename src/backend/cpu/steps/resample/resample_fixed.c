/* SPDX-License-Identifier: MIT
 * Resampling from an image of u8 to another in integers and on interleaved pixels, where the width is divided by a whole number:
 * first down the columns, into pixels of 16 bits. Of these, pixels that are `advance` apart are put side by side, so that along x
 * an output row is a weighted sum of rows too. */
#include "backend/cpu/steps/lower.h"
#include "backend/cpu/pipeline/source_sink.h"
#include "backend/cpu/steps/resample/resample_fixed.h"
#include "backend/cpu/pipeline/run.h"
#include "base/memory.h"
#include "base/status.h"

#define PIECE 512        /* pixels between the two steps along a row */
#define MOST_ADVANCE 64  /* rows of pixels that many apart */
#define DIRECT_ROWS 13   /* so many rows of an image fit the sets of a cache that they may meet in */
#define SHORT_ROWS 16384 /* more rows than that fit too where they have at most so many bytes together */

struct fixed_resample {
    struct resample_fixed_axis x, y;
};

static void rows(const struct step *step, int i, int64_t y, int64_t *first, int64_t *last) {
    const struct resample_table *table = &((const struct fixed_resample *)step->data)->y.table;
    (void)i;
    *first = table->first[y], *last = *first + table->count[y] - 1;
}

static void columns(const struct step *step, int i, int64_t x0, int64_t x1, int64_t *first, int64_t *end) {
    const struct fixed_resample *data = step->data;
    (void)i;
    weft_resample_hull(&data->x.table, x0, x1, first, end);
}

/* What every row of a tile has in common: where the columns that it needs begin and end, and the outputs low .. high between
 * those that have weights of their own. */
struct begun {
    int64_t first, end, low, high;
};

/* The state: that, input rows, taps along x of each output with weights of its own and of the others together, pixels between
 * the steps, and the rows of those `advance` apart. */
struct parts {
    struct begun *begun;
    struct row *fetched;
    const uint8_t **rows;
    const int16_t **taps;
    int16_t *piece, *apart;
    size_t stride; /* of the rows in `apart`, in numbers */
    size_t bytes;
};

static struct parts lay_out(const struct step *step, unsigned char *state, int64_t in_columns) {
    const struct fixed_resample *data = step->data;
    size_t begun_size = weft_round_up(sizeof(struct begun));
    size_t fetched_size = weft_round_up((size_t)data->y.taps * sizeof(struct row));
    size_t rows_size = weft_round_up((size_t)data->y.taps * sizeof(uint8_t *));
    size_t own = (size_t)(data->x.low + step->width - data->x.high);
    size_t taps_size = weft_round_up((own + 1) * (size_t)data->x.taps * sizeof(int16_t *));
    size_t pixel = (size_t)step->interleave * sizeof(int16_t), piece_size = weft_round_up(PIECE * pixel);
    size_t row = weft_round_up(((size_t)in_columns / (size_t)data->x.advance + 1) * pixel);
    size_t before = begun_size + fetched_size + rows_size + taps_size;
    struct parts parts = {.stride = row / sizeof(int16_t), .bytes = before + piece_size + (size_t)data->x.advance * row};
    if (state) {
        parts.begun = (struct begun *)(void *)state;
        parts.fetched = (struct row *)(void *)(state + begun_size);
        parts.rows = (const uint8_t **)(void *)(state + begun_size + fetched_size);
        parts.taps = (const int16_t **)(void *)(state + begun_size + fetched_size + rows_size);
        parts.piece = (int16_t *)(void *)(state + before);
        parts.apart = (int16_t *)(void *)(state + before + piece_size);
    }
    return parts;
}

static size_t state_size(const struct step *step, int64_t columns_, int64_t in_columns) {
    (void)columns_;
    return lay_out(step, NULL, in_columns).bytes;
}

static int64_t limited(int64_t v, int64_t low, int64_t high) { return v < low ? low : v > high ? high : v; }

/* Where the taps of output x are in `apart`. */
static void place_taps(const struct step *step, const struct parts *parts, int64_t x, const int16_t **taps) {
    const struct fixed_resample *data = step->data;
    int32_t advance = data->x.advance, count = data->x.table.count[x];
    for (int32_t k = 0; k < data->x.taps; k++) {
        int64_t place = data->x.table.first[x] + (k < count ? k : count - 1) - parts->begun->first;
        taps[k] = parts->apart + (size_t)(place % advance) * parts->stride + place / advance * step->interleave;
    }
}

static struct parts parts_of(struct lane *lane, const struct step *step) {
    return lay_out(step, weft_lane_state(lane, step), lane->stage->steps[step->inputs[0]].max_columns);
}

static void begin(struct lane *lane, const struct step *step) {
    const struct fixed_resample *data = step->data;
    const struct parts parts = parts_of(lane, step);
    struct begun *begun = parts.begun;
    const int16_t **taps = parts.taps;
    int64_t x0 = weft_lane_first(lane, step), x1 = weft_lane_end(lane, step);
    if (x0 >= x1)
        return;
    columns(step, 0, x0, x1, &begun->first, &begun->end);
    begun->low = limited(data->x.low, x0, x1);
    begun->high = limited(data->x.high, begun->low, x1);
    for (int64_t x = x0; x < x1; x = x == begun->low && x < begun->high ? begun->high : x + 1, taps += data->x.taps)
        place_taps(step, &parts, x, taps);
}

/* Columns of the input at output row y, `advance` apart. */
static void sum_columns(struct lane *lane, const struct step *step, const struct parts *parts, int64_t y) {
    const struct fixed_resample *data = step->data;
    const struct resample_table *table = &data->y.table;
    const struct weft_fixed_sum sum = weft_resample_fixed_sum(&data->y, y);
    int32_t input = step->inputs[0], advance = data->x.advance, channels = step->interleave, rows_there = table->count[y];
    int64_t piece = PIECE / advance * advance, first = parts->begun->first, end = parts->begun->end;
    int16_t *apart[MOST_ADVANCE];
    weft_lane_fetch_rows(lane, input, table->first[y], rows_there, WEFT_BORDER_REPLICATE, parts->fetched);
    for (int32_t k = 0; k < sum.taps; k++)
        parts->rows[k] = (const uint8_t *)parts->fetched[k < rows_there ? k : rows_there - 1].plane[0] +
                         (first - lane->first[input]) * channels;
    for (int32_t i = 0; i < advance; i++)
        apart[i] = parts->apart + (size_t)i * parts->stride;
    for (int64_t x = 0; x < end - first; x += piece) {
        int64_t count = end - first - x < piece ? end - first - x : piece;
        lane->kernels->sum_columns_fixed(parts->rows, &sum, parts->piece, (int)(count * channels));
        lane->kernels->take_u16(parts->piece, channels, advance, apart, (int)count);
        for (int32_t k = 0; k < sum.taps; k++)
            parts->rows[k] += count * channels;
        for (int32_t i = 0; i < advance; i++)
            apart[i] += piece / advance * channels;
    }
}

static void run(struct lane *lane, const struct step *step, int64_t y, const struct row *out) {
    const struct fixed_resample *data = step->data;
    int64_t x0 = weft_lane_first(lane, step), x1 = weft_lane_end(lane, step);
    const struct parts parts = parts_of(lane, step);
    sum_columns(lane, step, &parts, y);
    uint8_t *to = out->plane[0];
    const int16_t **taps = parts.taps;
    for (int64_t x = x0, next; x < x1; x = next, taps += data->x.taps) {
        const struct weft_fixed_sum sum = weft_resample_fixed_sum(&data->x, x);
        next = x == parts.begun->low && x < parts.begun->high ? parts.begun->high : x + 1;
        lane->kernels->sum_row_fixed(taps, &sum, to, (int)((next - x) * step->interleave));
        to += (next - x) * step->interleave;
    }
}

static void destroy(void *data) {
    struct fixed_resample *f = data;
    weft_resample_fixed_clear(&f->x);
    weft_resample_fixed_clear(&f->y);
    weft_free(f);
}
static const struct step_kind kind = {
    .name = "resample", .rows = rows, .columns = columns, .state_size = state_size, .begin = begin, .run = run,
    .destroy = destroy};

/* The tables of both axes, or *fits false. */
static weft_status make_tables(const struct weft_graph_node *n, const weft_image_info *info, struct fixed_resample *f,
                               bool *fits, weft_error *error) {
    weft_border border = weft_filter_border(n->filter, n->block);
    weft_status status = WEFT_OK;
    for (int i = 0; i < 2 && status == WEFT_OK; i++) {
        enum weft_direction direction = i == 0 ? WEFT_X : WEFT_Y;
        int64_t size = direction == WEFT_X ? info->width : info->height;
        struct weft_axis axis = {0};
        status = n->filter->axis(n->block, direction, size, &axis, error);
        if (status == WEFT_OK)
            status = weft_resample_table(&axis, size, border, i == 0 ? &f->x.table : &f->y.table, error);
    }
    if (status == WEFT_OK && !(f->x.table.move && f->y.table.move))
        status = weft_resample_fixed_weights(&f->x, &f->y, fits, error);
    return status;
}

weft_status weft_lower_resample_fixed(struct builder *b, int32_t node, const struct whole *image, int32_t *result,
                                      weft_error *error) {
    const struct weft_graph_node *n = &b->typed->graph->nodes[node];
    bool fits = false;
    int32_t input;
    *result = -1;
    if (image->info.format.type != WEFT_U8)
        return WEFT_OK;
    struct fixed_resample *f = weft_allocate(1, sizeof *f);
    if (!f)
        return weft_fail_memory(error, sizeof *f, "a resampling");
    weft_status status = make_tables(n, &image->info, f, &fits, error);
    fits = fits && f->x.advance <= MOST_ADVANCE;
    if (status == WEFT_OK && fits)
        status = weft_lower_source(b, image, WEFT_ROW_U8, true, &input, error);
    if (status != WEFT_OK || !fits) {
        destroy(f);
        return status;
    }
    struct step *source = &b->stage->steps[input];
    if (f->y.taps > DIRECT_ROWS && source->width * (int64_t)weft_step_element(source) * f->y.taps > SHORT_ROWS)
        source->direct = false;
    struct step step = {
        .kind = &kind, .inputs = {input}, .input_count = 1, .node = node, .data = f, .type = WEFT_ROW_U8};
    return weft_stage_add_whole(b, step, result, error);
}
