/* SPDX-License-Identifier: MIT
 * Frees a plan: all that it has on the device and in memory. */
#include <string.h>
#include "backend/gpu/run/values.h"
#include "backend/gpu/plan/plan.h"
#include "base/memory.h"

void weft_gpu_builder_clear(struct gpu_builder *b) {
    for (int32_t p = 0; p < b->pass_count; p++) {
        for (int32_t t = 0; t <= GPU_TABLES; t++)
            weft_free(b->passes[p]->table[t].data);
        weft_free(b->passes[p]->first_row);
        weft_free(b->passes[p]);
    }
    weft_schedule_clear(&b->schedule);
    weft_free(b->passes);
    weft_free(b->pictures);
    weft_free(b->units);
    weft_free(b->stores);
    weft_free(b->fused);
    weft_free(b->blocks);
    weft_free(b->picture_of);
    weft_free(b->unit_of);
    weft_free(b->group);
    weft_free(b->member);
    weft_free(b->steps);
    weft_free(b->stored_steps);
    memset(b, 0, sizeof *b);
}

static void destroy_lists(const struct gpu_plan *plan, struct gpu_transfer *transfers, int32_t count) {
    for (int32_t i = 0; i < count; i++)
        if (transfers[i].list)
            weft_gpu_driver(plan)->list_destroy(plan->device, transfers[i].list);
    weft_free(transfers);
}

static void release_code(const struct gpu_plan *plan) {
    const struct gpu_kernel *own[] = {plan->bind, plan->join};
    for (int32_t p = 0; p < plan->b.pass_count; p++)
        if (plan->b.passes[p]->code)
            weft_gpu_driver(plan)->kernel_release(plan->device, plan->b.passes[p]->code);
    for (int i = 0; i < 2; i++)
        if (own[i])
            weft_gpu_driver(plan)->kernel_release(plan->device, own[i]);
}

void weft_gpu_destroy(void *compiled) {
    struct gpu_plan *plan = compiled;
    const struct gpu_driver *driver = weft_gpu_driver(plan);
    driver->wait(plan->device, plan->latest, NULL); /* a lost device has nothing running either */
    for (int32_t s = 0; s < plan->stage_count; s++) {
        struct gpu_stage *stage = &plan->stages[s];
        for (int32_t k = 0; stage->bands && k < stage->band_count; k++)
            for (int32_t i = 0; i < GPU_FRAME_SLOTS; i++)
                if (stage->bands[k].lists[i])
                    driver->list_destroy(plan->device, stage->bands[k].lists[i]);
        destroy_lists(plan, stage->uploads, stage->upload_count);
        destroy_lists(plan, stage->downloads, stage->download_count);
        weft_gpu_bands_clear(stage);
        weft_free(stage->upload_first);
        weft_free(stage->download_first);
        weft_free(stage->places);
    }
    weft_free(plan->stages);
    if (plan->clear)
        driver->list_destroy(plan->device, plan->clear);
    if (plan->launches.handle)
        driver->memory_destroy(plan->device, &plan->launches);
    weft_gpu_values_destroy(plan);
    if (plan->staging.handle)
        driver->memory_destroy(plan->device, &plan->staging);
    if (plan->arena.handle)
        driver->memory_destroy(plan->device, &plan->arena);
    release_code(plan); /* after the lists that have it */
    weft_gpu_builder_clear(&plan->b);
    for (int32_t t = 0; t < GPU_TABLES; t++)
        weft_free(plan->table[t]);
    weft_free(plan->bound);
    weft_free(plan->pulled);
    weft_free(plan->records);
    if (plan->has_lock)
        pthread_mutex_destroy(&plan->lock);
    weft_free(plan);
}
