/* SPDX-License-Identifier: MIT
 * Delivers the values of reductions to the caller. Kernels leave them in a slot of the plan's staging memory. The values of a
 * run that returned early stay there until a thread waits: for the queue, for the slot, or for another run. */
#ifndef BACKEND_GPU_NUMBERS_H
#define BACKEND_GPU_NUMBERS_H
#include "backend/gpu/plan/plan.h"

/* Makes a device's list of runs whose numbers have not been delivered to their callers. */
weft_status weft_gpu_deliveries_create(struct gpu_deliveries **deliveries, weft_error *error);
/* NULL is allowed. */
void weft_gpu_deliveries_destroy(struct gpu_deliveries *deliveries);

/* What a plan keeps for them: after its staging memory is laid out. */
weft_status weft_gpu_values_create(struct gpu_plan *plan, weft_error *error);
/* The plan must not be running. Values that were not delivered are lost. */
void weft_gpu_values_destroy(struct gpu_plan *plan);

/* Gives a slot's numbers, which are there, to `outputs`. */
weft_status weft_gpu_values_give(const struct gpu_plan *plan, int32_t slot, const weft_run_output *outputs,
                                 weft_error *error);
/* Gives them to the caller after `done` has passed, when a thread waits; `outputs` are copied and have no sinks for numbers. */
void weft_gpu_values_later(struct gpu_plan *plan, int32_t slot, struct gpu_point done, const weft_run_output *outputs);

/* Waits until a slot is free, giving what is in it and what was there before. */
weft_status weft_gpu_values_free(struct gpu_plan *plan, int32_t slot, weft_error *error);
/* Waits for all that is under way on the device, and gives it. */
weft_status weft_gpu_values_wait(struct gpu_device *device, weft_error *error);
/* Gives what the compute queue had done by its list number `value`, which has passed. */
void weft_gpu_values_passed(struct gpu_device *device, uint64_t value);

#endif
