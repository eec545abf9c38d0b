/* SPDX-License-Identifier: MIT
 * From a typed graph to a plan on a GPU: passes, code, memory, launches, lists. A run does none of this work. */
#include <string.h>
#include "backend/gpu/run/values.h"
#include "backend/gpu/plan/plan.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/threads.h"

/* What a warp reads is kept, since it reads at any place. Where that is an input of the graph times its alpha, and each pixel of it
 * is read some four times, or weighed in whole numbers where pixels are opaque, the warp's kernel reads the input and multiplies:
 * 16 bytes a pixel are neither written nor read. */
static void read_inputs_directly(struct gpu_builder *b) {
    const struct weft_graph *graph = b->typed->graph;
    for (int32_t n = 0; n < graph->count; n++) {
        const struct weft_filter *filter = graph->nodes[n].filter;
        int32_t readers = 0, warps = 0;
        if (!filter || !weft_role_multiplies(filter->role) || graph->nodes[graph->nodes[n].inputs[0]].filter)
            continue;
        for (int32_t c = n + 1; c < graph->count; c++)
            for (int32_t i = 0; graph->nodes[c].filter && i < graph->nodes[c].filter->info.inputs; i++)
                if (graph->nodes[c].inputs[i] == n)
                    readers++, warps += graph->nodes[c].filter->kind == WEFT_KIND_WARP &&
                                        (!graph->nodes[c].filter->places || graph->nodes[c].filter->spread);
        if (readers == 1 && warps == 1 && !weft_is_output(b->typed, n))
            b->schedule.keep[n] = false;
    }
}

static weft_status partition(struct gpu_plan *plan, weft_error *error) {
    struct gpu_builder *b = &plan->b;
    size_t count = (size_t)b->typed->graph->count;
    weft_status status = weft_schedule_make(b->typed, &b->schedule, error);
    if (status != WEFT_OK)
        return status;
    read_inputs_directly(b);
    b->picture_of = weft_allocate(count, sizeof *b->picture_of);
    b->unit_of = weft_allocate(count, sizeof *b->unit_of);
    b->group = weft_allocate(count, sizeof *b->group);
    b->steps = weft_allocate(count, sizeof *b->steps);
    b->stored_steps = weft_allocate(count, sizeof *b->stored_steps);
    b->member = weft_allocate(count, sizeof *b->member);
    if (!b->stored_steps || !b->picture_of || !b->unit_of || !b->group || !b->steps || !b->member)
        return weft_fail_memory(error, count * sizeof *b->steps, "the plan");
    return weft_gpu_partition(b, error);
}

/* Passes and stages: units are in order of stage. A stage without a pass (an image only kept from before) has none. */
static weft_status find_stages(struct gpu_plan *plan, weft_error *error) {
    struct gpu_builder *b = &plan->b;
    int32_t count = 0;
    plan->stages = weft_allocate((size_t)b->schedule.stages, sizeof *plan->stages);
    plan->bound = weft_allocate((size_t)b->pass_count, sizeof *plan->bound);
    plan->pulled = weft_allocate((size_t)b->typed->graph->input_count, sizeof *plan->pulled);
    bool complete = plan->stages && plan->bound && plan->pulled;
    for (int32_t t = 0; complete && t < GPU_TABLES; t++) {
        plan->table[t] = weft_allocate((size_t)b->pass_count, sizeof *plan->table[t]);
        complete = plan->table[t] != NULL;
    }
    for (int32_t u = 0; complete && u < b->unit_count; u++) {
        const struct gpu_unit *unit = &b->units[u];
        if (unit->stage >= count)
            for (; count <= unit->stage; count++)
                plan->stages[count].first_pass = unit->first_pass;
        plan->stages[unit->stage].pass_count += unit->pass_count;
    }
    plan->stage_count = count;
    for (int32_t s = 0; complete && s < count; s++) {
        plan->stages[s].places = weft_allocate((size_t)b->picture_count, sizeof *plan->stages[s].places);
        complete = plan->stages[s].places != NULL;
    }
    for (int32_t p = 0; complete && p < b->pass_count; p++)
        plan->bound[p] = SIZE_MAX;
    for (int32_t i = 0; complete && i < b->block_count; i++)
        if (b->typed->graph->nodes[b->blocks[i].node].binding_count > 0)
            plan->bound[b->blocks[i].pass] = 0;
    return complete ? WEFT_OK : weft_fail_memory(error, (size_t)b->pass_count * sizeof *plan->bound, "the plan");
}

/* Passes of a plan whose code several threads get at the same time, because compiling takes long. */
struct getting {
    struct gpu_plan *plan;
    weft_status status; /* of the first pass that failed, whose error it is */
    int32_t failed;
    weft_error error;
    pthread_mutex_t lock;
};

static void get_one(void *user, int32_t lane, int32_t p) {
    struct getting *getting = user;
    struct gpu_plan *plan = getting->plan;
    struct gpu_pass *pass = plan->b.passes[p];
    const struct gpu_wanted wanted = {&pass->launch, pass->path, plan->bound[p] != SIZE_MAX};
    weft_error error = {0};
    (void)lane;
    weft_status status = weft_gpu_driver(plan)->kernel_get(plan->device, pass->kernel, &wanted, &pass->code, &error);
    if (status == WEFT_OK)
        return;
    pthread_mutex_lock(&getting->lock);
    if (getting->status == WEFT_OK || p < getting->failed)
        getting->status = status, getting->failed = p, getting->error = error;
    pthread_mutex_unlock(&getting->lock);
}

static weft_status get_code(struct gpu_plan *plan, weft_error *error) {
    struct getting getting = {.plan = plan};
    struct weft_pool *pool = NULL;
    int32_t count = plan->b.pass_count, threads = weft_thread_count();
    for (int32_t p = 0; p < count; p++)
        plan->b.passes[p]->launch.converts = weft_gpu_conversions(&plan->b.passes[p]->launch);
    if (pthread_mutex_init(&getting.lock, NULL) != 0)
        return weft_fail_memory(error, sizeof getting.lock, "a lock");
    if (count > 1 && threads > 1)
        getting.status = weft_pool_create(threads < count ? threads : count, &pool, &getting.error);
    if (pool)
        weft_pool_run(pool, count, get_one, &getting);
    for (int32_t p = 0; !pool && p < count && getting.status == WEFT_OK; p++)
        get_one(&getting, 0, p);
    weft_pool_destroy(&pool);
    pthread_mutex_destroy(&getting.lock);
    if (getting.status != WEFT_OK && error)
        *error = getting.error;
    return getting.status;
}

/* Runs one copy and waits: for tables, when the plan is made. */
static weft_status copy_now(struct gpu_plan *plan, size_t to, const void *data, size_t size, weft_error *error) {
    const struct gpu_driver *driver = weft_gpu_driver(plan);
    for (size_t done = 0; done < size;) {
        size_t piece = size - done < 4 * plan->staging_half ? size - done : 4 * plan->staging_half;
        struct gpu_command command = {.kind = GPU_COPY,
                                      .from = &plan->staging,
                                      .to = &plan->arena,
                                      .to_offset = to + done,
                                      .size = (piece + 3) / 4 * 4};
        struct gpu_list *list = NULL;
        struct gpu_point point = {0};
        memcpy(plan->staging.host, (const unsigned char *)data + done, piece);
        weft_status status = driver->list_create(plan->device, GPU_QUEUE_UPLOAD, &command, 1, &list, error);
        if (status == WEFT_OK)
            status = driver->submit(plan->device, list, NULL, 0, NULL, &point, error);
        if (status == WEFT_OK)
            status = driver->wait(plan->device, point, error);
        if (list)
            driver->list_destroy(plan->device, list);
        if (status != WEFT_OK)
            return status;
        done += piece;
    }
    return WEFT_OK;
}

static weft_status upload_tables(struct gpu_plan *plan, weft_error *error) {
    weft_status status = WEFT_OK;
    for (int32_t p = 0; p < plan->b.pass_count; p++)
        for (int32_t t = 0; t < GPU_TABLES && status == WEFT_OK; t++)
            if (plan->b.passes[p]->table[t].data)
                status = copy_now(plan, plan->table[t][p], plan->b.passes[p]->table[t].data,
                                  plan->b.passes[p]->table[t].size, error);
    return status;
}

/* Adds to `error`, which says why a device cannot run a node, where the node stands. */
static weft_status refuse(const struct weft_graph_node *node, weft_error *error) {
    weft_error_at(error, node->origin, node->filter->info.name, NULL);
    if (error)
        error->offset = node->offset, error->length = node->length;
    return WEFT_ERROR_UNSUPPORTED;
}

/* A border's value is part of launch records, which are written before a run. So a number that the run computes cannot be one. */
static weft_status refuse_bound_border(const struct weft_typed_graph *typed, weft_error *error) {
    for (int32_t n = 0; n < typed->graph->count; n++) {
        const struct weft_graph_node *node = &typed->graph->nodes[n];
        bool bound = false;
        for (int32_t k = 0; k < node->binding_count && node->filter->border >= 0; k++)
            bound = bound || node->bindings[k].parameter == node->filter->border + 1;
        if (!bound || weft_filter_border(node->filter, node->block) != WEFT_BORDER_CONSTANT)
            continue;
        weft_fail(
            error, WEFT_ERROR_UNSUPPORTED,
            "border_value of %s is a number that another filter computes, which only the CPU supports: the device must be cpu "
            "or auto, or border_value a number",
            node->filter->info.name);
        return refuse(node, error);
    }
    return WEFT_OK;
}

/* Functions of the program's own are the CPU's code. */
static weft_status refuse_custom(const struct weft_typed_graph *typed, weft_error *error) {
    for (int32_t n = 0; n < typed->graph->count; n++) {
        const struct weft_graph_node *node = &typed->graph->nodes[n];
        if (!node->filter || !node->filter->custom)
            continue;
        weft_fail(error, WEFT_ERROR_UNSUPPORTED,
                  "%s is a filter of the program's own, which runs on the CPU: the device must be cpu or auto",
                  node->filter->info.name);
        return refuse(node, error);
    }
    return WEFT_OK;
}

weft_status weft_gpu_compile(weft_device *device, const struct weft_typed_graph *typed, void **compiled,
                             weft_error *error) {
    weft_status status = refuse_custom(typed, error);
    status = status == WEFT_OK ? refuse_bound_border(typed, error) : status;
    if (status != WEFT_OK)
        return status;
    struct gpu_plan *plan = weft_allocate(1, sizeof *plan);
    if (!plan)
        return weft_fail_memory(error, sizeof *plan, "the plan");
    plan->device = (struct gpu_device *)(void *)device;
    plan->b.device = plan->device, plan->b.typed = typed;
    plan->has_lock = pthread_mutex_init(&plan->lock, NULL) == 0;
    status = plan->has_lock ? WEFT_OK : weft_fail_memory(error, sizeof plan->lock, "the plan's lock");
    if (status == WEFT_OK)
        status = partition(plan, error);
    if (status == WEFT_OK)
        status = find_stages(plan, error);
    if (status == WEFT_OK)
        status = get_code(plan, error);
    if (status == WEFT_OK)
        status = weft_gpu_arrange(plan, error);
    if (status == WEFT_OK)
        status = weft_gpu_driver(plan)->memory_create(plan->device, GPU_MEMORY_DEVICE, plan->arena_size + 256, &plan->arena, error);
    if (status == WEFT_OK)
        status = weft_gpu_transfers(plan, error);
    if (status == WEFT_OK)
        status = weft_gpu_record(plan, error);
    if (status == WEFT_OK)
        status = upload_tables(plan, error);
    if (status == WEFT_OK)
        *compiled = plan;
    else
        weft_gpu_destroy(plan);
    return status;
}

/* A run takes nothing from the caller's workspace: a GPU plan has its own memory on the device. */
size_t weft_gpu_workspace_size(const void *compiled) {
    (void)compiled;
    return 0;
}

int32_t weft_gpu_passes(const void *compiled) { return ((const struct gpu_plan *)compiled)->b.pass_count; }

bool weft_gpu_can_stream(const void *compiled) { return ((const struct gpu_plan *)compiled)->streams; }
