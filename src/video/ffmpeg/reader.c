/* SPDX-License-Identifier: MIT
 * Reading video, a frame at a time. After the last good frame an error says what was wrong with the file. */
#include "video/ffmpeg/reader.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "video/ffmpeg/format.h"

/* Where FFmpeg would look for the time by reading all of it, and be at the end then, frames are left out one by one. */
static bool seeks(const struct weft_video_reader *reader) {
    const AVFormatContext *context = reader->context;
    return !reader->sequence && context->pb && context->pb->seekable & AVIO_SEEKABLE_NORMAL &&
           !strstr(context->iformat->name, "_pipe");
}

static weft_status begin(struct weft_video_reader *reader, weft_error *error) {
    const struct weft_av *av = &reader->av;
    double step = av_q2d(reader->stream->time_base);
    double start = weft_time_known(reader->context->start_time) ? (double)reader->context->start_time / AV_TIME_BASE : 0;
    reader->from = reader->options.from > 0 ? llround((start + reader->options.from) / step) : 0;
    reader->to = reader->options.to > 0 ? llround((start + reader->options.to) / step) : INT64_MAX;
    if (reader->options.from > 0 && seeks(reader))
        av->av_seek_frame(reader->context, reader->stream->index, reader->from, AVSEEK_FLAG_BACKWARD);
    weft_status status = weft_video_next_picture(reader, error);
    if (status == WEFT_OK && reader->ended)
        status = weft_fail(error, WEFT_ERROR_FILE,
                           reader->flooded ? "'%s' has too much sound and subtitles before its first frame; "
                                             "--decode-limit allows more"
                           : reader->options.from > 0 || reader->options.to > 0 ? "'%s' has no frames at these times"
                           : reader->packets > 0 ? "of the frames of '%s' none can be decoded"
                                                 : "'%s' has no frames in it",
                           reader->name);
    return status == WEFT_OK ? weft_video_read_info(reader, error) : status;
}

weft_status weft_video_reader_open(const char *path, const weft_video_reader_options *options,
                                   weft_video_reader **reader, weft_error *error) {
    if (!path || !reader)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "a reader of video needs a path and a place for the reader");
    struct weft_video_reader *made = *reader = weft_allocate(1, sizeof *made);
    bool standard = !strcmp(path, "-");
    size_t length = strlen(path) + 8, more = options && options->protocols ? strlen(options->protocols) : 0;
    if (!made)
        return weft_fail_memory(error, sizeof *made, "a reader");
    if (options)
        made->options = *options;
    weft_text_quote(made->name, standard ? "standard input" : path, strlen(standard ? "standard input" : path));
    made->url = weft_allocate(length, 1);
    made->allowed = weft_allocate(more + 16, 1);
    weft_status status =
        made->url && made->allowed ? weft_av_open(&made->av, error) : weft_fail_memory(error, length, "a file name");
    if (status == WEFT_OK) {
        snprintf(made->url, length, standard ? "pipe:0" : "file:%s", path);
        snprintf(made->allowed, more + 16, "file,pipe%s%s", more ? "," : "", more ? options->protocols : "");
        made->carry.limit = made->options.decode_limit > 0 ? made->options.decode_limit : INT64_C(1) << 31;
        status = weft_carry_open(&made->carry, &made->av, error);
    }
    if (status == WEFT_OK)
        status = weft_video_open_file(made, path, error);
    if (status == WEFT_OK)
        status = weft_video_open_decoder(made, error);
    if (status == WEFT_OK)
        status = begin(made, error);
    if (status != WEFT_OK)
        weft_video_reader_close(reader);
    return status;
}

const weft_video_info *weft_video_reader_info(const weft_video_reader *reader) { return reader ? &reader->info : NULL; }

/* What was wrong with the stream, once all frames have been given. */
static weft_status tell(struct weft_video_reader *reader, weft_error *error) {
    const AVFormatContext *context = reader->context;
    if (reader->told || reader->limited)
        return WEFT_OK;
    reader->told = true;
    double all = context->duration > 0 ? (double)context->duration / AV_TIME_BASE : 0, lost = all - reader->seen;
    bool measured = context->duration_estimation_method != AVFMT_DURATION_FROM_BITRATE && reader->options.from <= 0;
    bool cut =
        (reader->stream->nb_frames > 0 && reader->packets < reader->stream->nb_frames && reader->options.from <= 0) ||
        (measured && all > 0 && lost > 0.5 && lost > 0.02 * all);
    if (reader->flooded)
        return weft_fail(error, WEFT_ERROR_FILE,
                         "'%s' has more than %lld MB of sound and subtitles without a frame after %lld frames; "
                         "--decode-limit allows more",
                         reader->name, (long long)(reader->carry.limit / 1000000), (long long)reader->count);
    if (reader->failure)
        return weft_av_fail(&reader->av, error, reader->failure, "'%s' is broken after %lld frames", reader->name,
                            (long long)reader->count);
    if (cut)
        return weft_fail(error, WEFT_ERROR_FILE, "'%s' is cut off after %lld frames", reader->name,
                         (long long)reader->count);
    if (reader->broken > 0)
        return weft_fail(error, WEFT_ERROR_FILE, "of '%s' %lld frames could not be decoded, and %lld could",
                         reader->name, (long long)reader->broken, (long long)reader->count);
    return WEFT_OK;
}

/* a - b, as near as 64 bits can say it: a file may tell any times. */
static int64_t difference(int64_t a, int64_t b) {
    int64_t result;
    if (!__builtin_sub_overflow(a, b, &result))
        return result;
    return b < 0 ? INT64_MAX : INT64_MIN;
}

/* How long the last frame is to be seen: to the end of the stream, where that is known. What its packet says may be
 * another frame's, as packets come in another order. */
static int64_t last_duration(const struct weft_video_reader *reader) {
    const AVStream *stream = reader->stream;
    int64_t start = weft_time_known(stream->start_time) ? stream->start_time : 0;
    if (reader->limited || stream->duration <= 0)
        return reader->last_duration;
    int64_t left = difference(stream->duration, difference(reader->last, start));
    return left > 0 ? left : reader->last_duration;
}

weft_status weft_video_reader_read(weft_video_reader *reader, weft_video_frame **frame, weft_error *error) {
    if (!reader || !frame)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "reading a frame needs a reader and a place for the frame");
    struct weft_held_frame *held = NULL;
    *frame = NULL;
    reader->carry.begun = true;
    if (reader->later != WEFT_OK) {
        reader->later = WEFT_OK;
        reader->ended = reader->told = true;
        return weft_fail_memory(error, 0, "a decoder");
    }
    if (!reader->have_picture)
        return tell(reader, error);
    weft_status status = WEFT_OK;
    AVFrame *picture = reader->picture;
    reader->have_picture = false;
    if (picture->width != reader->info.width || picture->height != reader->info.height ||
        picture->format != (int)reader->pixels) {
        reader->ended = reader->told = true;
        const char *was = reader->av.av_get_pix_fmt_name(reader->pixels);
        const char *is = reader->av.av_get_pix_fmt_name(picture->format);
        return weft_fail(error, WEFT_ERROR_FILE, "frame %lld of '%s' is %dx%d %s, and those before are %lldx%lld %s",
                         (long long)reader->count, reader->name, picture->width, picture->height, is ? is : "?",
                         (long long)reader->info.width, (long long)reader->info.height, was ? was : "?");
    }
    int64_t time = reader->last;
    weft_video_fields fields = weft_fields_of(picture);
    if (reader->native) {
        status = weft_frame_wrap(&reader->av, &reader->info.format, picture, &held, error);
    } else {
        status = weft_frame_take(&reader->pool, &held, error);
        if (status == WEFT_OK)
            weft_pixels_unpack(&reader->av, &reader->info.format, picture, held->frame.planes, reader->row);
        reader->av.av_frame_unref(picture);
    }
    if (status == WEFT_OK)
        reader->later = weft_video_next_picture(reader, NULL);
    if (status == WEFT_OK) {
        held->frame.time = difference(time, reader->options.from > 0 ? reader->from : 0);
        held->frame.duration = reader->have_picture ? difference(reader->last, time) : last_duration(reader);
        held->frame.fields = fields;
        *frame = &held->frame;
    }
    return status;
}

void weft_video_reader_close(weft_video_reader **reader) {
    if (!reader || !*reader)
        return;
    struct weft_video_reader *r = *reader;
    weft_carry_close(&r->carry);
    weft_frame_pool_close(&r->pool);
    if (r->picture)
        r->av.av_frame_free(&r->picture);
    if (r->packet)
        r->av.av_packet_free(&r->packet);
    if (r->decoder)
        r->av.avcodec_free_context(&r->decoder);
    if (r->context)
        r->av.avformat_close_input(&r->context);
    weft_av_close(&r->av);
    weft_free(r->row);
    weft_free(r->url);
    weft_free(r->allowed);
    weft_free(r);
    *reader = NULL;
}
