/* SPDX-License-Identifier: MIT */
#include "backend/cpu/pipeline/spill.h"
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
#include "backend/cpu/pipeline/tiles.h"
#include "base/status.h"

#define LOOK ((int64_t)4 << 20)   /* bytes between two looks at what is in memory, at most */
#define CHUNK ((size_t)4 << 20)   /* bytes of rows that go to a file at a time, at most */
#define TILE_ROWS 128             /* of most tiles */

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

static weft_status open_mapped(struct weft_temporary *file, size_t size, weft_error *error) {
    weft_status status = weft_temporary_open(file, size, error);
    return status == WEFT_OK ? weft_temporary_map(file, error) : status;
}

weft_status weft_spill_open(struct cpu_run *run, weft_error *error) {
    const struct cpu_plan *plan = run->plan;
    struct mapped *mapped = plan->device->mapped;
    size_t inputs = (size_t)plan->typed->graph->input_count;
    struct spill *spill = weft_allocate(1, sizeof *spill);
    if (!spill)
        return weft_fail_memory(error, sizeof *spill, "a run");
    *spill = (struct spill){.kept = WEFT_NO_TEMPORARY,
                            .rings = WEFT_NO_TEMPORARY,
                            .inputs = weft_allocate(2 * inputs + 1, sizeof *spill->inputs),
                            .statm = open("/proc/self/statm", O_RDONLY | O_CLOEXEC),
                            .most = plan->mapped_most,
                            .look = plan->mapped_most / 8 < LOOK ? plan->mapped_most / 8 : LOOK};
    run->spill = spill;
    if (atomic_fetch_add(&mapped->runs, 1) == 0)
        atomic_store(&mapped->before, mapped_bytes(spill->statm));
    atomic_fetch_add(&mapped->most, spill->most);
    if (!spill->inputs)
        return weft_fail_memory(error, (2 * inputs + 1) * sizeof *spill->inputs, "a run");
    spill->tiled = spill->inputs + inputs;
    for (spill->count = 0; spill->count < (int32_t)inputs; spill->count++)
        spill->inputs[spill->count] = spill->tiled[spill->count] = WEFT_NO_TEMPORARY;
    weft_status status = WEFT_OK;
    if (plan->kept_apart > 0)
        status = open_mapped(&spill->kept, plan->kept_apart, error);
    if (status == WEFT_OK && plan->kept_apart > 0)
        run->kept = spill->kept.data;
    for (int32_t i = 0; status == WEFT_OK && i < spill->count && reads_again(plan); i++)
        if (run->request->inputs[i].source.read)
            status = weft_spill_input(run, i, error);
    return status;
}

/* Rows y .. y + count - 1 of an input on their way into its files. */
static weft_status put_rows(struct cpu_run *run, int32_t i, const weft_image_info *info, const struct tiles *tiles, int64_t y,
                            int64_t count, const unsigned char *rows, weft_error *error) {
    struct weft_temporary *file = &run->spill->inputs[i];
    const struct weft_temporary *tiled = &run->spill->tiled[i];
    size_t pixel = weft_format_size(info->format), row = (size_t)info->width * pixel;
    weft_status status = WEFT_OK;
    if (file->descriptor >= 0)
        status = weft_temporary_write(file, (size_t)y * row, rows, (size_t)count * row, error);
    for (int64_t k = 0; status == WEFT_OK && tiled->data && k < count; k++)
        weft_tiles_put(tiles, pixel, tiled->data, 0, y + k, info->width, rows + (size_t)k * row);
    if (status == WEFT_OK && tiled->data)
        weft_spill_look(run, (int64_t)((size_t)count * row));
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
    struct spill *spill = run->spill;
    int32_t n = 0;
    while (graph->nodes[n].filter || graph->nodes[n].input != i)
        n++;
    const weft_image_info *info = &run->plan->typed->info[n];
    const struct tiles tiles = weft_tiles_of(info->width, info->height, weft_format_size(info->format));
    size_t row = (size_t)info->width * weft_format_size(info->format), size;
    bool by_rows, anywhere;
    weft_plan_reads(run->plan, i, -1, &by_rows, &anywhere);
    if (!weft_multiply(row, (size_t)info->height, &size))
        return weft_fail_memory(error, SIZE_MAX, "an image");
    size_t part = run->plan->typed->memory / 8 < CHUNK ? (size_t)run->plan->typed->memory / 8 : CHUNK;
    int64_t step = (int64_t)(part / row) > 0 ? (int64_t)(part / row) : 1;
    unsigned char *rows = weft_allocate_aligned(row * (size_t)step);
    weft_status status = rows ? WEFT_OK : weft_fail_memory(error, row * (size_t)step, "rows of an image");
    if (status == WEFT_OK && anywhere)
        status = open_mapped(&spill->tiled[i], tiles.size, error);
    if (status == WEFT_OK && (by_rows || !anywhere))
        status = weft_temporary_open(&spill->inputs[i], size, error);
    for (int64_t y = 0; status == WEFT_OK && y < info->height; y += step) {
        int64_t count = info->height - y < step ? info->height - y : step;
        status = source->read(source->user, y, count, rows, (ptrdiff_t)row, error);
        if (status == WEFT_OK)
            status = put_rows(run, i, info, &tiles, y, count, rows, error);
        if (status == WEFT_OK && run->request->progress && !run->request->progress(run->request->progress_user, 0))
            status = weft_fail(error, WEFT_ERROR_CANCELLED, "cancelled");
    }
    weft_free(rows);
    if (status == WEFT_OK && spill->inputs[i].descriptor >= 0)
        status = weft_temporary_map(&spill->inputs[i], error);
    if (status == WEFT_OK)
        run->inputs[i] =
            (struct view){.data = spill->inputs[i].data, .stride = (ptrdiff_t)row, .count = INT64_MAX};
    run->touches = weft_spill_touches(run);
    return status;
}

weft_status weft_spill_rings(struct cpu_run *run, size_t size, weft_error *error) {
    weft_status status = run->spill ? WEFT_OK : weft_spill_open(run, error);
    if (status == WEFT_OK)
        status = open_mapped(&run->spill->rings, size, error);
    if (status == WEFT_OK)
        run->strips = run->spill->rings.data;
    run->touches = status == WEFT_OK ? weft_spill_touches(run) : 0;
    return status;
}

void weft_spill_end_rings(struct cpu_run *run) {
    if (!run->spill || !run->spill->rings.data)
        return;
    weft_temporary_close(&run->spill->rings);
    run->strips = NULL;
}

static void release_all(const struct spill *spill) {
    weft_temporary_release(&spill->kept);
    weft_temporary_release(&spill->rings);
    for (int32_t i = 0; i < spill->count; i++) {
        weft_temporary_release(&spill->inputs[i]);
        weft_temporary_release(&spill->tiled[i]);
    }
}

void weft_spill_look(const struct cpu_run *run, int64_t bytes) {
    struct spill *spill = run->spill;
    const struct mapped *mapped = run->plan->device->mapped;
    int64_t touched = atomic_fetch_add_explicit(&spill->touched, bytes, memory_order_relaxed) + bytes, now;
    if (touched < spill->look)
        return;
    now = mapped_bytes(spill->statm);
    if (now < 0 ? touched > spill->most / 2 : now - atomic_load(&mapped->before) > atomic_load(&mapped->most) / 4 * 3) {
        atomic_store_explicit(&spill->touched, 0, memory_order_relaxed);
        release_all(spill);
    } else if (now >= 0) {
        atomic_store_explicit(&spill->touched, 0, memory_order_relaxed);
    }
}

/* A row of a tiled image touches as many pages as there are tiles across; the next rows use the rest of these pages. */
int64_t weft_spill_touches(const struct cpu_run *run) {
    const struct stage *stage = run->stage;
    size_t tiled = run->plan->kept_tiles;
    for (int32_t i = 0; i < run->spill->count; i++)
        tiled += run->spill->tiled[i].size;
    if (!stage)
        return 0;
    int64_t parts = stage->height * stage->strips;
    int64_t once = (int64_t)run->spill->kept.size / parts + 1, again = (int64_t)tiled / parts * TILE_ROWS;
    return again < run->spill->look ? once + again : run->spill->look;
}

void weft_spill_close(struct cpu_run *run) {
    struct spill *spill = run->spill;
    struct mapped *mapped = run->plan->device->mapped;
    if (!spill)
        return;
    for (int32_t i = 0; i < spill->count; i++) {
        weft_temporary_close(&spill->inputs[i]);
        weft_temporary_close(&spill->tiled[i]);
    }
    weft_temporary_close(&spill->kept);
    weft_temporary_close(&spill->rings);
    if (spill->statm >= 0)
        (void)close(spill->statm);
    atomic_fetch_sub(&mapped->most, spill->most);
    atomic_fetch_sub(&mapped->runs, 1);
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
