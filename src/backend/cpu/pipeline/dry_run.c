/* SPDX-License-Identifier: MIT */
#include "backend/cpu/pipeline/dry_run.h"
#include "backend/cpu/pipeline/run.h"
#include "base/status.h"

void weft_interval_extend(struct interval *interval, int64_t low, int64_t high) {
    interval->low = low < interval->low ? low : interval->low;
    interval->high = high > interval->high ? high : interval->high;
}

static struct interval reads(const struct stage *stage, const struct step *step, int32_t i, int64_t v, bool late) {
    const struct step *input = &stage->steps[step->inputs[i]];
    int64_t y = weft_border_modulo(v, step->height), periods = (v - y) / step->height;
    struct interval rows = {y, y};
    if (late && step->kind->rows_now)
        step->kind->rows_now(step, i, y, &rows.low, &rows.high);
    else if (step->kind->rows)
        step->kind->rows(step, i, y, &rows.low, &rows.high);
    rows.low += periods * input->height, rows.high += periods * input->height;
    return rows;
}

struct interval weft_step_reads(const struct stage *stage, const struct step *step, int32_t i, int64_t v) {
    return reads(stage, step, i, v, false);
}

/* Returns the rows of `now` that are not in `before`: those that must still be made. */
static struct interval fresh(struct interval now, struct interval before) {
    if (now.low > now.high || before.low > before.high)
        return now;
    if (now.high > before.high)
        return (struct interval){now.low > before.high ? now.low : before.high + 1, now.high};
    if (now.low < before.low)
        return (struct interval){now.low, now.high < before.low ? now.high : before.low - 1};
    return (struct interval){1, 0};
}

/* The rows that a ring holds: of those that it held before and those made since. */
static struct interval held(struct interval before, struct interval now, struct interval made, int64_t ring) {
    if (before.low > before.high)
        return now;
    if (made.low > made.high)
        return before;
    if (made.high > before.high) {
        int64_t low = made.low > before.high + 1 ? made.low : before.low;
        return (struct interval){low > made.high - ring + 1 ? low : made.high - ring + 1, made.high};
    }
    int64_t high = made.high < before.low - 1 ? made.high : before.high;
    return (struct interval){made.low, high < made.low + ring - 1 ? high : made.low + ring - 1};
}

bool weft_sink_in_strip(const struct step *step, int32_t strip, int32_t strips) {
    return weft_strip_edge(step->width, strip, strips) < weft_strip_edge(step->width, strip + 1, strips);
}

/* The lowest rows that the inputs of step i may be asked for, where its rings hold none of the rows that this part needs. */
static void ask_lowest(struct walk *w, int32_t i, struct interval rows) {
    const struct step *step = &w->stage->steps[i];
    if (rows.low <= rows.high && rows.low < w->lowest[i])
        w->lowest[i] = rows.low;
    for (int32_t k = 0; w->lowest[i] != INT64_MAX && k < step->input_count; k++) {
        int64_t low = reads(w->stage, step, k, w->lowest[i], false).low, *lowest = &w->lowest[step->inputs[k]];
        *lowest = low < *lowest ? low : *lowest;
    }
}

void weft_walk_part(struct walk *w, int64_t part) {
    const struct stage *stage = w->stage;
    for (int32_t i = 0; i < stage->count; i++)
        w->now[i] = (struct interval){INT64_MAX, INT64_MIN}, w->lowest[i] = INT64_MAX;
    for (int32_t i = stage->count - 1; i >= 0; i--) {
        const struct step *step = &stage->steps[i];
        struct interval make = fresh(w->now[i], w->before[i]);
        if (step->sink) {
            weft_sink_rows(stage, step, part, &make.low, &make.high);
            make.high--;
            if (w->strips > 0 && !weft_sink_in_strip(step, w->strip, w->strips))
                make = (struct interval){1, 0};
        } else if (step->inlined) { /* it keeps nothing */
            make = w->now[i];
        }
        /* A fold continues from the previous row, or begins again. */
        int64_t last = w->before[i].low <= w->before[i].high ? w->before[i].high : INT64_MIN;
        if (step->kind->folds && last == INT64_MIN && make.low <= make.high)
            w->fold_begins = part;
        if (w->now[i].low <= w->now[i].high)
            w->before[i] = w->kept ? held(w->before[i], w->now[i], make, step->ring) : w->now[i];
        w->made[i] = make;
        ask_lowest(w, i, step->sink ? make : w->now[i]);
        for (int32_t k = 0; k < step->input_count; k++)
            for (int64_t v = make.low; v <= make.high; v++) {
                struct interval rows = reads(stage, step, k, v, w->late);
                if (step->kind->folds && w->kept && !(v == make.low && last != v - 1)) {
                    int64_t next = reads(stage, step, k, v - 1, w->late).high + 1;
                    rows.low = next < rows.high ? next : rows.high;
                } else if (step->kind->folds && !w->kept) {
                    rows.low = rows.high;
                }
                if (rows.low <= rows.high)
                    weft_interval_extend(&w->now[step->inputs[k]], rows.low, rows.high);
            }
    }
}

void weft_walk_restart(struct walk *walk) {
    walk->fold_begins = 0;
    for (int32_t i = 0; i < walk->stage->count; i++)
        walk->before[i] = (struct interval){1, 0};
}

weft_status weft_walk_open(struct walk *walk, const struct stage *stage, weft_error *error) {
    size_t count = (size_t)stage->count;
    *walk = (struct walk){.stage = stage,
                          .now = weft_allocate(count, sizeof *walk->now),
                          .before = weft_allocate(count, sizeof *walk->before),
                          .made = weft_allocate(count, sizeof *walk->made),
                          .lowest = weft_allocate(count, sizeof *walk->lowest)};
    if (!walk->now || !walk->before || !walk->made || !walk->lowest) {
        weft_walk_close(walk);
        return weft_fail_memory(error, count * (3 * sizeof *walk->now + sizeof *walk->lowest), "planning");
    }
    weft_walk_restart(walk);
    return WEFT_OK;
}

void weft_walk_close(struct walk *walk) {
    weft_free(walk->now);
    weft_free(walk->before);
    weft_free(walk->made);
    weft_free(walk->lowest);
    walk->lowest = NULL;
    walk->now = walk->before = walk->made = NULL;
}
