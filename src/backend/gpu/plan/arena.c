/* SPDX-License-Identifier: MIT
 * What lies where in a plan's device memory. First what lasts for the whole run: tables, parameters, numbers, partial
 * results, images kept between stages, and the inputs when they fit; behind that, one over the other, what each stage needs,
 * where pictures that are not needed at the same time share memory. Stages that need too much are cut into bands. */
#include "backend/gpu/plan/plan.h"
#include "base/memory.h"
#include "base/status.h"

#define ALIGNMENT 256
#define MOST_BANDS 65536

static size_t aligned(size_t size) { return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; }

int64_t weft_gpu_row_bytes(const struct gpu_picture *picture) {
    static const int32_t sizes[] = {0, 1, 2, 2, 4, 8};
    return picture->width * picture->channels * sizes[picture->type];
}
static int64_t pitch_of(const struct gpu_picture *picture) { return (weft_gpu_row_bytes(picture) + 63) / 64 * 64; }

/* When in a stage a picture is needed: from the pass that writes it (or the start) to the last that reads it. */
struct life {
    int32_t first, last;
    size_t offset, size;
};

static struct life life_of(const struct gpu_builder *b, const struct gpu_stage *stage, int32_t picture) {
    struct life life = {INT32_MAX, -1, 0, 0};
    for (int32_t p = stage->first_pass; p < stage->first_pass + stage->pass_count; p++)
        for (int32_t i = 0; i < b->passes[p]->picture_count; i++)
            if (b->passes[p]->picture[i] == picture) {
                life.first = p < life.first ? p : life.first;
                life.last = p;
            }
    return life;
}

/* The lowest offset at which `life` overlaps none of those before it. */
static size_t find_offset(const struct life *others, int32_t count, const struct life *life) {
    size_t offset = 0;
    for (bool moved = true; moved;) {
        moved = false;
        for (int32_t i = 0; i < count; i++)
            if (others[i].first <= life->last && life->first <= others[i].last && others[i].offset < offset + life->size &&
                offset < others[i].offset + others[i].size) {
                offset = others[i].offset + others[i].size;
                moved = true;
            }
    }
    return offset;
}

/* Lays out a stage from `base` on; *end is what it takes. */
static weft_status lay_out(struct gpu_plan *plan, int32_t index, size_t base, size_t *end, weft_error *error) {
    const struct gpu_builder *b = &plan->b;
    struct gpu_stage *stage = &plan->stages[index];
    struct life *lives = weft_allocate((size_t)b->picture_count * 2, sizeof *lives);
    int32_t count = 0;
    if (!lives)
        return weft_fail_memory(error, (size_t)b->picture_count * sizeof *lives, "the plan's memory");
    *end = base;
    for (int32_t p = 0; p < b->picture_count; p++) {
        const struct gpu_picture *picture = &b->pictures[p];
        struct gpu_place *place = &stage->places[p];
        bool lasts = picture->role == GPU_KEPT || picture->role == GPU_VALUES || (picture->role == GPU_INPUT && plan->keeps_inputs);
        struct life life = life_of(b, stage, p);
        if (lasts || life.last < 0)
            continue;
        *place = (struct gpu_place){.slots = 1, .pitch = pitch_of(picture)};
        for (int32_t k = 0; k < stage->band_count; k++) {
            int64_t rows = stage->bands[k].rows[p].end - stage->bands[k].rows[p].first;
            place->rows = rows > place->rows ? rows : place->rows;
        }
        /* Inputs and outputs of one band move while the next is at work. */
        if (picture->role == GPU_INPUT || picture->role == GPU_OUTPUT) {
            place->slots = stage->band_count > 1 ? 2 : 1;
            life.first = picture->role == GPU_INPUT || stage->band_count > 1 ? 0 : life.first;
            life.last = picture->role == GPU_OUTPUT || stage->band_count > 1 ? INT32_MAX : life.last;
        }
        life.size = aligned((size_t)(place->rows * place->pitch) + 16);
        for (int32_t s = 0; s < place->slots; s++) {
            life.offset = find_offset(lives, count, &life);
            place->offset[s] = base + life.offset;
            lives[count++] = life;
            if (base + life.offset + life.size > *end)
                *end = base + life.offset + life.size;
        }
    }
    weft_free(lives);
    return WEFT_OK;
}

static size_t reserve(size_t *end, size_t size) {
    size_t offset = *end;
    *end += aligned(size);
    return offset;
}

/* From which stage to which a kept picture is needed. */
static struct life stages_of(const struct gpu_plan *plan, int32_t picture) {
    const struct weft_graph *graph = plan->b.typed->graph;
    struct life life = {INT32_MAX, -1, 0, 0};
    for (int32_t s = 0; s < plan->stage_count; s++)
        if (life_of(&plan->b, &plan->stages[s], picture).last >= 0) {
            life.first = s < life.first ? s : life.first;
            life.last = s;
        }
    for (int32_t n = 0; n < graph->count; n++) /* numbers that are parameters may be read at any time */
        for (int32_t i = 0; i < graph->nodes[n].binding_count; i++)
            if (graph->nodes[n].bindings[i].from == plan->b.pictures[picture].node)
                life.first = 0, life.last = INT32_MAX;
    return life;
}

/* Places what is needed in more than one stage; *end is how much it takes. It has the same place in all stages, and kept images
 * that are not needed at the same time share memory. */
static weft_status lay_out_lasting(struct gpu_plan *plan, size_t *lasting, weft_error *error) {
    struct gpu_builder *b = &plan->b;
    struct life *lives = weft_allocate((size_t)b->picture_count, sizeof *lives);
    int32_t count = 0;
    size_t end = 0, images = 0;
    if (!lives)
        return weft_fail_memory(error, (size_t)b->picture_count * sizeof *lives, "the plan's memory");
    for (int32_t p = 0; p < b->pass_count; p++) {
        for (int32_t t = 0; t < GPU_TABLES; t++)
            if (b->passes[p]->table[t].data)
                plan->table[t][p] = reserve(&end, b->passes[p]->table[t].size);
        if (plan->bound[p] != SIZE_MAX)
            plan->bound[p] = reserve(&end, LAUNCH_WORDS * 4);
    }
    for (int32_t r = 0; r < b->fused_count; r++) {
        struct gpu_fused_reduction *fused = &b->fused[r];
        size_t channels = (size_t)b->typed->info[fused->input].format.channels;
        fused->partial = reserve(&end, weft_reduction_counters(fused->what) > 0
                                           ? weft_gpu_table_bytes(b, fused)
                                           : (size_t)fused->partials * channels * 2 * sizeof(float));
    }
    for (int32_t p = 0; p < b->picture_count; p++) {
        const struct gpu_picture *picture = &b->pictures[p];
        if (picture->role != GPU_KEPT && picture->role != GPU_VALUES && !(picture->role == GPU_INPUT && plan->keeps_inputs))
            continue;
        struct gpu_place place = {.slots = 1, .pitch = pitch_of(picture), .rows = picture->height};
        size_t size = (size_t)(place.pitch * place.rows) + 16;
        if (picture->role == GPU_KEPT) {
            struct life life = stages_of(plan, p);
            life.size = aligned(size);
            place.offset[0] = life.offset = find_offset(lives, count, &life);
            lives[count++] = life;
            images = life.offset + life.size > images ? life.offset + life.size : images;
        } else {
            place.offset[0] = reserve(&end, size);
        }
        for (int32_t s = 0; s < plan->stage_count; s++)
            plan->stages[s].places[p] = place;
    }
    for (int32_t p = 0; p < b->picture_count; p++) /* behind all else */
        for (int32_t s = 0; b->pictures[p].role == GPU_KEPT && s < plan->stage_count; s++)
            plan->stages[s].places[p].offset[0] += end;
    *lasting = end + images;
    weft_free(lives);
    return WEFT_OK;
}

/* How many blocks leave partial results of a reduction: all of its pass's, in all bands. */
static void count_partials(struct gpu_plan *plan) {
    struct gpu_builder *b = &plan->b;
    for (int32_t r = 0; r < b->fused_count; r++) {
        struct gpu_fused_reduction *fused = &b->fused[r];
        const struct gpu_unit *unit = &b->units[fused->unit];
        const struct gpu_pass *pass = b->passes[unit->first_pass + unit->pass_count - 1];
        const struct gpu_stage *stage = &plan->stages[unit->stage];
        fused->partials = 0;
        for (int32_t k = 0; k < stage->band_count; k++) {
            uint32_t grid[3];
            struct gpu_rows made = stage->bands[k].made[unit->first_pass + unit->pass_count - 1 - stage->first_pass];
            weft_gpu_grid(plan, pass, made, grid, NULL);
            fused->partials += (int64_t)grid[0] * grid[1] * grid[2];
        }
    }
}

static weft_status try_bands(struct gpu_plan *plan, size_t *lasting, size_t *end, weft_error *error) {
    count_partials(plan);
    weft_status status = lay_out_lasting(plan, lasting, error);
    if (status != WEFT_OK)
        return status;
    *end = *lasting;
    for (int32_t s = 0; s < plan->stage_count; s++) {
        size_t stage_end = *lasting;
        status = lay_out(plan, s, *lasting, &stage_end, error);
        if (status != WEFT_OK)
            return status;
        plan->stages[s].end = stage_end;
        *end = stage_end > *end ? stage_end : *end;
    }
    return WEFT_OK;
}

static int32_t most_rows(const struct gpu_plan *plan, const struct gpu_stage *stage) {
    int32_t rows = 1;
    for (int32_t p = stage->first_pass; p < stage->first_pass + stage->pass_count; p++)
        rows = plan->b.passes[p]->launch.height > rows ? plan->b.passes[p]->launch.height : rows;
    return rows < MOST_BANDS ? rows : MOST_BANDS;
}

weft_status weft_gpu_arrange(struct gpu_plan *plan, weft_error *error) {
    const struct gpu_limits *limits = &((struct gpu_device_base *)(void *)plan->device)->limits;
    uint64_t limit = limits->memory < limits->largest ? limits->memory : limits->largest;
    plan->keeps_inputs = true;
    for (int32_t s = 0; s < plan->stage_count; s++) {
        weft_status status = weft_gpu_bands_create(&plan->b, &plan->stages[s], 1, error);
        if (status != WEFT_OK)
            return status;
    }
    for (;;) {
        size_t lasting = 0;
        weft_status status = try_bands(plan, &lasting, &plan->arena_size, error);
        if (status != WEFT_OK || plan->arena_size <= limit)
            return status;
        if (plan->keeps_inputs) { /* first let the inputs go; then cut */
            plan->keeps_inputs = false;
            continue;
        }
        bool cut = false;
        for (int32_t s = 0; lasting <= limit && s < plan->stage_count; s++) { /* what lasts no bands make smaller */
            struct gpu_stage *stage = &plan->stages[s];
            int32_t count = stage->band_count * 2;
            if (stage->end <= limit || count > most_rows(plan, stage))
                continue;
            weft_gpu_bands_clear(stage);
            status = weft_gpu_bands_create(&plan->b, stage, count, error);
            if (status != WEFT_OK)
                return status;
            cut = true;
        }
        if (!cut)
            return weft_fail(error, WEFT_ERROR_MEMORY,
                             "the plan needs %.1f MB of device memory even in bands, %.1f MB may be taken; smaller images or "
                             "fewer filters that read their input at any place need less",
                             (double)plan->arena_size / 1e6, (double)limit / 1e6);
    }
}
