/* SPDX-License-Identifier: MIT
 * The slots of a backend's table that CUDA and Vulkan share. */
#ifndef BACKEND_GPU_GPU_H
#define BACKEND_GPU_GPU_H
#include "backend/backend.h"

weft_status weft_gpu_compile(weft_device *device, const struct weft_typed_graph *typed, void **compiled,
                             weft_error *error);
/* plan/keeps.c: whether a filter has kernels here though it is also made of others. */
weft_status weft_gpu_keeps(const weft_device *device, const struct weft_graph *graph, const weft_image_info *info, int32_t n,
                           bool *kept, weft_error *error);
void weft_gpu_destroy(void *compiled);
size_t weft_gpu_workspace_size(const void *compiled);
int32_t weft_gpu_passes(const void *compiled);
bool weft_gpu_can_stream(const void *compiled);
weft_status weft_gpu_print(const void *compiled, weft_plan_format format, char **text, weft_error *error);
weft_status weft_gpu_run(const void *compiled, const struct weft_run_request *request, weft_error *error);
weft_status weft_gpu_drain(weft_device *device, weft_error *error);

/* Images in the device's memory. */
weft_status weft_gpu_image_create(weft_device *device, weft_image *image, weft_error *error);
void weft_gpu_image_destroy(weft_device *device, weft_image *image);
weft_status weft_gpu_image_copy(weft_device *device, const weft_image *from, const weft_image *to, weft_error *error);
weft_status weft_gpu_image_copy_start(weft_device *device, const weft_image *from, const weft_image *to,
                                      weft_error *error);

/* What the tables of all GPU backends have in common. */
#define WEFT_GPU_BACKEND                                                                                                           \
    .keeps = weft_gpu_keeps, .compile = weft_gpu_compile, .destroy = weft_gpu_destroy,                                             \
    .workspace_size = weft_gpu_workspace_size, .passes = weft_gpu_passes, .can_stream = weft_gpu_can_stream,                       \
    .print = weft_gpu_print, .run = weft_gpu_run, .drain = weft_gpu_drain,                                                         \
    .image_create = weft_gpu_image_create, .image_destroy = weft_gpu_image_destroy,                                                \
    .image_copy = weft_gpu_image_copy, .image_copy_start = weft_gpu_image_copy_start

#endif
