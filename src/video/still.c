/* SPDX-License-Identifier: MIT
 * A picture among videos: read whole, or written. */
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "video/job.h"

weft_status weft_video_read_still(const char *path, int64_t page, weft_image *image, weft_image_info *info,
                                  int64_t *pictures, weft_error *error) {
    weft_reader *reader = NULL;
    char settings[32];
    size_t size;
    snprintf(settings, sizeof settings, "page=%lld", (long long)page);
    weft_status status =
        weft_reader_open(path, page > 0 ? &(weft_reader_options){.settings = settings} : NULL, &reader, error);
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
    if (status == WEFT_OK && pictures)
        *pictures = weft_reader_pictures(reader);
    weft_reader_close(&reader);
    return status;
}

weft_status weft_video_turn_pages(struct weft_video_job *job, weft_error *error) {
    weft_status status = WEFT_OK;
    for (int i = 0; i < job->source_count && status == WEFT_OK; i++) {
        struct weft_source_end *source = &job->sources[i];
        weft_image next = {.data = NULL};
        weft_image_info info;
        if (source->pages == 0 || job->first_page + job->frames == 0) /* the first one is there */
            continue;
        status = weft_video_read_still(source->given->path, job->first_page + job->frames + 1, &next, &info, NULL, error);
        if (status == WEFT_OK &&
            (info.width != source->picture.width || info.height != source->picture.height ||
             info.format.type != source->picture.format.type || info.format.channels != source->picture.format.channels ||
             info.alpha != source->picture.alpha))
            status = weft_fail(error, WEFT_ERROR_FILE, "page %lld of '%.200s' has another size or format than the first",
                               (long long)(job->first_page + job->frames + 1), source->given->path);
        if (status != WEFT_OK) {
            weft_free(next.data);
            return status;
        }
        weft_free(source->still.data);
        source->still = next;
        job->run_inputs[source->end.first].image = next;
    }
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
