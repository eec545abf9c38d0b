/* SPDX-License-Identifier: MIT
 * The file of a video: its streams, those that are carried from a reader included, its header and its end. It has a
 * temporary name until it is whole. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"
#include "video/ffmpeg/writer.h"

/* Makes an empty file `.NAME.xxxxxx` beside the path, where that is to be a file. */
static weft_status name_temporary(struct weft_video_writer *writer, weft_error *error) {
    static const char digits[] = "abcdefghijklmnopqrstuvwxyz234567";
    struct stat existing;
    bool exists = stat(writer->path, &existing) == 0;
    if (exists && !S_ISREG(existing.st_mode) && !S_ISDIR(existing.st_mode))
        return WEFT_OK; /* a pipe or a device */
    if (exists && (S_ISDIR(existing.st_mode) || access(writer->path, W_OK) != 0))
        return weft_fail(error, WEFT_ERROR_FILE, "cannot write '%s': %s", writer->name,
                         S_ISDIR(existing.st_mode) ? "it is a folder" : strerror(errno));
    const char *slash = strrchr(writer->path, '/'), *base = slash ? slash + 1 : writer->path;
    size_t size = strlen(writer->path) + 16;
    struct timespec now = {0};
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t seed = (uint64_t)now.tv_nsec ^ (uint64_t)getpid() << 40 ^ (uint64_t)(uintptr_t)writer;
    writer->temporary = weft_allocate(size, 1);
    if (!writer->temporary)
        return weft_fail_memory(error, size, "a file name");
    for (int attempt = 0; attempt < 100; attempt++) {
        char suffix[7] = "";
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        for (int i = 0; i < 6; i++)
            suffix[i] = digits[seed >> (30 + 5 * i) & 31];
        snprintf(writer->temporary, size, "%.*s.%.200s.%s", (int)(base - writer->path), writer->path, base, suffix);
        int file = open(writer->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file >= 0) {
            if (exists) /* failing to copy a mode spoils no video */
                (void)fchmod(file, existing.st_mode & 0777);
            close(file);
            return WEFT_OK;
        }
        if (errno != EEXIST)
            break;
    }
    weft_free(writer->temporary);
    writer->temporary = NULL;
    return weft_fail(error, WEFT_ERROR_FILE, "cannot write '%s': %s", writer->name, strerror(errno));
}

/* A stream of the reader's, as it is. Where the container cannot hold it, it is left out with a word. */
static weft_status carry_stream(struct weft_video_writer *writer, const AVStream *from, int *place, weft_error *error) {
    const struct weft_av *av = &writer->av;
    const AVOutputFormat *format = writer->context->oformat;
    *place = -1;
    if (writer->sequence) /* a sequence of pictures has no sound */
        return WEFT_OK;
    if (av->avformat_query_codec(format, from->codecpar->codec_id, FF_COMPLIANCE_NORMAL) != 1) {
        weft_log_print(&writer->options.log, WEFT_LOG_WARNING, "'%s' cannot hold the input's %s, which is left out",
                       writer->name, av->avcodec_get_name(from->codecpar->codec_id));
        return WEFT_OK;
    }
    AVStream *to = av->avformat_new_stream(writer->context, NULL);
    if (!to || av->avcodec_parameters_copy(to->codecpar, from->codecpar) < 0)
        return weft_fail_memory(error, sizeof *to, "a stream");
    to->codecpar->codec_tag = 0; /* the container's own */
    to->time_base = from->time_base;
    to->disposition = from->disposition;
    if (!writer->options.strip && av->av_dict_copy(&to->metadata, from->metadata, 0) < 0)
        return weft_fail_memory(error, 64, "metadata");
    *place = to->index;
    return WEFT_OK;
}

/* How it is to be turned, which players do. */
static weft_status carry_rotation(struct weft_video_writer *writer, const struct weft_video_reader *from,
                                  weft_error *error) {
    size_t size = 0;
    const struct weft_av *av = &writer->av;
    const uint8_t *matrix = weft_av_matrix(av, from->stream, &size);
    uint8_t *copy = matrix ? weft_av_new_matrix(av, writer->stream, size) : NULL;
    if (matrix && !copy)
        return weft_fail_memory(error, size, "a rotation");
    if (matrix)
        memcpy(copy, matrix, size);
    return WEFT_OK;
}

static weft_status carry_chapters(struct weft_video_writer *writer, const struct weft_video_reader *from,
                                  weft_error *error) {
    const struct weft_av *av = &writer->av;
    unsigned count = from->context->nb_chapters;
    if (count == 0 || from->options.from > 0 || from->options.to > 0 || from->options.frames > 0)
        return WEFT_OK; /* those of another length would mislead */
    writer->context->chapters = av->av_mallocz(count * sizeof *writer->context->chapters);
    for (unsigned i = 0; i < count; i++) {
        AVChapter *chapter = writer->context->chapters ? av->av_mallocz(sizeof *chapter) : NULL;
        if (!chapter)
            return weft_fail_memory(error, sizeof *chapter, "chapters");
        *chapter = *from->context->chapters[i];
        chapter->metadata = NULL;
        av->av_dict_copy(&chapter->metadata, from->context->chapters[i]->metadata, 0);
        writer->context->chapters[writer->context->nb_chapters++] = chapter;
    }
    return WEFT_OK;
}

static weft_status carry_all(struct weft_video_writer *writer, weft_error *error) {
    struct weft_video_reader *from = writer->options.carry;
    weft_status status = WEFT_OK;
    if (!from)
        return WEFT_OK;
    writer->streams = weft_allocate(from->context->nb_streams, sizeof *writer->streams);
    if (!writer->streams)
        return weft_fail_memory(error, from->context->nb_streams * sizeof *writer->streams, "streams");
    for (unsigned i = 0; i < from->context->nb_streams && status == WEFT_OK; i++) {
        writer->streams[i] = -1;
        if (weft_video_carries(from, from->context->streams[i]))
            status = carry_stream(writer, from->context->streams[i], &writer->streams[i], error);
    }
    if (status == WEFT_OK)
        status = carry_rotation(writer, from, error);
    if (status != WEFT_OK || writer->options.strip)
        return status;
    writer->av.av_dict_copy(&writer->context->metadata, from->context->metadata, 0);
    writer->av.av_dict_copy(&writer->stream->metadata, from->stream->metadata, 0);
    writer->av.av_dict_set(&writer->stream->metadata, "encoder", NULL, 0);
    writer->av.av_dict_set(&writer->context->metadata, "encoder", NULL, 0);
    writer->stream->disposition = from->stream->disposition;
    return carry_chapters(writer, from, error);
}

weft_status weft_video_open_output(struct weft_video_writer *writer, weft_error *error) {
    const struct weft_av *av = &writer->av;
    AVFormatContext *context = writer->context;
    writer->stream = av->avformat_new_stream(context, NULL);
    writer->packet = av->av_packet_alloc();
    if (!writer->stream || !writer->packet ||
        av->avcodec_parameters_from_context(writer->stream->codecpar, writer->encoder) < 0)
        return weft_fail_memory(error, sizeof *writer->stream, "a stream");
    writer->stream->time_base = writer->encoder->time_base;
    writer->stream->avg_frame_rate = writer->encoder->framerate;
    writer->stream->sample_aspect_ratio = writer->encoder->sample_aspect_ratio;
    context->strict_std_compliance = FF_COMPLIANCE_UNOFFICIAL;
    weft_status status = carry_all(writer, error);
    if (status == WEFT_OK && !writer->standard && !writer->sequence)
        status = name_temporary(writer, error);
    if (status != WEFT_OK)
        return status;
    const char *path = writer->standard ? "pipe:1" : writer->temporary ? writer->temporary : writer->path;
    size_t length = strlen(path) + 8;
    char *url = av->av_mallocz(length);
    if (!url)
        return weft_fail_memory(error, length, "a file name");
    snprintf(url, length, "%s%s", writer->standard ? "" : "file:", path);
    av->av_free(context->url); /* some containers open the file again */
    context->url = url;
    int code = 0;
    if (!(context->oformat->flags & AVFMT_NOFILE))
        code = av->avio_open2(&context->pb, url, AVIO_FLAG_WRITE, NULL, NULL);
    if (code < 0)
        return weft_av_fail(av, error, code, "cannot write '%s'", writer->name);
    if (writer->temporary && (!strcmp(context->oformat->name, "mp4") || !strcmp(context->oformat->name, "mov")))
        av->av_dict_set(&writer->settings, "movflags", "+faststart", AV_DICT_DONT_OVERWRITE); /* plays while it loads */
    code = av->avformat_write_header(context, &writer->settings);
    writer->begun = code >= 0;
    if (code < 0)
        return weft_av_fail(av, error, code, "cannot begin '%s'", writer->name);
    return weft_video_check_settings(writer, error);
}

weft_status weft_video_carry_packets(struct weft_video_writer *writer, int64_t until, weft_error *error) {
    const struct weft_av *av = &writer->av;
    AVPacket *packet;
    if (writer->carrier < 0)
        return WEFT_OK;
    while ((packet = weft_carry_take(&writer->options.carry->carry, writer->carrier,
                                     writer->options.carry->context->streams, until)) != NULL) {
        int place = writer->streams[packet->stream_index], code = 0;
        if (place >= 0) {
            const AVStream *from = writer->options.carry->context->streams[packet->stream_index];
            av->av_packet_rescale_ts(packet, from->time_base, writer->context->streams[place]->time_base);
            packet->stream_index = place;
            packet->pos = -1;
            code = av->av_interleaved_write_frame(writer->context, packet);
        }
        av->av_packet_free(&packet);
        if (code < 0)
            return weft_av_fail(av, error, code, "cannot write '%s'", writer->name);
    }
    return WEFT_OK;
}

weft_status weft_video_finish_output(struct weft_video_writer *writer, weft_error *error) {
    const struct weft_av *av = &writer->av;
    int code = av->av_write_trailer(writer->context);
    writer->begun = false;
    if (code >= 0 && writer->context->pb && !(writer->context->oformat->flags & AVFMT_NOFILE))
        code = av->avio_closep(&writer->context->pb);
    if (code < 0)
        return weft_av_fail(av, error, code, "cannot write '%s' to its end", writer->name);
    if (writer->temporary && rename(writer->temporary, writer->path) != 0)
        return weft_fail(error, WEFT_ERROR_FILE, "cannot write '%s': %s", writer->name, strerror(errno));
    weft_free(writer->temporary);
    writer->temporary = NULL;
    return WEFT_OK;
}

void weft_video_close_output(struct weft_video_writer *writer) {
    const struct weft_av *av = &writer->av;
    if (writer->context) {
        if (writer->begun) /* lets go of what the container holds */
            av->av_write_trailer(writer->context);
        if (writer->context->pb && !(writer->context->oformat->flags & AVFMT_NOFILE))
            av->avio_closep(&writer->context->pb);
        av->avformat_free_context(writer->context);
        writer->context = NULL;
    }
    if (writer->temporary)
        unlink(writer->temporary);
    weft_free(writer->temporary);
    writer->temporary = NULL;
    weft_free(writer->streams);
    writer->streams = NULL;
}
