/* SPDX-License-Identifier: MIT
 * Launches and the lists of commands that hold them: one list for each band of each stage. */
#include <string.h>
#include "backend/gpu/plan/recording.h"
#include "base/memory.h"
#include "base/status.h"
#include "kernels/gpu/reduce/counters.h"

static const struct gpu_driver *driver_of(const struct gpu_plan *plan) {
    return ((const struct gpu_device_base *)(const void *)plan->device)->driver;
}

/* Rows that a walking block makes: blocks are cut so that as many run as the device holds, in few whole waves, since a
 * last wave of a few blocks takes as long as a full one. */
#define SHORT_WALK 256 /* rows, for devices that stop long loops */
static int32_t walk_rows(int64_t rows, int64_t across, int32_t occupancy, int32_t step, bool short_loops) {
    if (short_loops && rows > SHORT_WALK)
        return (SHORT_WALK + step - 1) / step * step;
    int64_t best = (rows + step - 1) / step * step;
    double most = -1;
    for (int64_t waves = 1; waves <= 4; waves++) {
        int64_t down = waves * occupancy / across;
        if (down < 1)
            continue;
        int64_t each = ((rows + down - 1) / down + step - 1) / step * step;
        double used = (double)(across * ((rows + each - 1) / each)) / ((double)waves * occupancy);
        if (used > most + 0.05) /* taller blocks redo less at their upper edge */
            most = used, best = each;
    }
    return (int32_t)best;
}

/* Blocks of a pass that reads an image for nothing but a reduction: as many as the device holds at a time with 1024
 * threads on a multiprocessor, which is enough to keep its memory busy, since each leaves its results to be joined. Threads
 * have no more units than 32 bits can add up. */
#define MOST_UNITS 4096
#define MOST_UNITS_OF_SHORT_LOOPS 256
static uint32_t blocks_of_units(const struct gpu_plan *plan, const struct gpu_pass *pass, int64_t rows) {
    const struct gpu_limits *limits = &((const struct gpu_device_base *)(const void *)plan->device)->limits;
    const struct gpu_kernel_row *row = &weft_gpu_kernels[pass->kernel];
    int64_t threads = (int64_t)row->threads_x * row->threads_y, most = (int64_t)limits->multiprocessors * 1024 / threads;
    int64_t occupancy = driver_of(plan)->kernel_occupancy(plan->device, pass->code);
    int64_t pixel = weft_gpu_row_bytes(&plan->b.pictures[pass->picture[0]]) / pass->launch.in_width;
    int64_t unit = UNIT_BYTES(pass->launch.in_channels) / pixel;
    int64_t each = threads * (limits->loop_iterations > 0 ? MOST_UNITS_OF_SHORT_LOOPS : MOST_UNITS);
    int64_t units = (pass->launch.in_width + unit - 1) / unit * rows;
    int64_t blocks = (units + threads * UNITS_UNDER_WAY - 1) / (threads * UNITS_UNDER_WAY), least = (units + each - 1) / each;
    most = occupancy < most ? occupancy : most;
    blocks = blocks < most ? blocks : most;
    return (uint32_t)(blocks > least ? blocks : least);
}

#define ALONG_ROWS 16 /* blocks that walk along rows begin at a multiple of so many */
void weft_gpu_grid(const struct gpu_plan *plan, const struct gpu_pass *pass, struct gpu_rows made, uint32_t *grid,
                   int32_t *walk) {
    int64_t rows = made.end - made.first, each = pass->tile_height;
    if (pass->spreads) {
        grid[0] = rows > 0 ? blocks_of_units(plan, pass, rows) : 0;
        grid[1] = grid[2] = 1;
        return;
    }
    int64_t across = ((int64_t)pass->launch.width + pass->tile_width - 1) / pass->tile_width;
    if (pass->along)
        across = (made.first % ALONG_ROWS + rows + pass->tile_height - 1) / pass->tile_height;
    if (pass->walks && rows > 0) {
        const struct gpu_limits *limits = &((const struct gpu_device_base *)(const void *)plan->device)->limits;
        int32_t occupancy = driver_of(plan)->kernel_occupancy(plan->device, pass->code);
        if (pass->occupancy > 0 && pass->occupancy * limits->multiprocessors < occupancy)
            occupancy = pass->occupancy * limits->multiprocessors;
        each = walk_rows(pass->along ? pass->launch.width : rows, across * pass->depth, occupancy,
                         pass->along ? pass->tile_width : pass->tile_height, limits->loop_iterations > 0);
    }
    if (walk)
        *walk = (int32_t)each;
    if (pass->ahead >= 0 && rows > 0)
        rows += (made.first + pass->ahead) % each;
    grid[0] = (uint32_t)(pass->along ? (pass->launch.width + each - 1) / each : across);
    grid[1] = (uint32_t)(pass->along ? across : (rows + each - 1) / each);
    grid[2] = rows > 0 ? (uint32_t)pass->depth : 0;
}

/* The address of row 0 of a picture in a band, whether or not that row is there. */
uint64_t weft_gpu_address(const struct gpu_plan *plan, int32_t stage, int32_t band, int32_t picture) {
    const struct gpu_place *place = &plan->stages[stage].places[picture];
    const struct gpu_picture *p = &plan->b.pictures[picture];
    bool whole = p->role == GPU_KEPT || p->role == GPU_VALUES || (p->role == GPU_INPUT && plan->keeps_inputs);
    int64_t first = whole ? 0 : plan->stages[stage].bands[band].rows[picture].first;
    return plan->arena.address + place->offset[place->slots > 1 ? band % 2 : 0] - (uint64_t)(first * place->pitch);
}

static void set_images(const struct gpu_plan *plan, const struct gpu_pass *pass, int32_t stage, int32_t band,
                       struct gpu_launch *launch) {
    for (int32_t i = 0; i < pass->picture_count; i++) {
        int32_t p = pass->picture[i];
        launch->image[i].first = weft_gpu_address(plan, stage, band, p);
        launch->image[i].pitch = plan->stages[stage].places[p].pitch;
        launch->image[i].from_y = (int32_t)plan->stages[stage].bands[band].rows[p].first;
        launch->image[i].to_y = (int32_t)plan->stages[stage].bands[band].rows[p].end;
    }
}

/* The reductions of a pass: each band's blocks leave their results behind those of the bands before. */
static void set_reductions(const struct gpu_plan *plan, int32_t pass, int32_t stage, int32_t band,
                           struct gpu_launch *launch) {
    const struct gpu_stage *s = &plan->stages[stage];
    int64_t blocks = 0;
    for (int32_t k = 0; k < band; k++) {
        uint32_t grid[3];
        weft_gpu_grid(plan, plan->b.passes[pass], s->bands[k].made[pass - s->first_pass], grid, NULL);
        blocks += (int64_t)grid[0] * grid[1] * grid[2];
    }
    for (int32_t r = 0; r < plan->b.fused_count; r++) {
        const struct gpu_fused_reduction *fused = &plan->b.fused[r];
        const struct gpu_unit *unit = &plan->b.units[fused->unit];
        if (unit->first_pass + unit->pass_count - 1 != pass)
            continue;
        struct gpu_reduction *reduction = &launch->reduce[fused->slot];
        int64_t skip = weft_reduction_counters(fused->what) > 0 ? 0 : blocks * reduction->channels * 2 * (int64_t)sizeof(float);
        reduction->partial = plan->arena.address + fused->partial + (uint64_t)skip;
        reduction->from_y = (int32_t)((int64_t)launch->height * band / s->band_count);
        reduction->to_y = (int32_t)((int64_t)launch->height * (band + 1) / s->band_count);
    }
}

static weft_status record_pass(struct gpu_recording *r, int32_t pass, int32_t stage, int32_t band, weft_error *error) {
    struct gpu_plan *plan = r->plan;
    const struct gpu_pass *p = plan->b.passes[pass];
    const struct gpu_limits *limits = &((struct gpu_device_base *)(void *)plan->device)->limits;
    struct gpu_rows made = plan->stages[stage].bands[band].made[pass - plan->stages[stage].first_pass];
    uint32_t grid[3];
    int32_t walk = 0;
    if (made.first >= made.end)
        return WEFT_OK;
    weft_gpu_grid(plan, p, made, grid, &walk);
    for (int i = 0; i < 3; i++)
        if (grid[i] > limits->grid[i])
            return weft_fail(error, WEFT_ERROR_UNSUPPORTED,
                             "an image of %dx%d pixels needs %u blocks along an axis; this device runs at most %u",
                             (int)p->launch.width, (int)p->launch.height, grid[i], limits->grid[i]);
    struct gpu_launch_record record = {.pass = pass, .stage = stage, .band = band};
    struct gpu_launch *launch = weft_gpu_launch_add(r, record, p->code, grid, error);
    if (!launch)
        return WEFT_ERROR_MEMORY;
    *launch = p->launch;
    launch->from_y = (int32_t)made.first, launch->to_y = (int32_t)made.end;
    if (p->walks)
        launch->walk = walk;
    for (int32_t t = 0; t < p->table_count; t++) {
        address there = plan->arena.address + plan->table[t][pass];
        memcpy((unsigned char *)launch + p->table[t].field, &there, sizeof there);
    }
    weft_gpu_set_blocks(plan, launch, plan->bound[pass]);
    set_images(plan, p, stage, band, launch);
    set_reductions(plan, pass, stage, band, launch);
    return WEFT_OK;
}

/* Tables begin at zero, and every run leaves them so: only the first one, and one after a failure, clears. */
static weft_status record_clear(struct gpu_plan *plan, weft_error *error) {
    struct gpu_recording r = {.plan = plan};
    weft_status status = WEFT_OK;
    for (int32_t i = 0; i < plan->b.fused_count && status == WEFT_OK; i++) {
        const struct gpu_fused_reduction *fused = &plan->b.fused[i];
        if (weft_reduction_counters(fused->what) == 0)
            continue;
        struct gpu_command *command = weft_gpu_command_add(&r, GPU_CLEAR, error);
        if (!command) {
            status = WEFT_ERROR_MEMORY;
            break;
        }
        command->to = &plan->arena;
        command->to_offset = fused->partial;
        command->size = weft_gpu_table_bytes(&plan->b, fused);
    }
    if (status == WEFT_OK && r.count > 0)
        status = driver_of(plan)->list_create(plan->device, GPU_QUEUE_COMPUTE, r.commands, r.count, &plan->clear, error);
    weft_free(r.commands);
    return status;
}

/* A kernel of the plan's own, without programs. */
static weft_status own_kernel(struct gpu_plan *plan, const char *name, const struct gpu_kernel **code, weft_error *error) {
    int32_t row = 0;
    while (weft_gpu_kernels[row].name && strcmp(weft_gpu_kernels[row].name, name) != 0)
        row++;
    if (!weft_gpu_kernels[row].name)
        return weft_fail(error, WEFT_ERROR_INTERNAL, "this build has no GPU kernel '%s'", name);
    return driver_of(plan)->kernel_get(plan->device, row, &(struct gpu_wanted){0}, code, error);
}

static weft_status record_band(struct gpu_plan *plan, int32_t frame_slot, int32_t *next, int32_t stage, int32_t band,
                               weft_error *error) {
    struct gpu_recording r = {.plan = plan, .frame_slot = frame_slot, .next = next};
    struct gpu_stage *s = &plan->stages[stage];
    weft_status status = WEFT_OK;
    for (int32_t p = s->first_pass; status == WEFT_OK && band == 0 && p < s->first_pass + s->pass_count; p++)
        if (plan->bound[p] != SIZE_MAX)
            status = weft_gpu_record_bind(&r, p, stage, error);
    for (int32_t p = s->first_pass; status == WEFT_OK && p < s->first_pass + s->pass_count; p++)
        status = record_pass(&r, p, stage, band, error);
    for (int32_t i = 0; status == WEFT_OK && band == s->band_count - 1 && i < plan->b.fused_count; i++)
        if (plan->b.units[plan->b.fused[i].unit].stage == stage)
            status = weft_gpu_record_join(&r, &plan->b.fused[i], stage, error);
    if (status == WEFT_OK)
        status = driver_of(plan)->list_create(plan->device, GPU_QUEUE_COMPUTE, r.commands, r.count,
                                              &s->bands[band].lists[frame_slot], error);
    weft_free(r.commands);
    return status;
}

weft_status weft_gpu_record(struct gpu_plan *plan, weft_error *error) {
    size_t launches = (size_t)plan->b.fused_count;
    weft_status status = WEFT_OK;
    for (int32_t p = 0; status == WEFT_OK && p < plan->b.pass_count; p++)
        if (plan->bound[p] != SIZE_MAX) {
            for (int32_t i = 0; i < plan->b.block_count; i++)
                if (plan->b.blocks[i].pass == p)
                    launches += (size_t)plan->b.typed->graph->nodes[plan->b.blocks[i].node].binding_count;
            status = plan->bind ? WEFT_OK : own_kernel(plan, "bind", &plan->bind, error);
        }
    if (status == WEFT_OK && plan->b.fused_count > 0)
        status = own_kernel(plan, "reduce_finish", &plan->join, error);
    /* One slot is enough for bands, because each band waits for the host, and for launches by value, which are copied at once. */
    plan->frame_slots = GPU_FRAME_SLOTS;
    for (int32_t s = 0; s < plan->stage_count; s++) {
        launches += (size_t)plan->stages[s].pass_count * (size_t)plan->stages[s].band_count;
        plan->frame_slots = plan->stages[s].band_count > 1 ? 1 : plan->frame_slots;
    }
    plan->frame_slot_size = (launches + 1) * GPU_LAUNCH_STRIDE;
    if (status == WEFT_OK)
        status = driver_of(plan)->memory_create(plan->device, GPU_MEMORY_LAUNCH, (size_t)plan->frame_slots * plan->frame_slot_size,
                                                &plan->launches, error);
    if (status == WEFT_OK && plan->launches.address == 0)
        plan->frame_slots = 1;
    if (status == WEFT_OK)
        status = record_clear(plan, error);
    for (int32_t frame_slot = 0; status == WEFT_OK && frame_slot < plan->frame_slots; frame_slot++) {
        int32_t next = 0;
        for (int32_t s = 0; s < plan->stage_count; s++)
            for (int32_t k = 0; status == WEFT_OK && k < plan->stages[s].band_count; k++)
                status = record_band(plan, frame_slot, &next, s, k, error);
    }
    return status;
}
