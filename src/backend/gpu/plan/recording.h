/* SPDX-License-Identifier: MIT
 * A list of commands while it is made. */
#ifndef BACKEND_GPU_RECORDING_H
#define BACKEND_GPU_RECORDING_H
#include "backend/gpu/plan/plan.h"

struct gpu_recording {
    struct gpu_plan *plan;
    int32_t frame_slot, *next; /* and how many launches it has */
    struct gpu_command *commands;
    int32_t count, capacity;
};

struct gpu_command *weft_gpu_command_add(struct gpu_recording *r, enum gpu_command_kind kind, weft_error *error);
/* A command for the next launch of launch memory, which the caller fills in. */
struct gpu_launch *weft_gpu_launch_add(struct gpu_recording *r, struct gpu_launch_record record, const struct gpu_kernel *code,
                                       const uint32_t *grid, weft_error *error);
/* Where a launch finds parameter blocks: behind itself, unless numbers found on the device go into them. */
void weft_gpu_set_blocks(const struct gpu_plan *plan, struct gpu_launch *launch, size_t bound);

/* launch_values.c: launches that put the parameter blocks of a pass into memory and numbers of images into them:
 * LAUNCH_CODE at a time, or fewer where they come from more images than a launch has. */
weft_status weft_gpu_record_bind(struct gpu_recording *r, int32_t pass, int32_t stage, weft_error *error);
/* The launch that joins what the blocks of a reduction leave. */
weft_status weft_gpu_record_join(struct gpu_recording *r, const struct gpu_fused_reduction *fused, int32_t stage,
                                 weft_error *error);

#endif
