/* SPDX-License-Identifier: MIT
 * Images in a device's own memory, for programs that keep pixels there between runs, or that do not care where. */
#ifndef WEFT_MEMORY_H
#define WEFT_MEMORY_H
#include "weft/device.h"
#include "weft/image.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Gets memory for an image where the device works fastest: its own, or host memory for a device that has none
 * ("cpu", "auto") and for the numbers of reductions (WEFT_F64), which every device gives to the host. The pixels are not
 * set. Give it back by weft_memory_destroy; what is not host memory, before the device is closed. */
WEFT_API weft_status weft_memory_create(weft_device *device, const weft_image_info *info, weft_image *image,
                                        weft_error *error);
/* Gives back what weft_memory_create got and clears *image; one without pixels is allowed. No run may be using it. */
WEFT_API void weft_memory_destroy(weft_device *device, weft_image *image);
/* Copies the pixels of an image into another of the same size and format, and waits for it. Each lies in host memory or
 * in the device's; they must not overlap. See weft_queue_copy for copies in the order of a queue. */
WEFT_API weft_status weft_image_copy(weft_device *device, const weft_image *from, const weft_image *to,
                                     weft_error *error);

#ifdef __cplusplus
}
#endif
#endif
