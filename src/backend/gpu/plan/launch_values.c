/* SPDX-License-Identifier: MIT
 * Launches of the plan's own kernels, which have to do with numbers found on the device: those of images go into
 * parameter blocks, and what the blocks of a reduction leave becomes numbers. */
#include <string.h>
#include "backend/gpu/plan/recording.h"
#include "base/status.h"

static int32_t bits_of(double v) {
    float value = (float)v;
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* The picture that a binding reads: kept for it, or the numbers of a reduction. */
static int32_t kept_picture(const struct gpu_plan *plan, int32_t node) {
    for (int32_t p = 0; p < plan->b.picture_count; p++)
        if (plan->b.pictures[p].node == node &&
            (plan->b.pictures[p].role == GPU_KEPT || plan->b.pictures[p].role == GPU_VALUES))
            return p;
    return -1;
}

struct bound_number {
    const struct weft_binding *binding;
    const struct weft_filter *filter;
    int32_t word;
};

/* Bound parameters of a pass from number `from` on, at most LAUNCH_CODE; returns how many. */
static int32_t bound_numbers(const struct gpu_plan *plan, int32_t pass, int32_t from, struct bound_number *list) {
    int32_t count = 0, index = 0;
    for (int32_t i = 0; i < plan->b.block_count; i++) {
        const struct gpu_block *block = &plan->b.blocks[i];
        const struct weft_graph_node *node = &plan->b.typed->graph->nodes[block->node];
        for (int32_t k = 0; block->pass == pass && k < node->binding_count; k++, index++)
            if (index >= from && count < LAUNCH_CODE) {
                const struct weft_parameter *parameter = &node->filter->parameters[node->bindings[k].parameter];
                list[count++] = (struct bound_number){&node->bindings[k], node->filter,
                                                      block->word + (int32_t)(parameter->offset / 4) +
                                                          node->bindings[k].component};
            }
    }
    return count;
}

static void fill_number(const struct gpu_plan *plan, int32_t stage, const struct bound_number *number, int32_t i,
                        struct gpu_launch *launch) {
    const struct weft_binding *binding = number->binding;
    const struct weft_parameter *parameter = &number->filter->parameters[binding->parameter];
    int32_t picture = kept_picture(plan, binding->from), slot = 0;
    const struct gpu_picture *p = &plan->b.pictures[picture];
    int64_t pixel = binding->index / p->channels;
    uint64_t first = weft_gpu_address(plan, stage, 0, picture);
    while (slot < LAUNCH_IMAGES - 1 && launch->image[slot].first && launch->image[slot].first != first)
        slot++;
    launch->image[slot] = (struct gpu_image){.first = first,
                                             .pitch = plan->stages[stage].places[picture].pitch,
                                             .width = (int32_t)p->width,
                                             .height = (int32_t)p->height,
                                             .type = p->type,
                                             .channels = p->channels};
    launch->store[i] = (struct gpu_instruction){.op = number->word,
                                                .operands = slot,
                                                .shape = (int32_t)(pixel % p->width * p->channels + binding->index % p->channels),
                                                .block = (int32_t)(pixel / p->width)};
    launch->load[i] = (struct gpu_instruction){.op = bits_of(binding->scale),
                                               .operands = bits_of(binding->scale - (double)(float)binding->scale),
                                               .shape = bits_of(parameter->info.minimum),
                                               .block = bits_of(parameter->info.maximum)};
}

weft_status weft_gpu_record_bind(struct gpu_recording *r, int32_t pass, int32_t stage, weft_error *error) {
    struct gpu_plan *plan = r->plan;
    struct bound_number list[LAUNCH_CODE];
    const uint32_t grid[3] = {1, 1, 1};
    for (int32_t from = 0;;) {
        int32_t count = bound_numbers(plan, pass, from, list);
        count = count < LAUNCH_IMAGES ? count : LAUNCH_IMAGES;
        if (count == 0)
            return WEFT_OK;
        struct gpu_launch_record record = {.pass = pass, .stage = stage, .band = -1};
        struct gpu_launch *launch = weft_gpu_launch_add(r, record, plan->bind, grid, error);
        if (!launch)
            return WEFT_ERROR_MEMORY;
        memset(launch, 0, sizeof *launch);
        launch->reduced.blocks = plan->arena.address + plan->bound[pass];
        launch->reduced.numbers = count;
        launch->reduced.copies_words = from == 0;
        launch->width = launch->height = launch->to_y = 1;
        weft_gpu_set_blocks(plan, launch, SIZE_MAX);
        for (int32_t i = 0; i < count; i++)
            fill_number(plan, stage, &list[i], i, launch);
        from += count;
    }
}

weft_status weft_gpu_record_join(struct gpu_recording *r, const struct gpu_fused_reduction *fused, int32_t stage,
                                 weft_error *error) {
    struct gpu_plan *plan = r->plan;
    const weft_image_info *in = &plan->b.typed->info[fused->input];
    const struct gpu_picture *numbers = &plan->b.pictures[fused->picture];
    struct gpu_launch_record record = {.pass = -1, .stage = stage};
    int32_t counters = weft_reduction_counters(fused->what), made = counters > 1 ? fused->bins : fused->bins * in->format.channels;
    const uint32_t grid[3] = {counters > 0 ? (uint32_t)((made + 255) / 256) : 1, 1, 1};
    double divisor = (double)fused->full;
    if (fused->what == WEFT_REDUCE_MEAN)
        divisor *= (double)in->width * (double)in->height;
    for (int32_t i = 0; i < plan->value_count; i++)
        if (plan->values[i].picture == fused->picture) {
            record.for_host = true;
            record.staged = plan->values[i].staged;
        }
    struct gpu_launch *launch = weft_gpu_launch_add(r, record, plan->join, grid, error);
    if (!launch)
        return WEFT_ERROR_MEMORY;
    memset(launch, 0, sizeof *launch);
    launch->reduced.partials = plan->arena.address + fused->partial;
    launch->reduced.what = (int32_t)fused->what;
    launch->reduced.channels = in->format.channels;
    launch->reduced.partial_count = (int32_t)fused->partials;
    launch->reduced.bins = fused->bins;
    launch->in_width = (int32_t)in->width, launch->in_height = (int32_t)in->height;
    launch->reduced.divisor = (float)divisor;
    launch->reduced.divisor_rest = (float)(divisor - (double)(float)divisor);
    launch->width = (int32_t)numbers->width, launch->height = launch->to_y = 1;
    launch->image[0] = (struct gpu_image){.first = weft_gpu_address(plan, stage, 0, fused->picture),
                                          .pitch = plan->stages[stage].places[fused->picture].pitch,
                                          .width = (int32_t)numbers->width,
                                          .height = 1,
                                          .to_y = 1,
                                          .type = numbers->type,
                                          .channels = numbers->channels};
    r->commands[r->count - 1].for_host = record.for_host;
    weft_gpu_set_blocks(plan, launch, SIZE_MAX);
    return WEFT_OK;
}
