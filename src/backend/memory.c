/* SPDX-License-Identifier: MIT
 * Images in a device's memory: host memory here, for devices that have none of their own. */
#include <string.h>
#include "backend/run.h"
#include "base/memory.h"
#include "base/status.h"
#include "weft/memory.h"

weft_status weft_memory_create(weft_device *device, const weft_image_info *info, weft_image *image, weft_error *error) {
    size_t size;
    if (!device || !info || !image)
        return weft_fail(error, WEFT_ERROR_ARGUMENT,
                         "weft_memory_create needs a device, what the image is, and a place for it");
    *image = (weft_image){.info = *info};
    weft_status status = weft_device_check(device, error);
    if (status == WEFT_OK)
        status = weft_image_size(info, &size, error);
    bool numbers = info->format.type == WEFT_F64; /* runs give them to the processor */
    if (status == WEFT_OK && weft_backend_of(device)->image_create && !numbers) {
        status = weft_backend_of(device)->image_create(device, image, error);
    } else if (status == WEFT_OK) {
        image->data = weft_allocate_aligned(size);
        image->stride = (ptrdiff_t)(size / (size_t)info->height);
        if (!image->data)
            status = weft_fail_memory(error, size, "an image");
    }
    if (status != WEFT_OK)
        *image = (weft_image){.data = NULL};
    return status;
}

void weft_memory_destroy(weft_device *device, weft_image *image) {
    if (!image || !image->data)
        return;
    if (image->memory == WEFT_MEMORY_HOST) /* which outlives the device */
        weft_free(image->data);
    else if (device && weft_backend_of(device)->image_destroy && !weft_device_is_foreign(device))
        weft_backend_of(device)->image_destroy(device, image);
    *image = (weft_image){.data = NULL};
}

weft_status weft_copy_check(weft_device *device, const weft_image *from, const weft_image *to, weft_error *error) {
    if (!device || !from || !to)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "a copy needs a device, an image to copy from and one to copy to");
    weft_status status = weft_device_check(device, error);
    if (status == WEFT_OK)
        status = weft_image_check(from, weft_backend_of(device), "the image to copy from", error);
    if (status == WEFT_OK)
        status = weft_image_check(to, weft_backend_of(device), "the image to copy to", error);
    if (status != WEFT_OK)
        return status;
    const weft_image_info *a = &from->info, *b = &to->info;
    if (a->width != b->width || a->height != b->height || a->format.type != b->format.type ||
        a->format.channels != b->format.channels) {
        char one[16], other[16];
        weft_format_print(a->format, one, sizeof one);
        weft_format_print(b->format, other, sizeof other);
        return weft_fail(error, WEFT_ERROR_FORMAT, "an image of %lldx%lld %s cannot be copied into one of %lldx%lld %s",
                         (long long)a->width, (long long)a->height, one, (long long)b->width, (long long)b->height,
                         other);
    }
    if (weft_images_overlap(from, to))
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "an image cannot be copied into one that overlaps it");
    return WEFT_OK;
}

weft_status weft_copy_start(weft_device *device, const weft_image *from, const weft_image *to, bool asynchronous,
                            weft_error *error) {
    const struct weft_backend *backend = weft_backend_of(device);
    bool host = from->memory == WEFT_MEMORY_HOST && to->memory == WEFT_MEMORY_HOST;
    if (!host && asynchronous && backend->image_copy_start)
        return backend->image_copy_start(device, from, to, error);
    if (!host)
        return backend->image_copy(device, from, to, error);
    size_t row = (size_t)from->info.width * weft_format_size(from->info.format);
    if (from->stride == to->stride && (size_t)from->stride == row) {
        memcpy(to->data, from->data, row * (size_t)from->info.height);
        return WEFT_OK;
    }
    for (int64_t y = 0; y < from->info.height; y++)
        memcpy((unsigned char *)to->data + (ptrdiff_t)y * to->stride,
               (const unsigned char *)from->data + (ptrdiff_t)y * from->stride, row);
    return WEFT_OK;
}

weft_status weft_image_copy(weft_device *device, const weft_image *from, const weft_image *to, weft_error *error) {
    weft_status status = weft_copy_check(device, from, to, error);
    return status == WEFT_OK ? weft_copy_start(device, from, to, false, error) : status;
}
