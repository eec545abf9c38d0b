/* SPDX-License-Identifier: MIT
 * The device's part of the backend table. */
#ifndef BACKEND_VULKAN_DEVICE_H
#define BACKEND_VULKAN_DEVICE_H
#include "backend/vulkan/vulkan.h"

bool weft_vulkan_device_at(int32_t index, weft_device_info *info);
weft_status weft_vulkan_device_open(const char *name, const weft_device_options *options, weft_device **result,
                                    weft_error *error);
void weft_vulkan_device_close(weft_device *opened);
void weft_vulkan_device_describe(const weft_device *device, weft_device_info *info);

#endif
