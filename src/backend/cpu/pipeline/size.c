/* SPDX-License-Identifier: MIT
 * How many rows each ring keeps, how wide the strips are, and where everything lies in a lane's memory.
 *
 * Rings are sized by walking down the image once without pixels: at each part of the way, which rows of each step are
 * asked for, and in the end how far apart the newest row made and the oldest row still wanted ever are. */
#include <string.h>
#include "backend/cpu/pipeline/run.h"
#include "backend/cpu/pipeline/dry_run.h"
#include "base/status.h"

/* Parts that are walked at each end of a very tall image; in between nothing new happens. */
#define WALK_ALL 65536
#define WALK_END 4096
/* Bytes that a lane's rings should not exceed: a part of a last-level cache. Most rings have a row go in and one go out, which
 * any cache is fast enough for, and narrower strips compute more twice and read shorter rows. */
#define CACHE_BYTES ((size_t)4 << 20)
#define LEAST_STRIP 256   /* columns */
#define MOST_OVERLAP 1.12 /* columns of all strips to those of the whole */
#define MOST_LEAD 0.05    /* rows that bands make twice, to the height */
#define SHORT_ROWS_COST 3 /* times what is made twice: shorter rows take longer by the pixel */

static int64_t longer(int64_t a, int64_t b) { return a > b ? a : b; }

struct rings {
    struct walk walk;
    int64_t *low, *high;       /* asked of each step in each part */
    int64_t *scratch;
    int64_t columns; /* room for each step: parts, or the rows of the tallest step */
};

static void walk_part(struct rings *w, int64_t part, int64_t slot) {
    const struct stage *stage = w->walk.stage;
    weft_walk_part(&w->walk, part);
    for (int32_t i = 0; i < stage->count; i++) {
        w->low[(int64_t)i * w->columns + slot] = w->walk.now[i].low;
        w->high[(int64_t)i * w->columns + slot] = w->walk.now[i].high;
    }
}

/* Newest row made minus oldest row still wanted, at its largest, over parts [from, to); walking up as well as down. */
static int64_t spread(const int64_t *low, const int64_t *high, int64_t from, int64_t to, int64_t *scratch) {
    int64_t down = 1, up = 1, wanted = INT64_MAX, reached = INT64_MIN;
    for (int64_t p = to - 1; p >= from; p--) { /* scratch: the lowest row wanted from p on */
        wanted = low[p] < wanted ? low[p] : wanted;
        scratch[p - from] = wanted;
    }
    for (int64_t p = from; p < to; p++) {
        reached = high[p] > reached ? high[p] : reached;
        if (reached != INT64_MIN && scratch[p - from] != INT64_MAX && reached - scratch[p - from] + 1 > down)
            down = reached - scratch[p - from] + 1;
    }
    wanted = INT64_MIN, reached = INT64_MAX;
    for (int64_t p = to - 1; p >= from; p--) {
        wanted = high[p] > wanted ? high[p] : wanted;
        scratch[p - from] = wanted;
    }
    for (int64_t p = from; p < to; p++) {
        reached = low[p] < reached ? low[p] : reached;
        if (reached != INT64_MAX && scratch[p - from] != INT64_MIN && scratch[p - from] - reached + 1 > up)
            up = scratch[p - from] - reached + 1;
    }
    return down < up ? down : up;
}

/* For a step that only one other reads: that one takes its rows one after the other, whatever part they belong to. Reuses
 * the step's columns of the walk. */
static int64_t spread_of_consumer(const struct stage *stage, const struct step *consumer, int32_t slot, struct rings *w,
                                  int32_t i) {
    int64_t *low = w->low + i * w->columns, *high = w->high + i * w->columns, most = 1;
    int64_t count = consumer->height < w->columns ? consumer->height : w->columns;
    /* A tall consumer is looked at in two runs of rows, from the top and to the bottom. */
    int64_t runs[2][2] = {{0, count}, {consumer->height - count, consumer->height}};
    for (int r = 0; r < (count < consumer->height ? 2 : 1); r++) {
        for (int64_t v = runs[r][0]; v < runs[r][1]; v++) {
            struct interval rows = weft_step_reads(stage, consumer, slot, v);
            low[v - runs[r][0]] = consumer->kind->folds ? rows.high : rows.low;
            high[v - runs[r][0]] = rows.high;
        }
        most = longer(most, spread(low, high, 0, count, w->scratch));
    }
    return count < consumer->height && consumer->kind->rows ? most + 2 : most; /* what lies between may come to a little more */
}

/* The most rows of input `slot` that one row of the step reads. */
static int64_t rows_at_once(const struct stage *stage, const struct step *step, int32_t slot) {
    int64_t most = 1;
    for (int64_t y = 0; step->kind->rows && y < step->height; y++) {
        if (y == WALK_END && step->height > WALK_ALL)
            y = step->height - WALK_END;
        struct interval rows = weft_step_reads(stage, step, slot, y);
        most = longer(most, rows.high - rows.low + 1);
    }
    return most;
}

static weft_status size_rings(struct stage *stage, weft_error *error) {
    int64_t parts = stage->height > WALK_ALL ? 2 * WALK_END : stage->height, count = stage->count;
    struct rings w;
    weft_status status = weft_walk_open(&w.walk, stage, error);
    if (status != WEFT_OK)
        return status;
    w.columns = parts;
    for (int32_t i = 0; i < count; i++)
        w.columns = longer(w.columns, stage->steps[i].height > WALK_ALL ? 2 * WALK_END : stage->steps[i].height);
    size_t room = (size_t)count * (size_t)w.columns;
    w.scratch = weft_allocate((size_t)w.columns, sizeof *w.scratch);
    w.low = weft_allocate(room, sizeof *w.low);
    w.high = weft_allocate(room, sizeof *w.high);
    if (!w.scratch || !w.low || !w.high) {
        status = weft_fail_memory(error, room * 2 * sizeof *w.low, "planning");
        goto done;
    }
    for (int64_t slot = 0; slot < parts; slot++) {
        bool tail = parts < stage->height && slot >= WALK_END;
        if (slot == 0 || (tail && slot == WALK_END))
            weft_walk_restart(&w.walk);
        walk_part(&w, tail ? stage->height - parts + slot : slot, slot);
    }
    for (int32_t i = 0; i < count; i++) {
        struct step *step = &stage->steps[i];
        const int64_t *low = w.low + i * w.columns, *high = w.high + i * w.columns;
        int32_t consumers = 0, consumer = -1, slot = 0;
        if (step->sink)
            continue;
        for (int32_t c = i + 1; c < count; c++)
            for (int32_t k = 0; k < stage->steps[c].input_count; k++)
                if (stage->steps[c].inputs[k] == i)
                    consumers++, consumer = c, slot = k;
        if (consumers == 1)
            step->ring = spread_of_consumer(stage, &stage->steps[consumer], slot, &w, i);
        else if (parts == stage->height)
            step->ring = spread(low, high, 0, parts, w.scratch);
        else
            step->ring = longer(spread(low, high, 0, WALK_END, w.scratch), spread(low, high, WALK_END, parts, w.scratch)) + 2;
    }
    /* Never less than one row of a consumer needs at once. */
    for (int32_t i = 0; i < count; i++)
        for (int32_t k = 0; k < stage->steps[i].input_count && !stage->steps[i].kind->folds; k++) {
            struct step *input = &stage->steps[stage->steps[i].inputs[k]];
            input->ring = longer(input->ring, rows_at_once(stage, &stage->steps[i], k));
        }
done:
    weft_free(w.scratch);
    weft_walk_close(&w.walk);
    weft_free(w.low);
    weft_free(w.high);
    return status;
}

/* ---- columns */

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

/* More strips until the rings fit the cache, as long as what neighbours compute twice stays small; then as many as there are
 * threads, where bands of rows would compute more twice. False when a lane's memory does not fit the address space. */
static bool cut_into_strips(struct stage *stage, int32_t threads, int64_t widest, struct lane *lane) {
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
    if (!fits || twice <= MOST_LEAD || widest / threads < LEAST_STRIP)
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

/* For each thread, so that all end at about the same time. */
#define GROUPS_A_THREAD 4

/* Rows of a direct source cost nothing to fetch again, but reductions of all of them share their way through the caches. */
static void group_reductions(struct stage *stage, int32_t threads) {
    bool apart = stage->strips == 1;
    stage->sinks = stage->groups = 0;
    for (int32_t i = 0; i < stage->count; i++) {
        const struct step *step = &stage->steps[i];
        int32_t readers = 0;
        for (int32_t j = i + 1; j < stage->count; j++)
            for (int32_t k = 0; k < stage->steps[j].input_count; k++)
                readers += stage->steps[j].inputs[k] == i && (!step->direct || stage->steps[j].sink);
        apart = apart && (step->sink ? step->node >= 0 : readers <= 1);
        stage->sinks += step->sink;
    }
    if (apart && stage->sinks >= (int64_t)GROUPS_A_THREAD * threads)
        stage->groups = GROUPS_A_THREAD * threads;
}

weft_status weft_stage_size(struct stage *stage, const struct cpu_device *device, const struct weft_typed_graph *typed,
                            weft_error *error) {
    weft_status status;
    int64_t *columns = weft_allocate((size_t)stage->count * 2, sizeof *columns);
    struct lane lane = {.stage = stage, .typed = typed, .first = columns, .end = columns + stage->count};
    if (!columns)
        return weft_fail_memory(error, (size_t)stage->count * 2 * sizeof *columns, "planning");
    stage->height = 1;
    for (int32_t i = 0; i < stage->count; i++)
        if (stage->steps[i].sink && stage->steps[i].height > stage->height)
            stage->height = stage->steps[i].height;
    int64_t widest = weft_stage_widest(stage);
    status = size_rings(stage, error);
    if (status != WEFT_OK)
        goto done;
    stage->lead = 0;
    for (int32_t i = 0; i < stage->count; i++) {
        const struct step *step = &stage->steps[i];
        int64_t rows = step->ring; /* what a step folds into its state leaves no ring, but begins with as many rows */
        for (int32_t k = 0; k < step->input_count && step->kind->folds; k++)
            rows = longer(rows, rows_at_once(stage, step, k));
        int64_t lead = step->sink ? 0 : rows * stage->height / step->height + 1;
        stage->lead = lead > stage->lead ? lead : stage->lead;
    }
    if (!cut_into_strips(stage, device->threads, widest, &lane)) {
        status = weft_fail(error, WEFT_ERROR_MEMORY, "rows of this width and radius do not fit the address space");
        goto done;
    }
    stage->bands = 1;
    if (device->threads > 1) {
        int64_t bands = stage->height / (4 * stage->lead > 16 ? 4 * stage->lead : 16);
        int64_t most = device->threads * 4, least = (device->threads + stage->strips - 1) / stage->strips;
        if (least == 1 && (double)stage->lead / (double)stage->height > MOST_LEAD)
            most = 1; /* strips are enough */
        bands = bands > most ? most : bands < least ? least : bands;
        while (bands > least && bands * stage->strips % device->threads != 0) /* so that all end at once */
            bands--;
        stage->bands = (int32_t)(bands > stage->height ? stage->height : bands);
    }
    group_reductions(stage, device->threads);
done:
    weft_free(columns);
    return status;
}
