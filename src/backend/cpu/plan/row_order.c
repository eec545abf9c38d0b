/* SPDX-License-Identifier: MIT
 * Follows weft_lane_gather (pipeline.c) without pixels: which rows it makes, and which of them must be kept. */
#include "backend/cpu/plan/row_order.h"
#include "backend/cpu/pipeline/dry_run.h"

struct gathering {
    const struct stage *stage;
    int64_t *rings;
    int64_t *made; /* of each step, the first and the last row made; empty when the first is above the last */
    bool orderly;
};

static void gather(struct gathering *g, const struct step *step, int64_t y);

static void make_row(struct gathering *g, int32_t i, int64_t v) {
    const struct step *step = &g->stage->steps[i];
    int64_t *first = &g->made[2 * i], *last = first + 1;
    if (*first > *last)
        *first = v, *last = v - 1;
    if (v >= *first && v <= *last)
        return;
    g->orderly = g->orderly && v == *last + 1;
    if (!g->orderly)
        return;
    gather(g, step, v);
    *last = v;
}

/* When the row is made, all rows that it reads must still be there. */
static void hold(struct gathering *g, const struct step *step, int64_t y) {
    for (int32_t k = 0; k < step->input_count; k++) {
        const int32_t i = step->inputs[k];
        const struct step *input = &g->stage->steps[i];
        struct interval rows = weft_step_reads(g->stage, step, k, y);
        int64_t held = g->made[2 * i + 1] - rows.low + 1;
        if (weft_step_within(input))
            hold(g, input, y);
        else if (!input->direct && held > g->rings[i])
            g->rings[i] = held;
    }
}

static void reach(struct gathering *g, const struct step *step, int64_t y) {
    const struct stage *stage = g->stage;
    for (int32_t i = weft_gather_next(step, stage->count); i >= 0 && g->orderly; i = weft_gather_next(step, i)) {
        const struct step *input = &stage->steps[i];
        for (int32_t k = 0; k < step->input_count && !input->direct; k++) {
            if (step->inputs[k] != i)
                continue;
            struct interval rows = weft_step_reads(stage, step, k, y);
            g->orderly =
                g->orderly && rows.low >= 0 && rows.high < input->height && (!weft_step_within(input) || rows.low == rows.high);
            for (int64_t v = rows.low; v <= rows.high && g->orderly; v++) {
                if (weft_step_within(input))
                    reach(g, input, v);
                else
                    make_row(g, i, v);
            }
        }
    }
}

static void gather(struct gathering *g, const struct step *step, int64_t y) {
    reach(g, step, y);
    if (g->orderly)
        hold(g, step, y);
}

/* Whether each row of a step reads the same rows of input k around it, cut off at the edges. */
static bool is_even(const struct stage *stage, const struct step *step, int32_t k) {
    int64_t above = 0, below = 0, height = step->height;
    for (int pass = 0; step->kind->rows && pass < 2; pass++)
        for (int64_t y = 0; y < height; y++) {
            struct interval rows = weft_step_reads(stage, step, k, y);
            if (pass == 0) {
                above = y - rows.low > above ? y - rows.low : above;
                below = rows.high - y > below ? rows.high - y : below;
            } else if (rows.low != (y < above ? 0 : y - above) || rows.high != (y + below < height ? y + below : height - 1)) {
                return false;
            }
        }
    return true;
}

bool weft_reads_evenly(const struct stage *stage) {
    for (int32_t i = 0; i < stage->count; i++)
        for (int32_t k = 0; k < stage->steps[i].input_count; k++)
            if (!is_even(stage, &stage->steps[i], k))
                return false;
    return true;
}

bool weft_fixed_order_rings(const struct stage *stage, int64_t *rings, int64_t *made) {
    struct gathering g = {.stage = stage, .rings = rings, .made = made, .orderly = true};
    for (int32_t i = 0; i < stage->count; i++) {
        const struct step *step = &stage->steps[i];
        rings[i] = 1;
        if (step->height != stage->height || step->kind->folds)
            return false;
        for (int32_t k = 0; k < step->input_count; k++)
            if (stage->steps[step->inputs[k]].height != stage->height)
                return false;
    }
    /* Bands may begin anywhere. After the first of its rows every row of a band is like the one before. */
    for (int32_t band = 0; band <= 4 && g.orderly; band++) {
        int64_t from = stage->height * band / 4 < stage->height ? stage->height * band / 4 : stage->height - 1;
        for (int32_t i = 0; i < stage->count; i++)
            made[2 * i] = 1, made[2 * i + 1] = 0;
        for (int64_t y = from; y < from + 3 && y < stage->height; y++)
            for (int32_t i = 0; i < stage->count && g.orderly; i++)
                if (stage->steps[i].sink)
                    gather(&g, &stage->steps[i], y);
    }
    return g.orderly;
}
