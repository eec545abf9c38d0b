/* SPDX-License-Identifier: MIT
 * Writing video, a frame at a time. */
#include "video/ffmpeg/writer.h"
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "video/ffmpeg/format.h"

static weft_status begin(struct weft_video_writer *writer, const weft_video_info *wanted, weft_error *error) {
    const struct weft_av *av = &writer->av;
    weft_status status = weft_video_read_settings(writer, error);
    if (status != WEFT_OK)
        return status;
    writer->sequence = !writer->standard && av->av_filename_number_test(writer->path);
    const char *container = writer->container[0] ? writer->container
                            : writer->standard   ? "yuv4mpegpipe"
                            : writer->sequence   ? "image2"
                                                 : NULL;
    int code = av->avformat_alloc_output_context2(&writer->context, NULL, container, writer->path);
    if (code < 0)
        return weft_fail(
            error, writer->container[0] ? WEFT_ERROR_PARAMETER : WEFT_ERROR_FILE,
            container ? "'%s': this FFmpeg writes no container '%s'; it writes mp4, mov, matroska, webm, avi, gif"
                      : "'%s' has no ending that says which video it is to be, as .mp4, .mkv or .webm",
            writer->name, container);
    if (wanted->width > INT32_MAX / 8 || wanted->height > INT32_MAX / 8)
        return weft_fail(error, WEFT_ERROR_FORMAT, "'%s': frames of %lldx%lld are too large for a video", writer->name,
                         (long long)wanted->width, (long long)wanted->height);
    status = weft_video_open_encoder(writer, wanted, error);
    if (status == WEFT_OK)
        status = weft_frame_pool_open(&writer->pool, av, &writer->info.format, error);
    if (status == WEFT_OK && !writer->native) {
        writer->row = weft_allocate((size_t)wanted->width, sizeof *writer->row);
        status = writer->row ? WEFT_OK : weft_fail_memory(error, (size_t)wanted->width * 2, "a row");
    }
    if (status == WEFT_OK)
        status = weft_video_open_output(writer, error);
    if (status == WEFT_OK && writer->options.carry) {
        writer->carrier = weft_carry_join(&writer->options.carry->carry);
        if (writer->carrier < 0)
            status = weft_fail(error, WEFT_ERROR_ARGUMENT, "a reader has at most %d writers", WEFT_CARRIERS);
    }
    return status;
}

weft_status weft_video_writer_open(const char *path, const weft_video_writer_options *options,
                                   const weft_video_info *wanted, weft_video_writer **writer, weft_error *error) {
    if (!path || !wanted || !writer)
        return weft_fail(error, WEFT_ERROR_ARGUMENT,
                         "a writer of video needs a path, what it writes and a place for it");
    struct weft_video_writer *made = *writer = weft_allocate(1, sizeof *made);
    bool standard = !strcmp(path, "-");
    if (!made)
        return weft_fail_memory(error, sizeof *made, "a writer");
    if (options)
        made->options = *options;
    made->standard = standard;
    made->carrier = -1;
    weft_text_quote(made->name, standard ? "standard output" : path, strlen(standard ? "standard output" : path));
    made->path = weft_duplicate_text(path, strlen(path));
    weft_status status =
        made->path ? weft_av_open(&made->av, error) : weft_fail_memory(error, strlen(path), "a file name");
    if (status == WEFT_OK)
        status = begin(made, wanted, error);
    if (status != WEFT_OK)
        weft_video_writer_abandon(writer);
    return status;
}

const weft_video_info *weft_video_writer_info(const weft_video_writer *writer) { return writer ? &writer->info : NULL; }

weft_status weft_video_writer_frame(weft_video_writer *writer, weft_video_frame **frame, weft_error *error) {
    struct weft_held_frame *held = NULL;
    if (!writer || !frame)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "a frame needs a writer and a place for it");
    weft_status status = weft_frame_take(&writer->pool, &held, error);
    *frame = status == WEFT_OK ? &held->frame : NULL;
    return status;
}

/* The encoder's packets, as many as there are, into the file. */
static weft_status drain(struct weft_video_writer *writer, weft_error *error) {
    const struct weft_av *av = &writer->av;
    for (;;) {
        AVPacket *packet = writer->packet;
        int code = av->avcodec_receive_packet(writer->encoder, packet);
        if (code == AVERROR(EAGAIN) || code == AVERROR_EOF)
            return WEFT_OK;
        if (code < 0)
            return weft_av_fail(av, error, code, "'%s': the encoder fails", writer->name);
        for (int i = 0; i < WEFT_DURATIONS; i++)
            if (writer->durations[i].duration > 0 && writer->durations[i].time == packet->pts)
                packet->duration = writer->durations[i].duration;
        av->av_packet_rescale_ts(packet, writer->encoder->time_base, writer->stream->time_base);
        packet->stream_index = writer->stream->index;
        code = av->av_interleaved_write_frame(writer->context, packet);
        av->av_packet_unref(packet);
        if (code < 0)
            return weft_av_fail(av, error, code, "cannot write '%s'", writer->name);
    }
}

static void shift_up(const weft_image *plane, int shift) {
    for (int64_t y = 0; y < plane->info.height; y++) {
        uint16_t *row = (uint16_t *)(void *)((unsigned char *)plane->data + y * plane->stride);
        for (int64_t x = 0; x < plane->info.width * plane->info.format.channels; x++)
            row[x] = (uint16_t)(row[x] << shift);
    }
}

/* The frame as FFmpeg has it: the same memory, or packed. */
static weft_status make_picture(struct weft_video_writer *writer, struct weft_held_frame *held, AVFrame **picture,
                                weft_error *error) {
    const struct weft_av *av = &writer->av;
    AVFrame *made = *picture = av->av_frame_alloc();
    if (!made)
        return weft_fail_memory(error, sizeof *made, "a frame");
    made->format = (int)writer->pixels;
    made->width = (int)writer->info.width, made->height = (int)writer->info.height;
    made->pts = held->frame.time;
    made->color_range = writer->encoder->color_range;
    made->colorspace = writer->encoder->colorspace;
    made->color_primaries = writer->encoder->color_primaries;
    made->color_trc = writer->encoder->color_trc;
    made->chroma_location = writer->encoder->chroma_sample_location;
    made->sample_aspect_ratio = writer->encoder->sample_aspect_ratio;
    weft_fields_tell(made, held->frame.fields);
    if (!writer->native) {
        if (av->av_frame_get_buffer(made, 0) < 0)
            return weft_fail_memory(error, writer->pool.size, "a frame");
        weft_pixels_pack(av, &writer->info.format, made, held->frame.planes, writer->row);
        return WEFT_OK;
    }
    for (int i = 0; i < writer->info.format.plane_count; i++) {
        made->data[i] = held->frame.planes[i].data;
        made->linesize[i] = (int)held->frame.planes[i].stride;
        if (writer->shift > 0)
            shift_up(&held->frame.planes[i], writer->shift);
    }
    made->extended_data = made->data;
    made->buf[0] = held->memory;
    held->memory = NULL;
    return WEFT_OK;
}

weft_status weft_video_writer_write(weft_video_writer *writer, weft_video_frame **frame, weft_error *error) {
    if (!writer || !frame || !*frame) {
        weft_video_frame_free(frame);
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "writing a frame needs a writer and a frame");
    }
    struct weft_held_frame *held = (struct weft_held_frame *)*frame;
    AVFrame *picture = NULL;
    weft_status status = WEFT_OK;
    int64_t time = held->frame.time;
    if (held->av != &writer->av)
        status = weft_fail(error, WEFT_ERROR_ARGUMENT, "this frame belongs to another writer");
    else if (writer->count > 0 && time <= writer->last && time > writer->last - 2) {
        writer->dropped++; /* two frames within a step of the file's time, of which one is shown */
        weft_video_frame_free(frame);
        return WEFT_OK;
    } else if (writer->count > 0 && time <= writer->last) {
        status =
            weft_fail(error, WEFT_ERROR_ARGUMENT, "the time of frame %lld does not come after that of the one before",
                      (long long)writer->count + 1);
    }
    writer->durations[writer->count % WEFT_DURATIONS].time = time;
    writer->durations[writer->count % WEFT_DURATIONS].duration = held->frame.duration;
    writer->count++;
    writer->last = time;
    if (status == WEFT_OK)
        status = make_picture(writer, held, &picture, error);
    weft_video_frame_free(frame);
    if (status == WEFT_OK)
        status = weft_video_carry_packets(
            writer, writer->av.av_rescale_q(time, writer->encoder->time_base, (AVRational){1, AV_TIME_BASE}), error);
    if (status == WEFT_OK) {
        int code = writer->av.avcodec_send_frame(writer->encoder, picture);
        if (code < 0)
            status = weft_av_fail(&writer->av, error, code, "'%s': the encoder fails", writer->name);
    }
    if (picture)
        writer->av.av_frame_free(&picture);
    if (status == WEFT_OK)
        status = drain(writer, error);
    writer->failed = writer->failed || status != WEFT_OK;
    return status;
}

int64_t weft_video_writer_size(const weft_video_writer *writer) {
    return writer && writer->context && writer->context->pb ? writer->context->pb->pos : 0;
}

/* Up to when sound belongs to the frames, in microseconds. */
static int64_t end_of(const struct weft_video_writer *writer) {
    const struct weft_video_reader *from = writer->options.carry;
    AVRational micro = {1, AV_TIME_BASE};
    if (!from || !from->limited)
        return INT64_MAX;
    return writer->av.av_rescale_q(from->to - (from->options.from > 0 ? from->from : 0), from->stream->time_base,
                                   micro);
}

weft_status weft_video_writer_finish(weft_video_writer **writer, weft_error *error) {
    if (!writer || !*writer)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "there is no writer to finish");
    struct weft_video_writer *w = *writer;
    weft_status status = w->failed ? weft_fail(error, WEFT_ERROR_FILE, "cannot write '%s'", w->name) : WEFT_OK;
    if (status == WEFT_OK && w->count > 0) {
        int code = w->av.avcodec_send_frame(w->encoder, NULL);
        status = code < 0 ? weft_av_fail(&w->av, error, code, "'%s': the encoder fails", w->name) : drain(w, error);
    }
    if (status == WEFT_OK)
        status = weft_video_carry_packets(w, end_of(w), error);
    if (status == WEFT_OK)
        status = weft_video_finish_output(w, error);
    weft_video_writer_abandon(writer);
    return status;
}

void weft_video_writer_abandon(weft_video_writer **writer) {
    if (!writer || !*writer)
        return;
    struct weft_video_writer *w = *writer;
    if (w->carrier >= 0)
        weft_carry_leave(&w->options.carry->carry, w->carrier);
    weft_video_close_output(w);
    if (w->packet)
        w->av.av_packet_free(&w->packet);
    if (w->encoder)
        w->av.avcodec_free_context(&w->encoder);
    if (w->settings)
        w->av.av_dict_free(&w->settings);
    weft_frame_pool_close(&w->pool);
    weft_av_close(&w->av);
    weft_free(w->row);
    weft_free(w->path);
    weft_free(w);
    *writer = NULL;
}
