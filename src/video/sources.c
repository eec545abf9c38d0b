/* SPDX-License-Identifier: MIT
 * What weft_filter_video reads: videos, and pictures as videos. */
#include <string.h>
#include "base/log.h"
#include "base/status.h"
#include "video/job.h"

enum { PAGE_TIME = 60000 }; /* steps a second, in which common rates and delays are whole */
#define SOON 1e-5           /* seconds that say of two times nothing */

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

/* Which pages are shown at the times that are asked for. */
static weft_status choose_pages(struct weft_video_job *job, const struct weft_source_end *source, weft_error *error) {
    const weft_video_reader_options *reading = &source->given->reading;
    int64_t first = reading->from > 0 ? source->pages : 0, end = source->pages;
    double begins = 0, seconds = 0;
    weft_status status = WEFT_OK;
    for (int64_t page = 0; status == WEFT_OK && page < end && (first == source->pages || reading->to > 0); page++) {
        if (begins > reading->from - SOON && page < first)
            first = page;
        if (reading->to > 0 && begins > reading->to - SOON)
            end = page;
        status = weft_video_page_seconds(source->given->path, page + 1, &seconds, error);
        begins += seconds > 0 ? seconds : 1.0 / WEFT_STILL_RATE;
    }
    job->first_page = first;
    job->still_frames = end - first;
    return status;
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
    source->pages = pictures;
    status = choose_pages(job, source, error);
    if (status != WEFT_OK)
        return status;
    if (reading->frames > 0 && reading->frames < job->still_frames)
        job->still_frames = reading->frames;
    if (job->still_frames <= 0)
        return weft_fail(error, WEFT_ERROR_FILE, "'%.200s' has no pages at these times", source->given->path);
    weft_free(source->still.data);
    status = weft_video_read_still(source->given->path, job->first_page + 1, &source->still, &source->picture, &pictures,
                                   &job->still_lasts, error);
    if (status == WEFT_OK && job->still_lasts <= 0)
        weft_log_print(&job->video->log, WEFT_LOG_WARNING,
                       "'%s': its %lld pictures follow one another at %d a second, since the file gives them no times",
                       source->given->path, (long long)pictures, WEFT_STILL_RATE);
    return status;
}

static weft_status open_source(struct weft_video_job *job, int index, weft_error *error) {
    struct weft_source_end *source = &job->sources[index];
    const weft_video_input *given = source->given;
    if (!weft_video_name(given->path) && !given->reading.raw && strcmp(given->path, "-") != 0) {
        int64_t pictures = 1;
        double seconds;
        weft_status status = weft_video_read_still(given->path, 0, &source->still, &source->picture, &pictures, &seconds, error);
        if (status == WEFT_OK && pictures > 1 && given->loop <= 0 && job->source_count == 1)
            return open_pages(job, source, pictures, error);
        if (status == WEFT_OK && given->loop > 0 && job->leader < 0 && !job->still_frames) {
            job->still_frames = (int64_t)(given->loop * WEFT_STILL_RATE + 0.5);
            job->still_frames = job->still_frames > 0 ? job->still_frames : 1;
        }
        return status;
    }
    return open_video(job, source, error);
}

static int64_t common_divisor(int64_t a, int64_t b) {
    while (b > 0) {
        const int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Pages have the first one's rate where a container has but one, and times of their own elsewhere. */
static void set_times(struct weft_video_job *job) {
    const bool pages = job->still_lasts > 0;
    int64_t steps = pages ? (int64_t)(job->still_lasts * PAGE_TIME + 0.5) : 1, rate = pages ? PAGE_TIME : WEFT_STILL_RATE;
    steps = steps > 0 ? steps : 1;
    if (!pages)
        job->still_lasts = 1.0 / WEFT_STILL_RATE;
    job->shape = (weft_video_info){.time_numerator = 1,
                                   .time_denominator = rate,
                                   .rate_numerator = rate / common_divisor(rate, steps),
                                   .rate_denominator = steps / common_divisor(rate, steps),
                                   .frames = job->still_frames};
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
        set_times(job);
    }
    return status;
}
