/* SPDX-License-Identifier: MIT
 * Pulling rows: rings with tags, borders above and below by choice of row, borders left and right by pads. */
#include "backend/cpu/pipeline/pipeline.h"
#include <string.h>
#include "backend/cpu/pipeline/dry_run.h"
#include "backend/cpu/pipeline/source_sink.h"
#include "backend/cpu/pipeline/run.h"
#include "backend/cpu/pipeline/spill.h"

void *weft_lane_state(struct lane *lane, const struct step *step) { return lane->memory + step->state_offset; }

const void *weft_lane_block(const struct lane *lane, const struct step *step) { return lane->run->blocks[step->node]; }

/* A step's border_value, 0 without a node. */
static float pad_value(const struct lane *lane, const struct step *step) {
    if (step->pad_node < 0)
        return 0;
    return weft_filter_border_value(lane->typed->graph->nodes[step->pad_node].filter, lane->run->blocks[step->pad_node]);
}

/* Where the row in a slot of the step's ring begins, past the pads. */
static struct row slot_row(const struct lane *lane, const struct step *step, int64_t slot) {
    struct row row = {{NULL}};
    size_t pad = (size_t)step->pad * weft_row_type_size(step->type);
    unsigned char *base = lane->memory + step->ring_offset + (size_t)slot * (size_t)step->planes * step->row_bytes;
    for (int32_t k = 0; k < step->planes; k++)
        row.plane[k] = base + (size_t)k * step->row_bytes + weft_round_up(pad);
    return row;
}

/* Row y from the ring, where it is row v, made where it is not there. */
static struct row fetch_made(struct lane *lane, int32_t input, int64_t v, int64_t y) {
    const struct step *step = &lane->stage->steps[input];
    int64_t slot = weft_border_modulo(v, step->ring);
    int64_t *tags = (int64_t *)(void *)(lane->memory + step->tag_offset);
    struct row row = slot_row(lane, step, slot);
    if (lane->run->spill) /* rings may lie in a file, and one part of the stage may read all rows of one */
        weft_spill_look(lane->run, (int64_t)step->row_bytes * step->planes);
    if (tags[slot] == v)
        return row;
    tags[slot] = INT64_MIN; /* while the row is being made, the slot holds neither the old row nor the new one */
    /* The first row of a pass may need hundreds of rows of each earlier step. They count as that much work, so that the caller is
     * asked in time whether to go on. */
    if (weft_lane_stops(lane, (lane->end[input] - lane->first[input]) * step->planes * (step->work > 0 ? step->work : 1)))
        return row;
    if (lane->stage->ordered)
        weft_lane_gather(lane, step, y);
    step->kind->run(lane, step, y, &row);
    if (lane->run->spill) /* making the row may have read as many bytes of tiles, or more */
        weft_spill_look(lane->run, (int64_t)step->row_bytes * step->planes);
    if (step->pad > 0) {
        int64_t columns = lane->end[input] - lane->first[input];
        bool left = lane->first[input] == 0, right = lane->end[input] == step->width;
        for (int32_t k = 0; (left || right) && k < step->planes; k++)
            weft_pad_row(step->type, row.plane[k], step->interleave, columns, step->pad, step->pad_border,
                         pad_value(lane, step), left, right);
    }
    tags[slot] = v;
    return row;
}

int32_t weft_gather_next(const struct step *step, int32_t before) {
    int32_t last = -1;
    for (int32_t k = 0; k < step->input_count; k++)
        if (step->inputs[k] < before && step->inputs[k] > last)
            last = step->inputs[k];
    return last;
}

void weft_lane_gather(struct lane *lane, const struct step *step, int64_t y) {
    const struct stage *stage = lane->stage;
    for (int32_t i = weft_gather_next(step, stage->count); i >= 0; i = weft_gather_next(step, i)) {
        const struct step *input = &stage->steps[i];
        for (int32_t k = 0; k < step->input_count && !input->direct; k++) {
            if (step->inputs[k] != i)
                continue;
            struct interval rows = weft_step_reads(stage, step, k, y);
            for (int64_t v = rows.low; v <= rows.high; v++) {
                if (weft_step_within(input))
                    weft_lane_gather(lane, input, v);
                else
                    (void)weft_lane_fetch(lane, i, v);
            }
        }
    }
}

struct row weft_lane_fetch(struct lane *lane, int32_t input, int64_t v) {
    const struct step *step = &lane->stage->steps[input];
    int64_t y = v >= 0 && v < step->height ? v : weft_border_modulo(v, step->height);
    return step->direct ? weft_source_row(lane, step, y) : fetch_made(lane, input, v, y);
}

struct row weft_lane_fetch_border(struct lane *lane, int32_t input, int64_t y, weft_border border) {
    int64_t height = lane->stage->steps[input].height;
    if (border == WEFT_BORDER_WRAP || (y >= 0 && y < height))
        return weft_lane_fetch(lane, input, y);
    y = weft_border_map(y, height, border);
    return y < 0 ? (struct row){{NULL}} : weft_lane_fetch(lane, input, y);
}

void weft_lane_fetch_rows(struct lane *lane, int32_t input, int64_t y, int32_t count, weft_border border,
                          struct row *rows) {
    const struct step *step = &lane->stage->steps[input];
    if (y < 0 || y + count > step->height) {
        /* First the rows inside the image, from top to bottom: in that order each row of earlier steps is made once. */
        for (int64_t v = y < 0 ? 0 : y; v < y + count && v < step->height; v++)
            (void)weft_lane_fetch(lane, input, v);
        for (int32_t k = 0; k < count; k++)
            rows[k] = weft_lane_fetch_border(lane, input, y + k, border);
        return;
    }
    if (step->direct) {
        weft_source_rows(lane, step, y, count, rows);
        return;
    }
    const int64_t *tags = (const int64_t *)(const void *)(lane->memory + step->tag_offset);
    int64_t slot = weft_border_modulo(y, step->ring);
    struct row row = slot_row(lane, step, 0);
    size_t bytes = (size_t)step->planes * step->row_bytes;
    if (lane->run->spill)
        weft_spill_look(lane->run, count * (int64_t)bytes);
    for (int32_t k = 0; k < count; k++) {
        if (tags[slot] == y + k)
            for (int32_t p = 0; p < step->planes; p++)
                rows[k].plane[p] = (unsigned char *)row.plane[p] + (size_t)slot * bytes;
        else
            rows[k] = weft_lane_fetch(lane, input, y + k);
        slot = slot + 1 < step->ring ? slot + 1 : 0;
    }
}

void weft_rows_around(int64_t y, int64_t radius, int64_t height, weft_border border, int64_t *first, int64_t *last) {
    *first = y - radius, *last = y + radius;
    if (border == WEFT_BORDER_WRAP)
        return;
    /* Mirrored rows lie within the radius of y too, on its other side. */
    *first = *first < 0 ? 0 : *first;
    *last = *last > height - 1 ? height - 1 : *last;
}

void weft_columns_around(int64_t x0, int64_t x1, int64_t radius, int64_t width, weft_border border, int64_t *first,
                         int64_t *end) {
    if (border == WEFT_BORDER_WRAP && radius > 0) {
        *first = 0, *end = width;
        return;
    }
    *first = x0 - radius < 0 ? 0 : x0 - radius;
    *end = x1 + radius > width ? width : x1 + radius;
}

/* Element k of a pad, counted from the image's edge, is element from + k * step of the row. */
struct pad_source {
    int64_t from, step;
};

/* Returns the source of the pad whose first two places are `first` and `second`. The pad must not be longer than the row. from
 * is -1 for borders that have no source there. */
static struct pad_source pad_source(int64_t first, int64_t second, int64_t width, weft_border border) {
    int64_t from = weft_border_map(first, width, border);
    return (struct pad_source){from, weft_border_map(second, width, border) - from};
}

/* Element k of a pad goes to to[k * direction], from a row that has the elements of type T. Loops of constant steps are what
 * compilers make vectors of. */
#define FILL(T)                                                                                                        \
    static inline void fill_##T(T *to, int direction, const T *from, int64_t step, int64_t pad) {                      \
        if (step == 0)                                                                                                 \
            for (int64_t n = 0; n < pad; n++)                                                                          \
                to[n * direction] = from[0];                                                                           \
        else if (step == direction)                                                                                    \
            memcpy(direction < 0 ? to - (pad - 1) : to, direction < 0 ? from - (pad - 1) : from, (size_t)pad * sizeof *to); \
        else                                                                                                           \
            for (int64_t n = 0; n < pad; n++)                                                                          \
                to[n * direction] = from[n * step];                                                                    \
    }
FILL(uint16_t)
FILL(uint32_t)
FILL(uint64_t)
/* Mirrored bytes are reversed eight at a time. */
static inline void fill_uint8_t(uint8_t *to, int direction, const uint8_t *from, int64_t step, int64_t pad) {
    int64_t n = 0;
    for (uint64_t eight; step == -direction && n + 8 <= pad; n += 8) {
        memcpy(&eight, step > 0 ? from + n : from - n - 7, sizeof eight);
        eight = __builtin_bswap64(eight);
        memcpy(direction > 0 ? to + n : to - n - 7, &eight, sizeof eight);
    }
    for (; n < pad; n++)
        to[n * direction] = from[n * step];
}

/* The pads of a row of elements of `size` bytes, each as long as the row or shorter. */
static void near_pads(void *row, size_t size, int64_t width, int64_t pad, struct pad_source before,
                      struct pad_source after, bool left, bool right) {
#define ELEMENTS(T)                                                                                                    \
    case sizeof(T):                                                                                                    \
        if (left)                                                                                                      \
            fill_##T((T *)row - 1, -1, (T *)row + before.from, before.step, pad);                                      \
        if (right)                                                                                                     \
            fill_##T((T *)row + width, 1, (T *)row + after.from, after.step, pad);                                     \
        break;
/* Elements of a size that no integer type has. */
#define PIECES(size)                                                                                                   \
    for (int64_t n = 0; n < pad && left; n++)                                                                          \
        memcpy((char *)row - (n + 1) * (int64_t)(size), (char *)row + (before.from + n * before.step) * (int64_t)(size), size); \
    for (int64_t n = 0; n < pad && right; n++)                                                                         \
        memcpy((char *)row + (width + n) * (int64_t)(size), (char *)row + (after.from + n * after.step) * (int64_t)(size), size);
#define ITEMS(size)                                                                                                    \
    case size: PIECES(size) break;
    switch (size) {
        ELEMENTS(uint8_t)
        ELEMENTS(uint16_t)
        ELEMENTS(uint32_t)
        ELEMENTS(uint64_t)
        ITEMS(3)
        ITEMS(6)
        ITEMS(12)
        ITEMS(16)
    default: PIECES(size) break;
    }
#undef ITEMS
#undef PIECES
#undef ELEMENTS
}

/* Any pads of a row of elements of type T. */
#define PAD(T, VALUE)                                                                                                  \
    {                                                                                                                  \
        T *in = row, outside = (VALUE);                                                                                \
        for (int64_t n = 0; n < 2 * pad; n++) {                                                                        \
            if (n < pad ? !left : !right)                                                                              \
                continue;                                                                                              \
            int64_t i = n < pad ? n - pad : width + n - pad, from = weft_border_map(i, width, border);                 \
            for (int32_t k = 0; k < interleave; k++)                                                                   \
                in[i * interleave + k] = from < 0 ? outside : in[from * interleave + k];                               \
        }                                                                                                              \
    }

/* Where only a strip of a row is there, it has the neighbourhood of one edge. That is enough: no border looks farther but wrap, for
 * which the whole row is always there. */
void weft_pad_row(enum weft_row_type type, void *row, int32_t interleave, int64_t width, int64_t pad,
                  weft_border border, float value, bool left, bool right) {
    float limited = value > 0 ? (value < 1 ? value : 1) : 0;
    struct pad_source before = pad_source(-1, -2, width, border), after = pad_source(width, width + 1, width, border);
    if (pad < width && before.from >= 0) {
        near_pads(row, weft_row_type_size(type) * (size_t)interleave, width, pad, before, after, left, right);
        return;
    }
    switch (type) {
    case WEFT_ROW_U8: PAD(uint8_t, (uint8_t)(limited * 255.0f + 0.5f)) break;
    case WEFT_ROW_U16: PAD(uint16_t, (uint16_t)(limited * 65535.0f + 0.5f)) break;
    default: PAD(float, value) break;
    }
}

/* ---- the walk over one tile */

void weft_tile_columns(struct lane *lane, int32_t strip) {
    const struct stage *stage = lane->stage;
    for (int32_t i = 0; i < stage->count; i++) {
        const struct step *step = &stage->steps[i];
        lane->first[i] = INT64_MAX, lane->end[i] = 0;
        if (step->sink) {
            lane->first[i] = weft_strip_edge(step->width, strip, stage->strips);
            lane->end[i] = weft_strip_edge(step->width, strip + 1, stage->strips);
        }
    }
    for (int32_t i = stage->count - 1; i >= 0; i--) {
        const struct step *step = &stage->steps[i];
        if (lane->first[i] >= lane->end[i])
            continue;
        for (int32_t k = 0; k < step->input_count; k++) {
            int64_t first = lane->first[i], end = lane->end[i];
            int32_t in = step->inputs[k];
            if (step->kind->columns)
                step->kind->columns(step, k, first, end, &first, &end);
            lane->first[in] = first < lane->first[in] ? first : lane->first[in];
            lane->end[in] = end > lane->end[in] ? end : lane->end[in];
        }
    }
}

void weft_tile_begin(struct lane *lane, int32_t strip) {
    const struct stage *stage = lane->stage;
    weft_tile_columns(lane, strip);
    /* Memory that is touched for the first time is cleared by the system, 2 MB for a byte. */
    for (int32_t i = 0; i < stage->count && !weft_lane_stops(lane, WEFT_LANE_WORK); i++) {
        const struct step *step = &stage->steps[i];
        int64_t *tags = (int64_t *)(void *)(lane->memory + step->tag_offset);
        if (weft_step_keeps(step))
            for (int64_t k = 0; k < step->ring; k++)
                tags[k] = INT64_MIN;
        if (step->kind->begin)
            step->kind->begin(lane, step);
        else if (step->state_bytes > 0)
            memset(lane->memory + step->state_offset, 0, step->state_bytes);
    }
}

void weft_tile_resume(struct lane *lane) {
    const struct stage *stage = lane->stage;
    for (int32_t i = 0; i < stage->count; i++)
        if (stage->steps[i].kind->looks_up)
            stage->steps[i].kind->begin(lane, &stage->steps[i]);
}
