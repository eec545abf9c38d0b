/* SPDX-License-Identifier: MIT
 * A stage while it is made: a list of steps. */
#include "backend/cpu/pipeline/pipeline.h"
#include "base/memory.h"
#include "base/status.h"

weft_status weft_stage_add(struct builder *b, const struct step *step, int32_t *index, weft_error *error) {
    struct stage *stage = b->stage;
    if (stage->count == stage->capacity) {
        int32_t capacity = stage->capacity ? stage->capacity * 2 : 16;
        struct step *steps = weft_reallocate(stage->steps, (size_t)capacity, sizeof *steps);
        if (!steps) {
            if (step->kind->destroy)
                step->kind->destroy(step->data);
            else
                weft_free(step->data);
            return weft_fail_memory(error, (size_t)capacity * sizeof *steps, "steps");
        }
        stage->steps = steps, stage->capacity = capacity;
    }
    stage->steps[stage->count] = *step;
    if (step->pad == 0)
        stage->steps[stage->count].pad_node = -1;
    if (step->interleave == 0)
        stage->steps[stage->count].interleave = 1;
    *index = stage->count++;
    return WEFT_OK;
}

weft_status weft_stage_add_whole(struct builder *b, struct step step, int32_t *index, weft_error *error) {
    const weft_image_info *info = &b->typed->info[step.node];
    step.planes = 1, step.interleave = info->format.channels;
    step.width = info->width, step.height = info->height;
    return weft_stage_add(b, &step, index, error);
}

int32_t weft_stage_readers(const struct stage *stage, int32_t index) {
    int32_t readers = 0;
    for (int32_t i = index + 1; i < stage->count; i++)
        for (int32_t k = 0; k < stage->steps[i].input_count; k++)
            readers += stage->steps[i].inputs[k] == index;
    return readers;
}
