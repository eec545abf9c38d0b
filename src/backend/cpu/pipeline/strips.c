/* SPDX-License-Identifier: MIT
 * Stages of a run in other strips than the plan's, and strips that go on from one window of a stream to the next. */
#include <string.h>
#include "backend/cpu/pipeline/spill.h"
#include "base/status.h"

static void release(struct stage *stage) {
    if (stage)
        weft_free(stage->steps);
    weft_free(stage);
}

/* The steps are the plan's but for where their rows lie. */
static struct stage *copy_stage(const struct stage *stage) {
    struct stage *copy = weft_allocate(1, sizeof *copy);
    if (!copy)
        return NULL;
    *copy = *stage;
    copy->steps = weft_allocate((size_t)stage->count, sizeof *copy->steps);
    if (!copy->steps) {
        release(copy);
        return NULL;
    }
    memcpy(copy->steps, stage->steps, (size_t)stage->count * sizeof *copy->steps);
    return copy;
}

weft_status weft_run_cut(struct cpu_run *run, int32_t strips, double most, weft_error *error) {
    const struct weft_typed_graph *typed = run->plan->typed;
    struct stage *copy = copy_stage(run->stage);
    double whole = 0, columns = 0;
    if (!copy)
        return weft_fail_memory(error, (size_t)run->stage->count * sizeof *copy->steps, "strips");
    weft_status status = weft_stage_cut(copy, typed, 1, &whole, error);
    if (status == WEFT_OK)
        status = weft_stage_cut(copy, typed, strips, &columns, error);
    if (status != WEFT_OK || columns > most * whole) {
        release(copy);
        return status;
    }
    run->total += copy->height * (strips - run->stage->strips);
    release(run->cut);
    copy->bands = 1; /* each strip is one tile from top to bottom */
    run->stage = run->cut = copy;
    return WEFT_OK;
}

weft_status weft_run_keep_strips(struct cpu_run *run, weft_error *error) {
    size_t size;
    if (!weft_multiply(run->stage->lane_bytes, (size_t)run->stage->strips, &size))
        size = SIZE_MAX;
    if (weft_rings_apart(run->plan, size))
        return weft_spill_rings(run, size, error);
    run->strips = weft_allocate_aligned(size);
    return run->strips ? WEFT_OK : weft_fail_memory(error, size, "the rows that the steps keep");
}

void weft_run_uncut(struct cpu_run *run) {
    weft_spill_end_rings(run);
    weft_free(run->strips);
    release(run->cut);
    run->strips = NULL, run->cut = NULL;
}
