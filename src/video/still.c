/* SPDX-License-Identifier: MIT
 * A picture among videos: read whole, or written. */
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "video/job.h"

enum { LONGEST = 1 << 15 }; /* seconds; pages of a book, which are shown until somebody turns them, claim longer */

static weft_status open_page(const char *path, int64_t page, weft_reader **reader, weft_error *error) {
    char settings[32];
    snprintf(settings, sizeof settings, "page=%lld", (long long)page);
    return weft_reader_open(path, page > 0 ? &(weft_reader_options){.settings = settings} : NULL, reader, error);
}

static double seconds_of(const weft_reader *reader) {
    const double seconds = weft_reader_seconds(reader);
    return seconds <= LONGEST ? seconds : 0;
}

weft_status weft_video_page_seconds(const char *path, int64_t page, double *seconds, weft_error *error) {
    weft_reader *reader = NULL;
    const weft_status status = open_page(path, page, &reader, error);
    *seconds = seconds_of(reader);
    weft_reader_close(&reader);
    return status;
}

weft_status weft_video_read_still(const char *path, int64_t page, weft_image *image, weft_image_info *info, int64_t *pictures,
                                  double *seconds, weft_error *error) {
    weft_reader *reader = NULL;
    size_t size;
    weft_status status = open_page(path, page, &reader, error);
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
    if (status == WEFT_OK) {
        *pictures = weft_reader_pictures(reader);
        *seconds = seconds_of(reader);
    }
    weft_reader_close(&reader);
    return status;
}

weft_status weft_video_turn_pages(struct weft_video_job *job, weft_error *error) {
    weft_status status = WEFT_OK;
    if (job->frames > 0)
        job->still_begins += job->still_lasts;
    for (int i = 0; i < job->source_count && status == WEFT_OK; i++) {
        struct weft_source_end *source = &job->sources[i];
        weft_image next = {.data = NULL};
        weft_image_info info;
        int64_t pictures;
        double seconds = 0;
        if (source->pages == 0 || job->frames == 0) /* the first one is there */
            continue;
        status = weft_video_read_still(source->given->path, job->first_page + job->frames + 1, &next, &info, &pictures, &seconds,
                                       error);
        job->still_lasts = seconds > 0 ? seconds : 1.0 / WEFT_STILL_RATE;
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
