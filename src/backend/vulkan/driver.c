/* SPDX-License-Identifier: MIT
 * The table of the Vulkan driver. */
#include "backend/vulkan/vulkan.h"

const struct gpu_driver weft_vulkan_driver = {.name = "vulkan",
                                              .memory = WEFT_MEMORY_VULKAN,
                                              .memory_export = weft_vulkan_memory_export,
                                              .memory_create = weft_vulkan_memory_create,
                                              .memory_destroy = weft_vulkan_memory_destroy,
                                              .kernel_get = weft_vulkan_kernel_get,
                                              .kernel_release = weft_vulkan_kernel_release,
                                              .kernel_occupancy = weft_vulkan_kernel_occupancy,
                                              .list_create = weft_vulkan_list_create,
                                              .list_destroy = weft_vulkan_list_destroy,
                                              .submit = weft_vulkan_submit,
                                              .wait = weft_vulkan_wait,
                                              .import = weft_vulkan_import};
