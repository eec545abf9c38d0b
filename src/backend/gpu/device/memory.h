/* SPDX-License-Identifier: MIT
 * What a device keeps for images in its memory and for copies of them. Drivers make it when they open a device and destroy
 * it before they close it. */
#ifndef BACKEND_GPU_MEMORY_H
#define BACKEND_GPU_MEMORY_H
#include <pthread.h>
#include "backend/gpu/driver.h"
#include "backend/gpu/gpu.h"

weft_status weft_gpu_copier_create(struct gpu_copier **copier, weft_error *error);
/* NULL is allowed. */
void weft_gpu_copier_destroy(struct gpu_device *device, struct gpu_copier *copier);

#endif
