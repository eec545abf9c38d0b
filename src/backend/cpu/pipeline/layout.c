/* SPDX-License-Identifier: MIT
 * How wide the strips of a stage are, and where everything lies in a lane's memory. */
#include "backend/cpu/pipeline/run.h"
#include "base/status.h"

/* Bytes that a lane's rings should not exceed: a part of a last-level cache. More strips would make rings smaller, but they compute
 * more columns twice and read shorter rows, and most rings take in and give out one row at a time, for which any cache is fast
 * enough. */
#define CACHE_BYTES ((size_t)4 << 20)
#define LEAST_STRIP 256   /* columns */
#define MOST_OVERLAP 1.12 /* columns of all strips together, as a multiple of the image's */
#define SHORT_ROWS_COST 3 /* shorter rows take longer per pixel: counted as this many times the columns that are computed twice */

/* Sets max_columns for a number of strips; returns the columns that all strips of all steps have together. */
static double size_columns(struct stage *stage, int32_t strips, struct lane *lane) {
    double total = 0;
    stage->strips = strips;
    for (int32_t i = 0; i < stage->count; i++)
        stage->steps[i].max_columns = 0;
    for (int32_t k = 0; k < strips; k++) {
        weft_tile_columns(lane, k);
        for (int32_t i = 0; i < stage->count; i++) {
            int64_t columns = lane->end[i] > lane->first[i] ? lane->end[i] - lane->first[i] : 0;
            if (columns > stage->steps[i].max_columns)
                stage->steps[i].max_columns = columns;
            total += (double)columns;
        }
    }
    return total;
}

/* A lane's memory; false when it does not fit the address space. *rows is the part that rings and states take. */
static bool lay_out(struct stage *stage, size_t *rows) {
    size_t at = 0;
    stage->columns_offset = 0;
    at = weft_round_up((size_t)stage->count * 2 * sizeof(int64_t));
    size_t begin = at;
    for (int32_t i = 0; i < stage->count; i++) {
        struct step *step = &stage->steps[i];
        size_t size = weft_step_element(step), plane, ring;
        if (!weft_step_keeps(step)) {
            step->row_bytes = 0;
        } else {
            size_t elements;
            if (!weft_add((size_t)step->max_columns, (size_t)step->pad + 64, &elements) ||
                !weft_multiply(elements, size, &plane) || plane > SIZE_MAX / 4)
                return false;
            step->row_bytes = weft_round_up(plane) + weft_round_up((size_t)step->pad * size);
            /* An odd number of cache lines, so that the same column of many rows spreads over all sets of the cache. */
            step->row_bytes |= 64;
            step->tag_offset = at;
            at += weft_round_up((size_t)step->ring * sizeof(int64_t));
            step->ring_offset = at;
            if (!weft_multiply(step->row_bytes, (size_t)step->planes, &ring) ||
                !weft_multiply(ring, (size_t)step->ring, &ring) || !weft_add(at, ring, &at) || at > SIZE_MAX / 8)
                return false;
        }
        step->state_bytes = 0;
        if (step->kind->state_size)
            step->state_bytes = step->kind->state_size(
                step, step->max_columns, step->input_count > 0 ? stage->steps[step->inputs[0]].max_columns : 0);
        step->state_offset = at;
        if (step->state_bytes > SIZE_MAX / 8 || at > SIZE_MAX / 8)
            return false;
        at += weft_round_up(step->state_bytes);
    }
    stage->lane_bytes = weft_round_up(at) + 64;
    *rows = at - begin;
    return true;
}

bool weft_stage_cut_to_fit(struct stage *stage, int32_t threads, int64_t widest, struct lane *lane) {
    size_t rows = 0;
    double whole = size_columns(stage, 1, lane);
    bool fits = lay_out(stage, &rows);
    for (int32_t strips = 2; fits && rows > CACHE_BYTES && widest / strips >= LEAST_STRIP; strips += 1 + strips / 16) {
        int32_t before = stage->strips;
        if (size_columns(stage, strips, lane) > whole * MOST_OVERLAP) {
            size_columns(stage, before, lane);
            fits = lay_out(stage, &rows);
            break;
        }
        fits = lay_out(stage, &rows);
    }
    int32_t strips = stage->strips, bands = (threads + strips - 1) / strips;
    double twice = (double)stage->lead * (bands - 1) / (double)stage->height;
    if (!fits || twice <= WEFT_MOST_LEAD || widest / threads < LEAST_STRIP)
        return fits;
    if ((size_columns(stage, threads, lane) / whole - 1) * SHORT_ROWS_COST > twice)
        size_columns(stage, strips, lane);
    return lay_out(stage, &rows);
}

int64_t weft_stage_widest(const struct stage *stage) {
    int64_t widest = 1;
    for (int32_t i = 0; i < stage->count; i++)
        if (stage->steps[i].sink && stage->steps[i].width > widest)
            widest = stage->steps[i].width;
    return widest;
}

weft_status weft_stage_cut(struct stage *stage, const struct weft_typed_graph *typed, int32_t strips, double *total,
                           weft_error *error) {
    int64_t *columns = weft_allocate((size_t)stage->count * 2, sizeof *columns);
    struct lane lane = {.stage = stage, .typed = typed, .first = columns, .end = columns + stage->count};
    size_t rows;
    if (!columns)
        return weft_fail_memory(error, (size_t)stage->count * 2 * sizeof *columns, "strips");
    *total = size_columns(stage, strips, &lane);
    bool fits = lay_out(stage, &rows);
    weft_free(columns);
    return fits ? WEFT_OK : weft_fail(error, WEFT_ERROR_MEMORY, "rows of this width and radius do not fit the address space");
}
