/* SPDX-License-Identifier: MIT
 * Commands of a list, and launches in launch memory. */
#include "backend/gpu/plan/recording.h"
#include <string.h>
#include "base/status.h"

struct gpu_command *weft_gpu_command_add(struct gpu_recording *r, enum gpu_command_kind kind, weft_error *error) {
    struct gpu_command *command = weft_gpu_grow(&r->commands, &r->count, &r->capacity, sizeof *r->commands);
    if (!command)
        weft_fail_memory(error, sizeof *command, "the plan's commands");
    else
        command->kind = kind;
    return command;
}

struct gpu_launch *weft_gpu_launch_add(struct gpu_recording *r, struct gpu_launch_record record, const struct gpu_kernel *code,
                                       const uint32_t *grid, weft_error *error) {
    struct gpu_plan *plan = r->plan;
    record.offset = (size_t)(*r->next)++ * GPU_LAUNCH_STRIDE;
    size_t offset = (size_t)r->frame_slot * plan->frame_slot_size + record.offset;
    struct gpu_launch_record *place = r->frame_slot > 0 ? &plan->records[*r->next - 1]
                                         : weft_gpu_grow(&plan->records, &plan->record_count, &plan->record_capacity,
                                                         sizeof *plan->records);
    struct gpu_command *command = place ? weft_gpu_command_add(r, GPU_LAUNCH, error) : NULL;
    if (!command || record.offset + GPU_LAUNCH_STRIDE > plan->frame_slot_size) {
        weft_fail_memory(error, sizeof *place, "the plan's launches");
        return NULL;
    }
    *place = record;
    command->kernel = code;
    command->launch = (struct gpu_launch *)(void *)(plan->launches.host + offset);
    command->launches = &plan->launches;
    command->launch_offset = offset;
    memcpy(command->grid, grid, sizeof command->grid);
    return (struct gpu_launch *)(void *)(plan->launches.host + offset);
}

void weft_gpu_set_blocks(const struct gpu_plan *plan, struct gpu_launch *launch, size_t bound) {
    size_t offset = (size_t)((unsigned char *)launch - plan->launches.host) + offsetof(struct gpu_launch, words);
    launch->blocks = bound != SIZE_MAX          ? plan->arena.address + bound
                     : plan->launches.address ? plan->launches.address + offset
                                              : 0;
}
