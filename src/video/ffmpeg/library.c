/* SPDX-License-Identifier: MIT
 * FFmpeg's libraries, opened when they are needed. */
#include "video/ffmpeg/library.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "base/library.h"
#include "base/status.h"
#include "weft/video.h"

#define TEXT_(a) #a
#define TEXT(a) TEXT_(a)

/* Structs have other members in other versions:
 * only the one that weft was built with will do. */
static const char util[] = "libavutil.so." TEXT(LIBAVUTIL_VERSION_MAJOR);
static const char codec[] = "libavcodec.so." TEXT(LIBAVCODEC_VERSION_MAJOR);
static const char format[] = "libavformat.so." TEXT(LIBAVFORMAT_VERSION_MAJOR);

weft_status weft_av_open(struct weft_av *av, weft_error *error) {
    *av = (struct weft_av){.util = weft_library_loaded(util)};
    bool others = av->util != NULL, good = true; /* who loaded it decides what it prints */
    if (!others)
        av->util = weft_library_open(util);
    av->codec = av->util ? weft_library_open(codec) : NULL;
    av->format = av->codec ? weft_library_open(format) : NULL;
    if (!av->format) {
        weft_fail(
            error, WEFT_ERROR_UNSUPPORTED,
            "video needs FFmpeg's libraries %s, %s and %s, which are not installed; on Debian and Ubuntu they are in "
            "libavformat" TEXT(LIBAVFORMAT_VERSION_MAJOR),
            util, codec, format);
        weft_av_close(av);
        return WEFT_ERROR_UNSUPPORTED;
    }
#define FIND_UTIL(name) good = good && weft_library_find(av->util, #name, &av->name, sizeof av->name);
#define FIND_CODEC(name) good = good && weft_library_find(av->codec, #name, &av->name, sizeof av->name);
#define FIND_FORMAT(name) good = good && weft_library_find(av->format, #name, &av->name, sizeof av->name);
    WEFT_AV_UTIL(FIND_UTIL) WEFT_AV_CODEC(FIND_CODEC) WEFT_AV_FORMAT(FIND_FORMAT) if (!good) {
        weft_av_close(av);
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED, "%s lacks functions that weft needs for video", format);
    }
    if (!others)
        av->av_log_set_level(AV_LOG_QUIET);
    return WEFT_OK;
}

void weft_av_close(struct weft_av *av) {
    weft_library_close(av->format);
    weft_library_close(av->codec);
    weft_library_close(av->util);
    *av = (struct weft_av){.util = NULL};
}

#if LIBAVCODEC_VERSION_INT >= AV_VERSION_INT(60, 30, 100)
const uint8_t *weft_av_matrix(const struct weft_av *av, const AVStream *stream, size_t *size) {
    const AVCodecParameters *of = stream->codecpar;
    const AVPacketSideData *data =
        av->av_packet_side_data_get(of->coded_side_data, of->nb_coded_side_data, AV_PKT_DATA_DISPLAYMATRIX);
    *size = data ? data->size : 0;
    return data ? data->data : NULL;
}

uint8_t *weft_av_new_matrix(const struct weft_av *av, AVStream *stream, size_t size) {
    AVCodecParameters *of = stream->codecpar;
    const AVPacketSideData *data =
        av->av_packet_side_data_new(&of->coded_side_data, &of->nb_coded_side_data, AV_PKT_DATA_DISPLAYMATRIX, size, 0);
    return data ? data->data : NULL;
}
#else
const uint8_t *weft_av_matrix(const struct weft_av *av, const AVStream *stream, size_t *size) {
    return av->av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, size);
}

uint8_t *weft_av_new_matrix(const struct weft_av *av, AVStream *stream, size_t size) {
    return av->av_stream_new_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, size);
}
#endif

weft_status weft_av_fail(const struct weft_av *av, weft_error *error, int code, const char *words, ...) {
    char text[400], reason[AV_ERROR_MAX_STRING_SIZE] = "";
    va_list arguments;
    va_start(arguments, words);
    vsnprintf(text, sizeof text, words, arguments);
    va_end(arguments);
    av->av_strerror(code, reason, sizeof reason);
    return weft_fail(error, code == AVERROR(ENOMEM) ? WEFT_ERROR_MEMORY : WEFT_ERROR_FILE, "%s: %s", text, reason);
}

bool weft_video_available(char *text, size_t size) {
    struct weft_av av;
    weft_error error = {.message = ""};
    bool there = weft_av_open(&av, &error) == WEFT_OK;
    unsigned version = there ? av.avformat_version() : 0;
    if (text && there)
        snprintf(text, size,
                 "by FFmpeg's libavformat %u.%u.%u: what it reads and writes, as mp4, mov, mkv, webm, avi, gif",
                 version >> 16, version >> 8 & 255, version & 255);
    else if (text)
        snprintf(text, size, "%s", error.message);
    if (there)
        weft_av_close(&av);
    return there;
}
