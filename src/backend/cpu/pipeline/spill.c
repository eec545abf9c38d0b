/* SPDX-License-Identifier: MIT */
#include "backend/cpu/pipeline/spill.h"
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
#include "base/status.h"

#define LOOK ((int64_t)4 << 20)   /* bytes between two looks at what is in memory */
#define CHUNK ((size_t)4 << 20)   /* bytes of rows that go to a file at a time */

/* Bytes of mapped files that the process has in memory; -1 where the system does not tell. */
static int64_t mapped_bytes(int statm) {
    char text[128], *next;
    ssize_t length = statm >= 0 ? pread(statm, text, sizeof text - 1, 0) : -1;
    if (length <= 0)
        return -1;
    text[length] = 0;
    strtoll(text, &next, 10);                      /* all */
    strtoll(next, &next, 10);                      /* in memory */
    return strtoll(next, NULL, 10) * (int64_t)sysconf(_SC_PAGESIZE); /* of that, shared with files */
}

static bool reads_again(const struct cpu_plan *plan) {
    return plan->schedule.stages > 1 || plan->stages[0].reads_whole_input;
}

weft_status weft_spill_open(struct cpu_run *run, weft_error *error) {
    const struct cpu_plan *plan = run->plan;
    int32_t inputs = plan->typed->graph->input_count;
    struct spill *spill = weft_allocate(1, sizeof *spill);
    if (!spill)
        return weft_fail_memory(error, sizeof *spill, "a run");
    *spill = (struct spill){.kept = WEFT_NO_TEMPORARY,
                            .inputs = weft_allocate((size_t)inputs, sizeof *spill->inputs),
                            .statm = open("/proc/self/statm", O_RDONLY | O_CLOEXEC),
                            .most = plan->mapped_most};
    run->spill = spill;
    if (!spill->inputs)
        return weft_fail_memory(error, (size_t)inputs * sizeof *spill->inputs, "a run");
    for (spill->count = 0; spill->count < inputs; spill->count++)
        spill->inputs[spill->count] = WEFT_NO_TEMPORARY;
    spill->before = mapped_bytes(spill->statm);
    weft_status status = WEFT_OK;
    if (plan->kept_apart > 0)
        status = weft_temporary_open(&spill->kept, plan->kept_apart, error);
    if (status == WEFT_OK && plan->kept_apart > 0)
        status = weft_temporary_map(&spill->kept, error);
    if (status == WEFT_OK && plan->kept_apart > 0)
        run->kept = spill->kept.data;
    for (int32_t i = 0; status == WEFT_OK && i < inputs && reads_again(plan); i++)
        if (run->request->inputs[i].source.read)
            status = weft_spill_input(run, i, error);
    return status;
}

weft_status weft_spill_input(struct cpu_run *run, int32_t i, weft_error *error) {
    const struct weft_graph *graph = run->plan->typed->graph;
    if (!run->spill) {
        weft_status opened = weft_spill_open(run, error);
        if (opened != WEFT_OK)
            return opened;
    }
    const weft_source *source = &run->request->inputs[i].source;
    struct weft_temporary *file = &run->spill->inputs[i];
    int32_t n = 0;
    while (graph->nodes[n].filter || graph->nodes[n].input != i)
        n++;
    const weft_image_info *info = &run->plan->typed->info[n];
    size_t row = (size_t)info->width * weft_format_size(info->format), size;
    if (!weft_multiply(row, (size_t)info->height, &size))
        return weft_fail_memory(error, SIZE_MAX, "an image");
    int64_t step = (int64_t)(CHUNK / row) > 0 ? (int64_t)(CHUNK / row) : 1;
    unsigned char *rows = weft_allocate_aligned(row * (size_t)step);
    weft_status status = rows ? weft_temporary_open(file, size, error)
                              : weft_fail_memory(error, row * (size_t)step, "rows of an image");
    for (int64_t y = 0; status == WEFT_OK && y < info->height; y += step) {
        int64_t count = info->height - y < step ? info->height - y : step;
        status = source->read(source->user, y, count, rows, (ptrdiff_t)row, error);
        if (status == WEFT_OK)
            status = weft_temporary_write(file, (size_t)y * row, rows, (size_t)count * row, error);
        if (status == WEFT_OK && run->request->progress && !run->request->progress(run->request->progress_user, 0))
            status = weft_fail(error, WEFT_ERROR_CANCELLED, "cancelled");
    }
    weft_free(rows);
    if (status == WEFT_OK)
        status = weft_temporary_map(file, error);
    if (status == WEFT_OK)
        run->inputs[i] = (struct view){.data = file->data, .stride = (ptrdiff_t)row, .count = INT64_MAX};
    run->touches = weft_spill_touches(run);
    return status;
}

void weft_spill_release(const struct cpu_run *run) {
    const struct spill *spill = run->spill;
    weft_temporary_release(&spill->kept);
    for (int32_t i = 0; i < spill->count; i++)
        weft_temporary_release(&spill->inputs[i]);
}

void weft_spill_look(const struct cpu_run *run, int64_t bytes) {
    struct spill *spill = run->spill;
    int64_t touched = atomic_fetch_add_explicit(&spill->touched, bytes, memory_order_relaxed) + bytes, mapped;
    if (touched < LOOK)
        return;
    mapped = mapped_bytes(spill->statm);
    if (mapped < 0 ? touched > spill->most / 2 : mapped - spill->before > spill->most) {
        atomic_store_explicit(&spill->touched, 0, memory_order_relaxed);
        weft_spill_release(run);
    } else if (mapped >= 0) {
        atomic_store_explicit(&spill->touched, 0, memory_order_relaxed);
    }
}

int64_t weft_spill_touches(const struct cpu_run *run) {
    const struct stage *stage = run->stage;
    size_t bytes = run->spill->kept.size;
    for (int32_t i = 0; i < run->spill->count; i++)
        bytes += run->spill->inputs[i].size;
    return stage ? (int64_t)bytes / stage->height / stage->strips + 1 : 0;
}

void weft_spill_close(struct cpu_run *run) {
    struct spill *spill = run->spill;
    if (!spill)
        return;
    for (int32_t i = 0; i < spill->count; i++)
        weft_temporary_close(&spill->inputs[i]);
    weft_temporary_close(&spill->kept);
    if (spill->statm >= 0)
        (void)close(spill->statm);
    weft_free(spill->inputs);
    weft_free(spill);
    run->spill = NULL;
}

size_t weft_plan_image_bytes(const struct cpu_plan *plan) {
    const struct weft_typed_graph *typed = plan->typed;
    size_t all = 0, size;
    for (int32_t n = 0; n < typed->graph->count; n++)
        if (!typed->graph->nodes[n].filter && weft_image_size(&typed->info[n], &size, NULL) == WEFT_OK)
            all = all > SIZE_MAX - size ? SIZE_MAX : all + size;
    for (int32_t i = 0; i < typed->output_count; i++) {
        weft_image_info info = typed->info[typed->graph->outputs[i]];
        info.format.type = typed->output_types[i];
        if (weft_image_size(&info, &size, NULL) == WEFT_OK)
            all = all > SIZE_MAX - size ? SIZE_MAX : all + size;
    }
    return all;
}
