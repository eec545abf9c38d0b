/* SPDX-License-Identifier: MIT
 * How many rows each ring of a stage keeps, and how many strips and bands it is cut into.
 *
 * Rings are sized by walking down the image once without pixels: at each part of the way, which rows of each step are
 * asked for, and in the end how far apart the newest row made and the oldest row still wanted ever are. Rows of one part may be
 * made in any order, so in a long chain that forks and joins again that is as many rows as the chain is long. A fixed order takes
 * fewer rows there (row_order.h). */
#include "backend/cpu/pipeline/run.h"
#include "backend/cpu/pipeline/dry_run.h"
#include "backend/cpu/plan/row_order.h"
#include "base/status.h"

/* Parts that are walked at each end of a very tall image; the rows between them are like these. */
#define WALK_ALL 65536
#define WALK_END 4096
/* Rows of a ring beside those that it takes in the fixed order. */
#define SPARE 1

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

/* For a step that only one other step reads, which takes its rows in order, whatever part they belong to. Reuses the step's columns
 * of the walk. */
static int64_t spread_of_consumer(const struct stage *stage, const struct step *consumer, int32_t slot, struct rings *w,
                                  int32_t i) {
    int64_t *low = w->low + i * w->columns, *high = w->high + i * w->columns, most = 1;
    int64_t count = consumer->height < w->columns ? consumer->height : w->columns;
    /* Of a tall consumer the first and the last rows are walked. */
    int64_t runs[2][2] = {{0, count}, {consumer->height - count, consumer->height}};
    for (int r = 0; r < (count < consumer->height ? 2 : 1); r++) {
        for (int64_t v = runs[r][0]; v < runs[r][1]; v++) {
            struct interval rows = weft_step_reads(stage, consumer, slot, v);
            low[v - runs[r][0]] = consumer->kind->folds ? rows.high : rows.low;
            high[v - runs[r][0]] = rows.high;
        }
        most = longer(most, spread(low, high, 0, count, w->scratch));
    }
    return count < consumer->height && consumer->kind->rows ? most + 2 : most; /* rows between them may need a little more */
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
        /* A band begins with as many rows as its first part reaches to one side. */
        for (int32_t i = 0; i < count && slot == 0; i++) {
            struct interval now = w.walk.now[i];
            if (now.low <= now.high)
                stage->lead = longer(stage->lead, (now.high - now.low + 1) * stage->height / stage->steps[i].height);
        }
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

/* Takes the fixed order of rows where its rings hold less than half of the bytes: few graphs are so deep. */
static weft_status order_rows(struct stage *stage, weft_error *error) {
    size_t count = (size_t)stage->count;
    bool forks = false;
    for (int32_t i = 0; i < stage->count; i++)
        forks = forks || (weft_step_keeps(&stage->steps[i]) && weft_stage_readers(stage, i) > 1);
    stage->ordered = false;
    if (!forks)
        return WEFT_OK;
    int64_t *rings = weft_allocate(count * 3, sizeof *rings);
    double any = 0, fixed = 0;
    if (!rings)
        return weft_fail_memory(error, count * 3 * sizeof *rings, "planning");
    bool possible = weft_fixed_order_rings(stage, rings, rings + count);
    for (int32_t i = 0; i < stage->count; i++) {
        const struct step *step = &stage->steps[i];
        double row = weft_step_keeps(step) ? (double)step->width * step->planes * (double)weft_step_element(step) : 0;
        rings[i] = rings[i] + SPARE < step->ring ? rings[i] + SPARE : step->ring;
        any += row * (double)step->ring, fixed += row * (double)rings[i];
    }
    stage->ordered = possible && fixed < any / 2 && weft_reads_evenly(stage);
    for (int32_t i = 0; i < stage->count && stage->ordered; i++)
        stage->steps[i].ring = rings[i];
    weft_free(rings);
    return WEFT_OK;
}

/* For each thread, so that all end at about the same time. */
#define GROUPS_A_THREAD 4

/* Groups the stage's reductions where they share no work. Rows of a direct source are fetched again at no cost, so they may be
 * shared, unless reductions read them directly: these take each row while it is in a cache. */
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
    stage->lead = 0;
    status = size_rings(stage, error);
    if (status != WEFT_OK)
        goto done;
    for (int32_t i = 0; i < stage->count; i++) {
        const struct step *step = &stage->steps[i];
        int64_t rows = step->ring; /* a fold keeps no ring, but a band begins with as many rows */
        for (int32_t k = 0; k < step->input_count && step->kind->folds; k++)
            rows = longer(rows, rows_at_once(stage, step, k));
        int64_t lead = step->sink ? 0 : rows * stage->height / step->height + 1;
        stage->lead = lead > stage->lead ? lead : stage->lead;
    }
    status = order_rows(stage, error);
    if (status != WEFT_OK)
        goto done;
    if (!weft_stage_cut_to_fit(stage, device->threads, widest, &lane)) {
        status = weft_fail(error, WEFT_ERROR_MEMORY, "rows of this width and radius do not fit the address space");
        goto done;
    }
    stage->bands = 1;
    if (device->threads > 1) {
        int64_t bands = stage->height / (4 * stage->lead > 16 ? 4 * stage->lead : 16);
        int64_t most = device->threads * 4, least = (device->threads + stage->strips - 1) / stage->strips;
        if (least == 1 && (double)stage->lead / (double)stage->height > WEFT_MOST_LEAD)
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
