/* SPDX-License-Identifier: MIT
 * What weft_filter_video reads: videos, and pictures as videos. */
#include <string.h>
#include "base/log.h"
#include "base/status.h"
#include "video/job.h"

enum { STILL_RATE = 25 }; /* frames a second of a picture that is a video */

static weft_status check_rates(const struct weft_video_job *job, int index, weft_error *error) {
    const weft_video_info *first = &job->shape, *other = weft_video_reader_info(job->sources[index].reader);
    if (first->rate_numerator * other->rate_denominator == other->rate_numerator * first->rate_denominator)
        return WEFT_OK;
    return weft_fail(
        error, WEFT_ERROR_FORMAT,
        "'%s' has %lld/%lld frames a second and '%s' has %lld/%lld: videos that meet in a graph need one rate",
        job->sources[job->leader].given->path, (long long)first->rate_numerator, (long long)first->rate_denominator,
        job->sources[index].given->path, (long long)other->rate_numerator, (long long)other->rate_denominator);
}

static weft_status open_video(struct weft_video_job *job, struct weft_source_end *source, weft_error *error) {
    const weft_video_input *given = source->given;
    weft_status status = weft_video_reader_open(given->path, &given->reading, &source->reader, error);
    if (status != WEFT_OK)
        return status;
    source->end.format = &weft_video_reader_info(source->reader)->format;
    if (job->video->planes != WEFT_PLANES_COLOR && source->end.format->kind == WEFT_VIDEO_RGB)
        return weft_fail(error, WEFT_ERROR_FORMAT, "'%s' is not YUV: its planes are red, green and blue",
                         given->path);
    int index = (int)(source - job->sources);
    if (job->leader >= 0)
        return check_rates(job, index, error);
    job->leader = index;
    job->shape = *weft_video_reader_info(source->reader);
    return WEFT_OK;
}

/* A file of several pictures by itself is a video of them. Those of one format have numbers, and those of PNM, one
 * behind the other, FFmpeg reads. */
static weft_status open_pages(struct weft_video_job *job, struct weft_source_end *source, int64_t pictures,
                              weft_error *error) {
    const weft_video_reader_options *reading = &source->given->reading;
    weft_reader *reader = NULL;
    weft_status status = weft_reader_open(source->given->path, &(weft_reader_options){.settings = "page=2"}, &reader, NULL);
    weft_reader_close(&reader);
    if (status == WEFT_ERROR_PARAMETER && weft_video_available(NULL, 0))
        return open_video(job, source, error);
    if (status != WEFT_OK)
        return WEFT_OK; /* it stands still */
    int64_t end = reading->to > 0 && reading->to * STILL_RATE < (double)pictures ? (int64_t)(reading->to * STILL_RATE + 0.5)
                                                                               : pictures;
    source->pages = pictures;
    job->first_page = reading->from * STILL_RATE < (double)pictures ? (int64_t)(reading->from * STILL_RATE + 0.5) : pictures;
    job->still_frames = end - job->first_page;
    if (reading->frames > 0 && reading->frames < job->still_frames)
        job->still_frames = reading->frames;
    if (job->still_frames > 0)
        weft_log_print(&job->video->log, WEFT_LOG_WARNING,
                       "'%s': its %lld pictures follow one another at %d a second; times that the file may give them are not kept",
                       source->given->path, (long long)pictures, STILL_RATE);
    return job->still_frames > 0 ? WEFT_OK
                                 : weft_fail(error, WEFT_ERROR_FILE, "'%.200s' has no pages at these times", source->given->path);
}

static weft_status open_source(struct weft_video_job *job, int index, weft_error *error) {
    struct weft_source_end *source = &job->sources[index];
    const weft_video_input *given = source->given;
    if (!weft_video_name(given->path) && !given->reading.raw && strcmp(given->path, "-") != 0) {
        int64_t pictures = 1;
        weft_status status = weft_video_read_still(given->path, 0, &source->still, &source->picture, &pictures, error);
        if (status == WEFT_OK && pictures > 1 && given->loop <= 0 && job->source_count == 1)
            return open_pages(job, source, pictures, error);
        if (status == WEFT_OK && given->loop > 0 && job->leader < 0 && !job->still_frames) {
            job->still_frames = (int64_t)(given->loop * STILL_RATE + 0.5);
            job->still_frames = job->still_frames > 0 ? job->still_frames : 1;
        }
        return status;
    }
    return open_video(job, source, error);
}

weft_status weft_video_open_sources(struct weft_video_job *job, weft_error *error) {
    const weft_video *video = job->video;
    weft_status status = WEFT_OK;
    job->leader = -1;
    job->source_count = video->input_count;
    for (int i = 0; i < video->input_count && status == WEFT_OK; i++) {
        job->sources[i].given = &video->inputs[i];
        status = open_source(job, i, error);
    }
    if (status == WEFT_OK && job->leader < 0) {
        if (!job->still_frames)
            job->still_frames = 1;
        job->shape = (weft_video_info){.time_numerator = 1,
                                       .time_denominator = STILL_RATE,
                                       .rate_numerator = STILL_RATE,
                                       .rate_denominator = 1,
                                       .frames = job->still_frames};
    }
    return status;
}
