/* SPDX-License-Identifier: MIT
 * A picture among videos: read whole, or written. */
#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "video/job.h"

weft_status weft_video_read_still(const char *path, weft_image *image, weft_image_info *info, weft_error *error) {
    weft_reader *reader = NULL;
    size_t size;
    weft_status status = weft_reader_open(path, NULL, &reader, error);
    if (status != WEFT_OK)
        return status;
    *info = *weft_reader_info(reader);
    status = weft_image_size(info, &size, error);
    *image = (weft_image){.info = *info};
    if (status == WEFT_OK && !(image->data = weft_allocate_aligned(size)))
        status = weft_fail_memory(error, size, path);
    if (status == WEFT_OK) {
        image->stride = (ptrdiff_t)(size / (size_t)info->height);
        status = weft_reader_read(reader, info->height, image->data, image->stride, error);
    }
    if (status == WEFT_OK)
        status = weft_reader_finish(reader, error);
    weft_reader_close(&reader);
    return status;
}

weft_status weft_video_write_still(const struct weft_target_end *target, weft_error *error) {
    weft_writer *writer = NULL;
    const weft_image *image = &target->image;
    weft_status status = weft_writer_open(target->given->path, &target->picture, &image->info, &writer, error);
    if (status == WEFT_OK)
        status = weft_writer_write(writer, image->info.height, image->data, image->stride, error);
    if (status == WEFT_OK)
        status = weft_writer_finish(&writer, error);
    weft_writer_abandon(&writer);
    return status;
}
