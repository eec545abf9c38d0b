/* SPDX-License-Identifier: MIT
 * The values of reductions on their way to the caller: see values.h. Those under way stand in a list in the order in which
 * the device ends them, so that where two runs write to the same place the later one's stay. Its lock is the last that is
 * taken, and nothing is waited for under it. */
#include "backend/gpu/run/values.h"
#include <string.h>
#include "base/memory.h"
#include "base/status.h"

struct gpu_delivery {
    struct gpu_delivery *before, *next;
    const struct gpu_plan *plan;
    int32_t slot;
    bool under_way;
    struct gpu_point done;
    weft_run_output *outputs; /* as many as the graph has */
};

struct gpu_deliveries {
    pthread_mutex_t lock;
    struct gpu_delivery *first, *last;
};

static const struct gpu_device_base *base_of(const struct gpu_device *device) {
    return (const struct gpu_device_base *)(const void *)device;
}

weft_status weft_gpu_deliveries_create(struct gpu_deliveries **deliveries, weft_error *error) {
    *deliveries = weft_allocate(1, sizeof **deliveries);
    if (*deliveries && pthread_mutex_init(&(*deliveries)->lock, NULL) == 0)
        return WEFT_OK;
    weft_free(*deliveries);
    *deliveries = NULL;
    return weft_fail_memory(error, sizeof **deliveries, "the device");
}

void weft_gpu_deliveries_destroy(struct gpu_deliveries *deliveries) {
    if (deliveries)
        pthread_mutex_destroy(&deliveries->lock);
    weft_free(deliveries);
}

weft_status weft_gpu_values_create(struct gpu_plan *plan, weft_error *error) {
    size_t count = (size_t)plan->b.typed->graph->output_count;
    if (plan->value_count == 0)
        return WEFT_OK;
    plan->deliveries = weft_allocate((size_t)plan->slots, sizeof *plan->deliveries);
    plan->delivered = weft_allocate((size_t)plan->slots * count, sizeof *plan->delivered);
    if (!plan->deliveries || !plan->delivered)
        return weft_fail_memory(error, (size_t)plan->slots * count * sizeof *plan->delivered, "the plan");
    for (int32_t i = 0; i < plan->slots; i++)
        plan->deliveries[i] =
            (struct gpu_delivery){.plan = plan, .slot = i, .outputs = plan->delivered + (size_t)i * count};
    return WEFT_OK;
}

/* The lock is held. */
static void take_out(struct gpu_deliveries *list, struct gpu_delivery *delivery) {
    *(delivery->before ? &delivery->before->next : &list->first) = delivery->next;
    *(delivery->next ? &delivery->next->before : &list->last) = delivery->before;
    delivery->before = delivery->next = NULL;
    delivery->under_way = false;
}

void weft_gpu_values_destroy(struct gpu_plan *plan) {
    struct gpu_deliveries *list = base_of(plan->device)->deliveries;
    pthread_mutex_lock(&list->lock);
    for (int32_t i = 0; plan->deliveries && i < plan->slots; i++)
        if (plan->deliveries[i].under_way)
            take_out(list, &plan->deliveries[i]);
    pthread_mutex_unlock(&list->lock);
    weft_free(plan->deliveries);
    weft_free(plan->delivered);
    weft_free(plan->values);
}

/* Numbers are kept as two floats; the caller gets doubles. */
static void spread(const struct gpu_picture *picture, const unsigned char *from, unsigned char *to) {
    for (int64_t i = 0; i < picture->width * picture->channels; i++) {
        float parts[2];
        memcpy(parts, from + i * 8, sizeof parts);
        double number = (double)parts[0] + (double)parts[1];
        memcpy(to + i * 8, &number, sizeof number);
    }
}

weft_status weft_gpu_values_give(const struct gpu_plan *plan, int32_t slot, const weft_run_output *outputs,
                                 weft_error *error) {
    const struct weft_graph *graph = plan->b.typed->graph;
    weft_status status = WEFT_OK;
    for (int32_t n = 0; n < plan->value_count; n++) {
        const struct gpu_picture *picture = &plan->b.pictures[plan->values[n].picture];
        unsigned char *from =
            plan->staging.host + plan->values_at + (size_t)slot * plan->values_size + plan->values[n].staged;
        bool in_place = false;
        for (int32_t i = 0; i < graph->output_count; i++)
            if (graph->outputs[i] == picture->node && !outputs[i].sink.write)
                spread(picture, from, outputs[i].image.data);
        for (int32_t i = 0; i < graph->output_count && status == WEFT_OK; i++)
            if (graph->outputs[i] == picture->node && outputs[i].sink.write) {
                if (!in_place)
                    spread(picture, from, from);
                in_place = true;
                status = outputs[i].sink.write(outputs[i].sink.user, 0, 1, from, (ptrdiff_t)weft_gpu_row_bytes(picture),
                                               error);
            }
    }
    return status;
}

void weft_gpu_values_later(struct gpu_plan *plan, int32_t slot, struct gpu_point done, const weft_run_output *outputs) {
    struct gpu_deliveries *list = base_of(plan->device)->deliveries;
    struct gpu_delivery *delivery = &plan->deliveries[slot];
    memcpy(delivery->outputs, outputs, (size_t)plan->b.typed->graph->output_count * sizeof *outputs);
    pthread_mutex_lock(&list->lock);
    struct gpu_delivery *before = list->last;
    while (before && before->done.value > done.value) /* of another thread, which came here first */
        before = before->before;
    delivery->done = done;
    delivery->under_way = true;
    delivery->before = before;
    delivery->next = before ? before->next : list->first;
    *(before ? &before->next : &list->first) = delivery;
    *(delivery->next ? &delivery->next->before : &list->last) = delivery;
    pthread_mutex_unlock(&list->lock);
}

void weft_gpu_values_passed(struct gpu_device *device, uint64_t value) {
    struct gpu_deliveries *list = base_of(device)->deliveries;
    pthread_mutex_lock(&list->lock);
    while (list->first && list->first->done.value <= value) {
        struct gpu_delivery *delivery = list->first;
        weft_gpu_values_give(delivery->plan, delivery->slot, delivery->outputs, NULL); /* no sinks: it cannot fail */
        take_out(list, delivery);
    }
    pthread_mutex_unlock(&list->lock);
}

static weft_status wait_and_give(struct gpu_device *device, struct gpu_point done, weft_error *error) {
    weft_status status = done.value ? base_of(device)->driver->wait(device, done, error) : WEFT_OK;
    if (status == WEFT_OK && done.value)
        weft_gpu_values_passed(device, done.value);
    return status;
}

weft_status weft_gpu_values_free(struct gpu_plan *plan, int32_t slot, weft_error *error) {
    struct gpu_deliveries *list = base_of(plan->device)->deliveries;
    struct gpu_point done = {0};
    pthread_mutex_lock(&list->lock);
    if (plan->deliveries[slot].under_way)
        done = plan->deliveries[slot].done;
    pthread_mutex_unlock(&list->lock);
    return wait_and_give(plan->device, done, error);
}

weft_status weft_gpu_values_wait(struct gpu_device *device, weft_error *error) {
    struct gpu_deliveries *list = base_of(device)->deliveries;
    struct gpu_point done = {0};
    pthread_mutex_lock(&list->lock);
    if (list->last)
        done = list->last->done;
    pthread_mutex_unlock(&list->lock);
    return wait_and_give(device, done, error);
}
