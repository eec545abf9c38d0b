/* SPDX-License-Identifier: MIT
 * How a video is opened: the file, by way of FFmpeg's demuxers; the decoder; and what the first frame tells. A file
 * opens nothing but itself: playlists and containers that name other files or addresses are refused. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "video/ffmpeg/format.h"
#include "video/ffmpeg/reader.h"

bool weft_video_carries(const struct weft_video_reader *reader, const AVStream *stream) {
    enum AVMediaType type = stream->codecpar->codec_type;
    return stream != reader->stream && (type == AVMEDIA_TYPE_AUDIO || type == AVMEDIA_TYPE_SUBTITLE);
}

/* FFmpeg asks this for every file that it opens. */
static int open_one(AVFormatContext *context, AVIOContext **file, const char *url, int flags, AVDictionary **options) {
    struct weft_video_reader *reader = context->opaque;
    bool own = reader && (!strcmp(url, reader->url) || (reader->sequence && !strncmp(url, "file:", 5)));
    if (own)
        return reader->open_file(context, file, url, flags, options);
    if (reader && !reader->refused[0])
        weft_text_quote(reader->refused, url, strlen(url));
    return AVERROR(EACCES);
}

/* "1920x1080:yuv420p@25" as the demuxer's options. */
static weft_status read_raw(struct weft_video_reader *reader, const char *raw, AVDictionary **dictionary,
                            weft_error *error) {
    char size[32], pixels[32], rate[32];
    size_t first = strcspn(raw, ":"), second = strcspn(raw + first + (raw[first] != 0), "@");
    const char *format = raw + first + (raw[first] != 0), *last = format + second;
    snprintf(size, sizeof size, "%.*s", (int)first, raw);
    snprintf(pixels, sizeof pixels, "%.*s", (int)second, format);
    snprintf(rate, sizeof rate, "%s", *last ? last + 1 : "25");
    long long width = 0, height = 0;
    char rest;
    if (first >= sizeof size || second >= sizeof pixels || sscanf(size, "%lldx%lld%c", &width, &height, &rest) != 2 ||
        width < 1 || height < 1 || width > INT32_MAX || height > INT32_MAX)
        return weft_fail(error, WEFT_ERROR_ARGUMENT,
                         "raw video is WIDTHxHEIGHT:PIXELS, as 1920x1080:yuv420p, not '%.60s'", raw);
    if (reader->av.av_get_pix_fmt(pixels) == AV_PIX_FMT_NONE)
        return weft_fail(error, WEFT_ERROR_ARGUMENT,
                         "'%s' is no format of pixels; there are yuv420p, yuv422p10le, nv12, rgb24 and FFmpeg's others",
                         pixels);
    bool good = reader->av.av_dict_set(dictionary, "video_size", size, 0) >= 0 &&
                reader->av.av_dict_set(dictionary, "pixel_format", pixels, 0) >= 0 &&
                reader->av.av_dict_set(dictionary, "framerate", rate, 0) >= 0;
    return good ? WEFT_OK : weft_fail_memory(error, 64, "options");
}

static weft_status fail_open(const struct weft_video_reader *reader, int code, weft_error *error) {
    if (reader->refused[0])
        return weft_fail(
            error, WEFT_ERROR_FILE,
            "'%s' names another file or address, '%.120s', which is opened only where its protocol is allowed "
            "(--protocols file)",
            reader->name, reader->refused);
    return weft_av_fail(&reader->av, error, code, "cannot open '%s' as a video", reader->name);
}

weft_status weft_video_open_file(struct weft_video_reader *reader, const char *path, weft_error *error) {
    const struct weft_av *av = &reader->av;
    AVDictionary *dictionary = NULL;
    const AVInputFormat *format = NULL;
    weft_status status = WEFT_OK;
    reader->context = av->avformat_alloc_context();
    if (!reader->context)
        return weft_fail_memory(error, sizeof *reader->context, "a video");
    reader->sequence = strcmp(path, "-") && av->av_filename_number_test(path);
    if (!reader->options.protocols) {
        reader->open_file = reader->context->io_open;
        reader->context->io_open = open_one;
        reader->context->opaque = reader;
    }
    if (reader->options.raw) {
        format = av->av_find_input_format("rawvideo");
        status = read_raw(reader, reader->options.raw, &dictionary, error);
    } else if (reader->sequence) {
        format = av->av_find_input_format("image2");
        av->av_dict_set(&dictionary, "start_number_range", "100000", 0);
    }
    if (status == WEFT_OK && av->av_dict_set(&dictionary, "protocol_whitelist", reader->allowed, 0) < 0)
        status = weft_fail_memory(error, strlen(reader->allowed), "options");
    if (status == WEFT_OK) {
        int code =
            av->avformat_open_input(&reader->context, reader->url, format, &dictionary); /* frees it when it fails */
        if (code < 0)
            status = fail_open(reader, code, error);
    }
    av->av_dict_free(&dictionary);
    if (status != WEFT_OK)
        return status;
    int code = av->avformat_find_stream_info(reader->context, NULL);
    if (reader->refused[0])
        return fail_open(reader, code, error);
    return code < 0 ? weft_av_fail(av, error, code, "'%s' does not say what is in it", reader->name) : WEFT_OK;
}

weft_status weft_video_open_decoder(struct weft_video_reader *reader, weft_error *error) {
    const struct weft_av *av = &reader->av;
    int64_t limit = reader->options.pixel_limit > 0 ? reader->options.pixel_limit : (int64_t)1 << 30;
    int index = av->av_find_best_stream(reader->context, AVMEDIA_TYPE_VIDEO, -1, -1, NULL, 0);
    if (index < 0 || reader->context->streams[index]->disposition & AV_DISPOSITION_ATTACHED_PIC)
        return weft_fail(error, WEFT_ERROR_FILE, "'%s' has no video in it", reader->name);
    reader->stream = reader->context->streams[index];
    const AVCodecParameters *coded = reader->stream->codecpar;
    const AVCodec *codec = av->avcodec_find_decoder(coded->codec_id);
    if (!codec)
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED, "'%s' is coded as %s, which this FFmpeg does not decode",
                         reader->name, av->avcodec_get_name(coded->codec_id));
    if ((int64_t)coded->width * coded->height > limit)
        return weft_fail(error, WEFT_ERROR_FILE, "'%s' has frames of %dx%d pixels, more than the limit of %lld",
                         reader->name, coded->width, coded->height, (long long)limit);
    if (limit > reader->carry.limit / 4)
        limit = reader->carry.limit / 4; /* as much as a pixel of most formats takes */
    if ((int64_t)coded->width * coded->height > limit)
        return weft_fail(error, WEFT_ERROR_FILE,
                         "'%s' has frames of %dx%d pixels, which take more than %lld MB; --decode-limit allows more",
                         reader->name, coded->width, coded->height, (long long)(reader->carry.limit / 1000000));
    reader->decoder = av->avcodec_alloc_context3(codec);
    reader->packet = av->av_packet_alloc();
    reader->picture = av->av_frame_alloc();
    if (!reader->decoder || !reader->packet || !reader->picture)
        return weft_fail_memory(error, sizeof *reader->decoder, "a decoder");
    int code = av->avcodec_parameters_to_context(reader->decoder, coded);
    reader->decoder->pkt_timebase = reader->stream->time_base;
    reader->decoder->thread_count = reader->options.threads;
    reader->decoder->max_pixels = limit;
    if (code >= 0)
        code = av->avcodec_open2(reader->decoder, codec, NULL);
    return code < 0 ? weft_av_fail(av, error, code, "'%s': its decoder %s does not start", reader->name, codec->name)
                    : WEFT_OK;
}

static weft_status read_matrix(struct weft_video_reader *reader, weft_video_format *format, weft_error *error) {
    switch (reader->colorspace) {
    case AVCOL_SPC_BT709:
        format->matrix = WEFT_MATRIX_709;
        return WEFT_OK;
    case AVCOL_SPC_BT2020_NCL:
        format->matrix = WEFT_MATRIX_2020;
        return WEFT_OK;
    case AVCOL_SPC_BT470BG:
    case AVCOL_SPC_SMPTE170M:
    case AVCOL_SPC_FCC:
        format->matrix = WEFT_MATRIX_601;
        return WEFT_OK;
    case AVCOL_SPC_UNSPECIFIED:
    case AVCOL_SPC_RESERVED: /* not stated: what is usual for such a size */
        format->matrix = format->planes[0].height > 576 ? WEFT_MATRIX_709 : WEFT_MATRIX_601;
        return WEFT_OK;
    default:
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED,
                         "'%s' has luma and chroma by a matrix that is neither BT.601, 709 nor 2020", reader->name);
    }
}

static weft_video_siting siting_of(const AVFrame *picture, const weft_video_format *format) {
    switch (picture->chroma_location) {
    case AVCHROMA_LOC_CENTER:
        return WEFT_SITING_CENTER;
    case AVCHROMA_LOC_TOPLEFT:
        return WEFT_SITING_TOP_LEFT;
    case AVCHROMA_LOC_TOP:
        return WEFT_SITING_TOP;
    case AVCHROMA_LOC_BOTTOMLEFT:
        return WEFT_SITING_BOTTOM_LEFT;
    case AVCHROMA_LOC_BOTTOM:
        return WEFT_SITING_BOTTOM;
    case AVCHROMA_LOC_UNSPECIFIED: /* JPEG's own, where nothing else is said */
        return format->full_range ? WEFT_SITING_CENTER : WEFT_SITING_LEFT;
    default:
        return WEFT_SITING_LEFT;
    }
}

weft_status weft_video_read_info(struct weft_video_reader *reader, weft_error *error) {
    const struct weft_av *av = &reader->av;
    const AVFrame *picture = reader->picture;
    const AVStream *stream = reader->stream;
    weft_video_info *info = &reader->info;
    reader->pixels = picture->format;
    reader->colorspace = picture->colorspace;
    reader->range = picture->color_range;
    weft_status status = weft_pixels_describe(av, reader->pixels, picture->width, picture->height, &info->format,
                                              &reader->native, error);
    if (status != WEFT_OK)
        return status;
    const char *pixels = av->av_get_pix_fmt_name(reader->pixels);
    info->width = picture->width, info->height = picture->height;
    info->format.full_range = picture->color_range == AVCOL_RANGE_JPEG || (pixels && !strncmp(pixels, "yuvj", 4)) ||
                              info->format.kind != WEFT_VIDEO_YUV;
    info->format.siting = siting_of(picture, &info->format);
    info->time_numerator = stream->time_base.num, info->time_denominator = stream->time_base.den;
    AVRational rate = av->av_guess_frame_rate(reader->context, reader->stream, NULL);
    if (rate.num > 0 && rate.den > 0)
        info->rate_numerator = rate.num, info->rate_denominator = rate.den;
    double step = av_q2d(stream->time_base), all = (double)reader->context->duration / AV_TIME_BASE;
    info->duration = stream->duration > 0 ? (double)stream->duration * step : reader->context->duration > 0 ? all : 0;
    double start = reader->options.from > 0 ? reader->options.from : 0, end = info->duration;
    if (reader->options.to > 0 && (end <= 0 || reader->options.to < end))
        end = reader->options.to;
    bool cut = start > 0 || end < info->duration;
    info->duration = end > start ? end - start : 0;
    info->frames = stream->nb_frames > 0 && !cut ? stream->nb_frames
                   : info->rate_numerator        ? llround(info->duration * av_q2d(rate))
                                                 : 0;
    if (reader->options.frames > 0 && (info->frames == 0 || reader->options.frames < info->frames))
        info->frames = reader->options.frames;
    size_t size = 0;
    const uint8_t *matrix = weft_av_matrix(av, stream, &size);
    double turned = size >= 9 * sizeof(int32_t) ? av->av_display_rotation_get((const int32_t *)(const void *)matrix) : 0;
    info->rotation = isfinite(turned) ? turned : 0;
    info->fields = weft_fields_of(picture);
    if (info->format.kind == WEFT_VIDEO_YUV)
        status = read_matrix(reader, &info->format, error);
    if (status != WEFT_OK || reader->native)
        return status;
    reader->row = weft_allocate((size_t)info->width, sizeof *reader->row);
    if (!reader->row)
        return weft_fail_memory(error, (size_t)info->width * 2, "a row");
    return weft_frame_pool_open(&reader->pool, av, &info->format, error);
}
