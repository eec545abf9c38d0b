/* SPDX-License-Identifier: MIT
 * Which encoder a video gets, and which pixels: unless the settings say so, what players everywhere take. */
#include <stdio.h>
#include <string.h>
#include "base/log.h"
#include "base/memory.h"
#include "base/status.h"
#include "video/ffmpeg/format.h"
#include "video/ffmpeg/writer.h"

/* What is made of pictures by container, the first that this FFmpeg has. Others get FFmpeg's own choice. */
static const struct {
    const char *container, *codecs[4];
} preferred[] = {
    {"mp4", {"libx264", "libopenh264", "mpeg4"}},
    {"mov", {"libx264", "libopenh264", "mpeg4"}},
    {"matroska", {"libx264", "libopenh264", "mpeg4"}},
    {"mpegts", {"libx264", "libopenh264", "mpeg2video"}},
    {"avi", {"libx264", "mpeg4"}},
    {"flv", {"libx264", "flv"}},
    {"webm", {"libvpx-vp9", "libvpx"}},
    {"yuv4mpegpipe", {"wrapped_avframe"}},
};

static bool named(const char *list, const char *name) { /* "mov,mp4" */
    size_t length = strlen(name);
    for (const char *at = list; (at = strstr(at, name)) != NULL; at += length)
        if ((at == list || at[-1] == ',') && (at[length] == 0 || at[length] == ','))
            return true;
    return false;
}

static weft_status choose_codec(struct weft_video_writer *writer, weft_error *error) {
    const struct weft_av *av = &writer->av;
    const AVOutputFormat *format = writer->context->oformat;
    if (writer->codec_name[0]) {
        writer->codec = av->avcodec_find_encoder_by_name(writer->codec_name);
        if (!writer->codec || writer->codec->type != AVMEDIA_TYPE_VIDEO)
            return weft_fail(error, WEFT_ERROR_PARAMETER,
                             "'%s': this FFmpeg has no video encoder '%s'; it may have libx264, libx265, libvpx-vp9, "
                             "libsvtav1, ffv1, mpeg4, prores_ks",
                             writer->name, writer->codec_name);
    }
    for (size_t i = 0; i < sizeof preferred / sizeof *preferred; i++)
        for (size_t k = 0; k < 4 && preferred[i].codecs[k] && !writer->codec; k++)
            if (named(format->name, preferred[i].container))
                writer->codec = av->avcodec_find_encoder_by_name(preferred[i].codecs[k]);
    if (!writer->codec)
        writer->codec =
            av->avcodec_find_encoder(av->av_guess_codec(format, NULL, writer->path, NULL, AVMEDIA_TYPE_VIDEO));
    if (!writer->codec)
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED, "'%s': files of %s hold no video that this FFmpeg encodes",
                         writer->name, format->long_name ? format->long_name : format->name);
    if (av->avformat_query_codec(format, writer->codec->id, FF_COMPLIANCE_EXPERIMENTAL) == 0)
        return weft_fail(error, WEFT_ERROR_PARAMETER, "'%s': a file of %s cannot hold video of the encoder %s",
                         writer->name, format->long_name ? format->long_name : format->name, writer->codec->name);
    return WEFT_OK;
}

/* Encoders whose usual player knows 8 bits and chroma of half the sides, and nothing else. */
static bool plain(const AVCodec *codec) {
    return codec->id == AV_CODEC_ID_H264 || codec->id == AV_CODEC_ID_HEVC || codec->id == AV_CODEC_ID_VP9 ||
           codec->id == AV_CODEC_ID_VP8 || codec->id == AV_CODEC_ID_AV1 || codec->id == AV_CODEC_ID_MPEG4;
}

static const enum AVPixelFormat y4m[] = {
    AV_PIX_FMT_YUV420P,   AV_PIX_FMT_YUV422P,   AV_PIX_FMT_YUV444P,   AV_PIX_FMT_YUV411P,   AV_PIX_FMT_GRAY8,
    AV_PIX_FMT_YUV420P10, AV_PIX_FMT_YUV422P10, AV_PIX_FMT_YUV444P10, AV_PIX_FMT_YUV420P12, AV_PIX_FMT_YUV422P12,
    AV_PIX_FMT_YUV444P12, AV_PIX_FMT_GRAY10,    AV_PIX_FMT_GRAY12,    AV_PIX_FMT_GRAY16,    AV_PIX_FMT_NONE};

static weft_status choose_pixels(struct weft_video_writer *writer, const weft_video_info *wanted, weft_error *error) {
    const struct weft_av *av = &writer->av;
    weft_video_format like = wanted->format;
    enum AVPixelFormat all[AV_PIX_FMT_NB + 1];
    const enum AVPixelFormat *list = writer->codec->pix_fmts;
    if (!strcmp(writer->context->oformat->name, "yuv4mpegpipe")) {
        list = y4m;
    } else if (!list) { /* any, as of bare pixels */
        int count = 0;
        for (int i = 0; i < AV_PIX_FMT_NB; i++)
            if (av->av_pix_fmt_desc_get((enum AVPixelFormat)i))
                all[count++] = (enum AVPixelFormat)i;
        all[count] = AV_PIX_FMT_NONE;
        list = all;
    }
    if (writer->pixels_name[0]) {
        writer->pixels = av->av_get_pix_fmt(writer->pixels_name);
        bool there = false;
        for (const enum AVPixelFormat *p = list; *p != AV_PIX_FMT_NONE; p++)
            there = there || *p == writer->pixels;
        char known[256] = "";
        for (const enum AVPixelFormat *p = list; *p != AV_PIX_FMT_NONE && strlen(known) < 220; p++)
            snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", known[0] ? ", " : "",
                     av->av_get_pix_fmt_name(*p));
        if (!there)
            return weft_fail(error, WEFT_ERROR_PARAMETER, "'%s': the encoder %s takes no pixels '%s'; it takes %s",
                             writer->name, writer->codec->name, writer->pixels_name, known);
        return WEFT_OK;
    }
    if (plain(writer->codec) || like.kind == WEFT_VIDEO_GRAY) {
        bool less = like.bits > 8 && like.kind == WEFT_VIDEO_YUV && plain(writer->codec);
        like.kind = like.kind == WEFT_VIDEO_GRAY && !plain(writer->codec) ? WEFT_VIDEO_GRAY : WEFT_VIDEO_YUV;
        if (plain(writer->codec)) {
            like.bits = 8, like.chroma_x = like.chroma_y = 2;
            like.alpha = like.alpha && (writer->codec->id == AV_CODEC_ID_VP9 || writer->codec->id == AV_CODEC_ID_VP8);
        }
        if (less)
            weft_log_print(&writer->options.log, WEFT_LOG_WARNING,
                           "'%s' gets 8 bits, which play everywhere, of %d; [pixels=yuv420p10le] keeps more",
                           writer->name, (int)wanted->format.bits);
    }
    writer->pixels = weft_pixels_choose(av, list, &like);
    return writer->pixels != AV_PIX_FMT_NONE
               ? WEFT_OK
               : weft_fail(error, WEFT_ERROR_UNSUPPORTED, "'%s': the encoder %s supports no pixel format that weft writes",
                           writer->name, writer->codec->name);
}

static enum AVColorSpace space_of(weft_video_matrix matrix) {
    return matrix == WEFT_MATRIX_601   ? AVCOL_SPC_SMPTE170M
           : matrix == WEFT_MATRIX_709 ? AVCOL_SPC_BT709
                                       : AVCOL_SPC_BT2020_NCL;
}

static enum AVChromaLocation location_of(weft_video_siting siting) {
    static const enum AVChromaLocation locations[] = {[WEFT_SITING_LEFT] = AVCHROMA_LOC_LEFT,
                                                      [WEFT_SITING_CENTER] = AVCHROMA_LOC_CENTER,
                                                      [WEFT_SITING_TOP_LEFT] = AVCHROMA_LOC_TOPLEFT,
                                                      [WEFT_SITING_TOP] = AVCHROMA_LOC_TOP,
                                                      [WEFT_SITING_BOTTOM_LEFT] = AVCHROMA_LOC_BOTTOMLEFT,
                                                      [WEFT_SITING_BOTTOM] = AVCHROMA_LOC_BOTTOM};
    return locations[siting];
}

/* Encoders that have a way to code two fields apart. */
static bool codes_fields(const AVCodec *codec) {
    return codec->id == AV_CODEC_ID_H264 || codec->id == AV_CODEC_ID_MPEG4 || codec->id == AV_CODEC_ID_MPEG2VIDEO ||
           codec->id == AV_CODEC_ID_PRORES;
}

static void tell_fields(struct weft_video_writer *writer, weft_video_fields fields) {
    const struct weft_video_reader *from = writer->options.carry;
    AVCodecContext *encoder = writer->encoder;
    enum AVFieldOrder said = from ? from->stream->codecpar->field_order : AV_FIELD_UNKNOWN;
    writer->info.fields = fields;
    if (fields == WEFT_FIELDS_NONE)
        encoder->field_order = from && encoder->height != from->info.height ? AV_FIELD_PROGRESSIVE : said;
    else if (said == AV_FIELD_UNKNOWN || said == AV_FIELD_PROGRESSIVE)
        encoder->field_order = fields == WEFT_FIELDS_TOP_FIRST ? AV_FIELD_TT : AV_FIELD_BB;
    else
        encoder->field_order = said;
    if (fields != WEFT_FIELDS_NONE && codes_fields(writer->codec) &&
        encoder->height % (2 * writer->info.format.chroma_y) == 0)
        encoder->flags |= AV_CODEC_FLAG_INTERLACED_DCT;
    if (fields == WEFT_FIELDS_BOTTOM_FIRST && !strcmp(writer->codec->name, "libx264")) /* it begins with the other one */
        writer->av.av_dict_set(&writer->settings, "x264-params", "bff=1", AV_DICT_DONT_OVERWRITE);
}

/* Colors are said as the input said them, or as they are made. */
static void tell_color(struct weft_video_writer *writer, const weft_video_info *wanted) {
    const struct weft_video_reader *from = writer->options.carry;
    AVCodecContext *encoder = writer->encoder;
    weft_video_format *format = &writer->info.format;
    const char *name = writer->av.av_get_pix_fmt_name(writer->pixels);
    bool yuv = wanted->format.kind == WEFT_VIDEO_YUV, full = name && !strncmp(name, "yuvj", 4);
    format->matrix = yuv ? wanted->format.matrix : wanted->height > 576 ? WEFT_MATRIX_709 : WEFT_MATRIX_601;
    format->siting = yuv ? wanted->format.siting : full ? WEFT_SITING_CENTER : WEFT_SITING_LEFT;
    format->full_range =
        format->kind != WEFT_VIDEO_YUV || full || (yuv && wanted->format.full_range && !plain(writer->codec));
    if (from) {
        encoder->color_primaries = from->decoder->color_primaries;
        encoder->color_trc = from->decoder->color_trc;
        encoder->sample_aspect_ratio = from->stream->sample_aspect_ratio;
    }
    tell_fields(writer, wanted->fields);
    if (format->kind != WEFT_VIDEO_YUV)
        return;
    encoder->colorspace = yuv && from ? from->colorspace : space_of(format->matrix);
    encoder->color_range = format->full_range ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
    encoder->chroma_sample_location =
        format->chroma_x > 1 || format->chroma_y > 1 ? location_of(format->siting) : AVCHROMA_LOC_UNSPECIFIED;
}

/* Containers whose frames follow one another at one rate. FFmpeg's own flag says so of mp4, too, which has times. */
static bool one_rate(const char *container) {
    static const char *const names[] = {"avi", "mxf", "mxf_opatom", "gxf", "yuv4mpegpipe", "rawvideo", "image2", "dv"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(container, names[i]))
            return true;
    return false;
}

/* In which steps the encoder and the container count time. */
static void choose_time(struct weft_video_writer *writer, const weft_video_info *wanted) {
    AVCodecContext *encoder = writer->encoder;
    AVRational rate = {(int)wanted->rate_numerator, (int)wanted->rate_denominator};
    AVRational base = {(int)wanted->time_numerator, (int)wanted->time_denominator};
    int numerator, denominator = 1;
    char rest;
    int read = sscanf(writer->rate, "%d/%d%c", &numerator, &denominator, &rest);
    if ((read == 1 || read == 2) && numerator > 0 && denominator > 0)
        rate = (AVRational){numerator, denominator};
    bool steady = one_rate(writer->context->oformat->name) || writer->codec->id == AV_CODEC_ID_MPEG4 ||
                  writer->codec->id == AV_CODEC_ID_MPEG2VIDEO || writer->codec->id == AV_CODEC_ID_MPEG1VIDEO ||
                  writer->rate[0] != 0;
    if (rate.num <= 0 || rate.den <= 0)
        rate = (AVRational){25, 1};
    encoder->framerate = rate;
    encoder->time_base = steady || base.num <= 0 || base.den <= 0 ? (AVRational){rate.den, rate.num} : base;
}

/* Settings that stand for quality where none is asked for. */
static void set_defaults(struct weft_video_writer *writer) {
    const struct weft_av *av = &writer->av;
    const char *name = writer->codec->name;
    bool asked = av->av_dict_get(writer->settings, "crf", NULL, 0) || av->av_dict_get(writer->settings, "b", NULL, 0) ||
                 av->av_dict_get(writer->settings, "qp", NULL, 0);
    if (!strcmp(name, "libx265")) /* which would print its own settings */
        av->av_dict_set(&writer->settings, "x265-params", "log-level=none", AV_DICT_DONT_OVERWRITE);
    if (asked)
        return;
    if (!strcmp(name, "libx264"))
        av->av_dict_set(&writer->settings, "crf", "18", 0);
    else if (!strcmp(name, "libvpx-vp9"))
        av->av_dict_set(&writer->settings, "crf", "24", 0);
    else if (!strcmp(name, "mpeg4") || !strcmp(name, "mpeg2video"))
        writer->encoder->flags |= AV_CODEC_FLAG_QSCALE, writer->encoder->global_quality = 3 * FF_QP2LAMBDA;
}

weft_status weft_video_open_encoder(struct weft_video_writer *writer, const weft_video_info *wanted,
                                    weft_error *error) {
    const struct weft_av *av = &writer->av;
    weft_status status = choose_codec(writer, error);
    if (status == WEFT_OK)
        status = choose_pixels(writer, wanted, error);
    if (status == WEFT_OK)
        status = weft_pixels_describe(av, writer->pixels, wanted->width, wanted->height, &writer->info.format,
                                      &writer->native, error);
    if (status != WEFT_OK)
        return status;
    /* Filters round to whole samples, which are brought into the upper bits when they are written. */
    writer->shift = writer->native && writer->info.format.high ? 16 - writer->info.format.bits : 0;
    writer->info.format.high = false;
    AVCodecContext *encoder = writer->encoder = av->avcodec_alloc_context3(writer->codec);
    if (!encoder)
        return weft_fail_memory(error, sizeof *encoder, "an encoder");
    writer->info.width = wanted->width, writer->info.height = wanted->height;
    encoder->width = (int)wanted->width, encoder->height = (int)wanted->height;
    encoder->pix_fmt = writer->pixels;
    encoder->thread_count = writer->options.threads;
    encoder->strict_std_compliance = FF_COMPLIANCE_EXPERIMENTAL;
    if (writer->context->oformat->flags & AVFMT_GLOBALHEADER)
        encoder->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    tell_color(writer, wanted);
    choose_time(writer, wanted);
    set_defaults(writer);
    int code = av->avcodec_open2(encoder, writer->codec, &writer->settings);
    const weft_video_format *format = &writer->info.format;
    if (code < 0 && (wanted->width % format->chroma_x || wanted->height % format->chroma_y))
        return weft_fail(
            error, WEFT_ERROR_FORMAT,
            "'%s': the encoder %s cannot encode odd sizes, %lldx%lld, with chroma of half the size; end the "
            "graph with crop or pad, or say [pixels=yuv444p]",
            writer->name, writer->codec->name, (long long)wanted->width, (long long)wanted->height);
    if (code < 0)
        return weft_av_fail(av, error, code, "'%s': the encoder %s does not start with these settings", writer->name,
                            writer->codec->name);
    writer->info.time_numerator = encoder->time_base.num, writer->info.time_denominator = encoder->time_base.den;
    writer->info.rate_numerator = encoder->framerate.num, writer->info.rate_denominator = encoder->framerate.den;
    return WEFT_OK;
}
