/* SPDX-License-Identifier: MIT
 * The pieces in which images are copied to the device and from it, through staging memory. There are two halves for each
 * direction: the host fills or empties one while the other is copied. */
#include "backend/gpu/run/values.h"
#include "backend/gpu/plan/plan.h"
#include "base/memory.h"
#include "base/status.h"

#define STAGING ((size_t)16 << 20)

static bool travels(const struct gpu_picture *picture, bool up) {
    return up ? picture->role == GPU_INPUT : picture->role == GPU_OUTPUT;
}

/* True when a stage's bands upload an input: all that read it, or only the first when it stays. */
static bool is_uploaded_by(const struct gpu_plan *plan, int32_t stage, int32_t picture) {
    for (int32_t s = 0; s <= stage; s++) {
        const struct gpu_stage *at = &plan->stages[s];
        bool reads = false;
        for (int32_t p = at->first_pass; !reads && p < at->first_pass + at->pass_count; p++)
            for (int32_t i = 0; i < plan->b.passes[p]->picture_count; i++)
                reads |= plan->b.passes[p]->picture[i] == picture;
        if (reads && (s == stage || plan->keeps_inputs))
            return s == stage;
    }
    return false;
}

static bool is_output(const struct gpu_plan *plan, int32_t node) {
    for (int32_t i = 0; i < plan->b.typed->graph->output_count; i++)
        if (plan->b.typed->graph->outputs[i] == node)
            return true;
    return false;
}

/* Numbers of reductions go where the host reads them without a copy: every picture's begin at a multiple of 256. */
static weft_status plan_numbers(struct gpu_plan *plan, weft_error *error) {
    for (int32_t p = 0; p < plan->b.picture_count; p++) {
        const struct gpu_picture *picture = &plan->b.pictures[p];
        if (picture->role != GPU_VALUES || !is_output(plan, picture->node))
            continue;
        struct gpu_value *number =
            weft_gpu_grow(&plan->values, &plan->value_count, &plan->value_capacity, sizeof *number);
        if (!number)
            return weft_fail_memory(error, sizeof *number, "the plan's numbers");
        *number = (struct gpu_value){p, plan->values_size};
        plan->values_size += ((size_t)weft_gpu_row_bytes(picture) + 255) / 256 * 256;
    }
    plan->slots = GPU_VALUE_SLOTS;
    while (plan->slots > 2 && (size_t)plan->slots * plan->values_size > GPU_VALUE_BYTES)
        plan->slots /= 2;
    plan->values_at = 4 * plan->staging_half;
    return weft_gpu_values_create(plan, error);
}

/* The rows of a picture that move with a band. */
static struct gpu_rows moving(const struct gpu_plan *plan, int32_t stage, int32_t band, int32_t p, bool up) {
    const struct gpu_picture *picture = &plan->b.pictures[p];
    const struct gpu_stage *s = &plan->stages[stage];
    struct gpu_rows none = {0, 0}, whole = {0, picture->height};
    if (!travels(picture, up) || (up ? !is_uploaded_by(plan, stage, p) : picture->stage != stage))
        return none;
    if (up && plan->keeps_inputs)
        return band == 0 ? whole : none; /* later stages may want more than this one */
    return s->bands[band].rows[p];
}

/* What plan_way is at. */
struct way {
    struct gpu_plan *plan;
    int32_t stage;
    bool up;
    struct gpu_transfer **list;
    int32_t *count, capacity;
};

static weft_status add_transfer(struct way *w, const struct gpu_transfer *transfer, const struct gpu_command *command,
                                weft_error *error) {
    const struct gpu_driver *driver = ((struct gpu_device_base *)(void *)w->plan->device)->driver;
    struct gpu_transfer *t = weft_gpu_grow(w->list, w->count, &w->capacity, sizeof *t);
    if (!t)
        return weft_fail_memory(error, sizeof *t, "the plan's transfers");
    *t = *transfer;
    return driver->list_create(w->plan->device, w->up ? GPU_QUEUE_UPLOAD : GPU_QUEUE_DOWNLOAD, command, 1, &t->list, error);
}

/* Rows that the band before has on the device already move there. */
static weft_status add_carry(struct way *w, int32_t band, int32_t p, struct gpu_rows rows, weft_error *error) {
    const struct gpu_plan *plan = w->plan;
    size_t pitch = (size_t)plan->stages[w->stage].places[p].pitch, skip = (size_t)rows.first * pitch;
    struct gpu_command command = {
        .kind = GPU_COPY,
        .from = &plan->arena,
        .to = &plan->arena,
        .from_offset = (size_t)(weft_gpu_address(plan, w->stage, band - 1, p) - plan->arena.address) + skip,
        .to_offset = (size_t)(weft_gpu_address(plan, w->stage, band, p) - plan->arena.address) + skip,
        .size = (size_t)(rows.end - rows.first) * pitch};
    struct gpu_transfer transfer = {.picture = p, .first = rows.first, .rows = rows.end - rows.first, .half = -1};
    return add_transfer(w, &transfer, &command, error);
}

static weft_status add_pieces(struct way *w, int32_t band, int32_t p, struct gpu_rows rows, weft_error *error) {
    const struct gpu_plan *plan = w->plan;
    const struct gpu_place *place = &plan->stages[w->stage].places[p];
    int64_t most = rows.first < rows.end ? (int64_t)plan->staging_half / place->pitch : 1;
    weft_status status = WEFT_OK;
    for (int64_t y = rows.first; y < rows.end && status == WEFT_OK; y += most) {
        int64_t n = rows.end - y < most ? rows.end - y : most;
        int32_t half = *w->count % 2;
        size_t here = (size_t)((w->up ? 0 : 2) + half) * plan->staging_half;
        struct gpu_transfer transfer = {.picture = p, .first = y, .rows = n, .half = half, .staged = here};
        size_t there = (size_t)(weft_gpu_address(plan, w->stage, band, p) + (uint64_t)(y * place->pitch) - plan->arena.address);
        struct gpu_command command = {.kind = GPU_COPY,
                                      .from = w->up ? &plan->staging : &plan->arena,
                                      .to = w->up ? &plan->arena : &plan->staging,
                                      .from_offset = w->up ? here : there,
                                      .to_offset = w->up ? there : here,
                                      .size = (size_t)(n * place->pitch)};
        status = add_transfer(w, &transfer, &command, error);
    }
    return status;
}

static weft_status plan_way(struct gpu_plan *plan, int32_t stage, bool up, weft_error *error) {
    struct gpu_stage *s = &plan->stages[stage];
    int32_t **first = up ? &s->upload_first : &s->download_first;
    struct way w = {plan, stage, up, up ? &s->uploads : &s->downloads, up ? &s->upload_count : &s->download_count, 0};
    weft_status status = WEFT_OK;
    *first = weft_allocate((size_t)s->band_count + 1, sizeof **first);
    if (!*first)
        return weft_fail_memory(error, (size_t)s->band_count * sizeof **first, "the plan's transfers");
    for (int32_t k = 0; k < s->band_count && status == WEFT_OK; k++) {
        for (int32_t p = 0; p < plan->b.picture_count && status == WEFT_OK; p++) {
            struct gpu_rows rows = moving(plan, stage, k, p, up), before = {0, 0};
            if (up && k > 0 && !plan->keeps_inputs)
                before = moving(plan, stage, k - 1, p, up);
            if (before.first < before.end && (before.first > rows.first || before.end > rows.end))
                plan->streams = false; /* goes back */
            else if (before.end > rows.first && rows.first < rows.end) {
                status = add_carry(&w, k, p, (struct gpu_rows){rows.first, before.end}, error);
                rows.first = before.end;
            }
            if (status == WEFT_OK)
                status = add_pieces(&w, k, p, rows, error);
        }
        (*first)[k + 1] = *w.count;
    }
    return status;
}

weft_status weft_gpu_transfers(struct gpu_plan *plan, weft_error *error) {
    const struct gpu_driver *driver = ((struct gpu_device_base *)(void *)plan->device)->driver;
    size_t largest = 256, row = 256;
    for (int32_t p = 0; p < plan->b.picture_count; p++)
        for (int32_t s = 0; s < plan->stage_count; s++) {
            const struct gpu_place *place = &plan->stages[s].places[p];
            bool moves = travels(&plan->b.pictures[p], true) || travels(&plan->b.pictures[p], false);
            if (!moves || place->slots == 0)
                continue;
            size_t size = (size_t)(place->pitch * place->rows);
            largest = size > largest ? size : largest;
            row = (size_t)place->pitch > row ? (size_t)place->pitch : row;
        }
    plan->staging_half = largest < STAGING ? largest : STAGING;
    plan->staging_half = plan->staging_half > row ? plan->staging_half : row;
    plan->staging_half = (plan->staging_half + 255) / 256 * 256;
    for (int32_t p = 0; p < plan->b.pass_count; p++) /* tables go up this way too */
        for (int32_t t = 0; t < GPU_TABLES; t++)
            if (plan->b.passes[p]->table[t].size > plan->staging_half && plan->staging_half < STAGING)
                plan->staging_half = STAGING;
    plan->streams = plan->keeps_inputs || plan->stage_count == 1;
    weft_status status = plan_numbers(plan, error);
    size_t size = plan->values_at + (size_t)plan->slots * plan->values_size;
    if (status == WEFT_OK)
        status = driver->memory_create(plan->device, GPU_MEMORY_STAGING, size, &plan->staging, error);
    for (int32_t s = 0; s < plan->stage_count && status == WEFT_OK; s++) {
        status = plan_way(plan, s, true, error);
        if (status == WEFT_OK)
            status = plan_way(plan, s, false, error);
    }
    return status;
}
