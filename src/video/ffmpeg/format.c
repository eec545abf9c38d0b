/* SPDX-License-Identifier: MIT
 * From FFmpeg's pixel formats to planes and back. */
#include "video/ffmpeg/format.h"
#include <string.h>
#include "base/status.h"

static int64_t share(int64_t size, int log2) { return (size + ((int64_t)1 << log2) - 1) >> log2; }

/* Whether component c lies at a place of a plane as weft has it: `step` samples from one to the next. */
static bool lies(const AVPixFmtDescriptor *d, int c, int plane, int step, int place) {
    int size = d->comp[c].depth > 8 ? 2 : 1;
    return d->comp[c].plane == plane && d->comp[c].step == step * size && d->comp[c].offset == place * size;
}

static bool is_native(const AVPixFmtDescriptor *d, weft_video_format *format) {
    int depth = d->comp[0].depth, count = d->nb_components, shift = d->comp[0].shift;
    bool alpha = d->flags & AV_PIX_FMT_FLAG_ALPHA, native = true;
    if (d->flags & (AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_BAYER | AV_PIX_FMT_FLAG_FLOAT) ||
        (depth > 8 && d->flags & AV_PIX_FMT_FLAG_BE) || (depth < 8))
        return false;
    for (int c = 0; c < count; c++)
        native = native && d->comp[c].depth == depth && d->comp[c].shift == shift;
    if (!native || (shift != 0 && shift != 16 - depth))
        return false;
    if (format->kind != WEFT_VIDEO_YUV) {
        for (int c = 0; c < count; c++)
            native = native && lies(d, c, 0, count, c);
        return native && (format->kind == WEFT_VIDEO_GRAY || depth == 8 || depth == 16) && shift == 0;
    }
    format->high = shift != 0;
    if (lies(d, 0, 0, 1, 0) && lies(d, 1, 1, 2, 0) && lies(d, 2, 1, 2, 1) && !alpha) {
        format->plane_count = 2;
        return true;
    }
    for (int c = 0; c < count; c++)
        native = native && lies(d, c, c, 1, 0);
    return native && shift == 0;
}

weft_status weft_pixels_describe(const struct weft_av *av, enum AVPixelFormat pixels, int64_t width, int64_t height,
                                 weft_video_format *format, bool *native, weft_error *error) {
    const AVPixFmtDescriptor *d = av->av_pix_fmt_desc_get(pixels);
    if (!d)
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED, "the video does not say in which format its pixels are");
    if (d->flags & (AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_BAYER | AV_PIX_FMT_FLAG_FLOAT) || d->nb_components < 1 ||
        d->comp[0].depth > 16 || !strncmp(d->name, "xyz", 3))
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED, "pixels of the format %s are not read or written", d->name);
    bool alpha = d->flags & AV_PIX_FMT_FLAG_ALPHA, palette = d->flags & AV_PIX_FMT_FLAG_PAL;
    int depth = d->comp[0].depth, most = depth;
    for (int c = 1; c < d->nb_components; c++)
        most = d->comp[c].depth > most ? d->comp[c].depth : most;
    *format = (weft_video_format){.kind = palette || d->flags & AV_PIX_FMT_FLAG_RGB ? WEFT_VIDEO_RGB
                                          : d->nb_components < 3                    ? WEFT_VIDEO_GRAY
                                                                                    : WEFT_VIDEO_YUV,
                                  .alpha = alpha || palette,
                                  .bits = depth < 8 ? 8 : depth,
                                  .chroma_x = 1 << d->log2_chroma_w,
                                  .chroma_y = 1 << d->log2_chroma_h,
                                  .plane_count = 1};
    weft_image_info whole = {.width = width, .height = height, .format = {most > 8 ? WEFT_U16 : WEFT_U8, 1}};
    if (format->kind == WEFT_VIDEO_RGB)
        format->bits = most > 8 ? 16 : 8;
    if (format->kind != WEFT_VIDEO_YUV) {
        format->chroma_x = format->chroma_y = 1;
        whole.format.channels = (format->kind == WEFT_VIDEO_RGB ? 3 : 1) + format->alpha;
        whole.alpha = format->alpha ? WEFT_ALPHA_STRAIGHT : WEFT_ALPHA_NONE;
    } else {
        format->plane_count = 3 + alpha;
    }
    format->planes[0] = whole;
    *native = is_native(d, format);
    for (int i = 1; i < format->plane_count; i++) {
        format->planes[i] = whole;
        if (i < 3) {
            format->planes[i].width = share(width, d->log2_chroma_w);
            format->planes[i].height = share(height, d->log2_chroma_h);
        }
        if (format->plane_count == 2)
            format->planes[i].format.channels = 2;
    }
    return WEFT_OK;
}

void weft_pixels_planes(const weft_video_format *format, const AVFrame *frame, weft_image *planes) {
    for (int i = 0; i < format->plane_count; i++)
        planes[i] = (weft_image){.info = format->planes[i], .data = frame->data[i], .stride = frame->linesize[i]};
}

/* Where the samples of component c lie in the planes: the plane, and the place among its channels. */
static void place_of(const weft_video_format *format, int c, int *plane, int *channel) {
    *plane = format->kind == WEFT_VIDEO_YUV ? c : 0;
    *channel = format->kind == WEFT_VIDEO_YUV ? 0 : c;
}

/* From `from` bits to `to`, which full scale of RGB may need. */
static uint32_t rescaled(uint32_t value, int from, int to) {
    uint32_t full = ((uint32_t)1 << from) - 1, wanted = ((uint32_t)1 << to) - 1;
    return from == to ? value : (value * wanted + full / 2) / full;
}

/* Indices, and a table of 256 numbers 0xAARRGGBB. */
static void unpack_palette(const AVFrame *frame, const weft_image *to) {
    for (int64_t y = 0; y < to->info.height; y++) {
        const unsigned char *from = frame->data[0] + (ptrdiff_t)y * frame->linesize[0];
        unsigned char *target = (unsigned char *)to->data + (ptrdiff_t)y * to->stride;
        for (int64_t x = 0; x < to->info.width; x++, target += 4) {
            uint32_t color;
            memcpy(&color, frame->data[1] + 4 * (size_t)from[x], sizeof color);
            target[0] = (unsigned char)(color >> 16), target[1] = (unsigned char)(color >> 8);
            target[2] = (unsigned char)color, target[3] = (unsigned char)(color >> 24);
        }
    }
}

void weft_pixels_unpack(const struct weft_av *av, const weft_video_format *format, const AVFrame *frame,
                        const weft_image *planes, uint16_t *row) {
    const AVPixFmtDescriptor *d = av->av_pix_fmt_desc_get(frame->format);
    bool scales = format->kind == WEFT_VIDEO_RGB || d->comp[0].depth < 8;
    if (d->flags & AV_PIX_FMT_FLAG_PAL) {
        unpack_palette(frame, &planes[0]);
        return;
    }
    for (int c = 0; c < d->nb_components; c++) {
        int plane, channel, depth = d->comp[c].depth;
        place_of(format, c, &plane, &channel);
        const weft_image *to = &planes[plane];
        int width = (int)to->info.width, step = to->info.format.channels;
        for (int64_t y = 0; y < to->info.height; y++) {
            unsigned char *target = (unsigned char *)to->data + (ptrdiff_t)y * to->stride;
            av->av_read_image_line2(row, (const uint8_t **)frame->data, frame->linesize, d, 0, (int)y, c, width, 0, 2);
            for (int x = 0; x < width; x++) {
                uint32_t value = scales ? rescaled(row[x], depth, format->bits) : row[x];
                if (to->info.format.type == WEFT_U8)
                    target[x * step + channel] = (unsigned char)value;
                else
                    ((uint16_t *)(void *)target)[x * step + channel] = (uint16_t)value;
            }
        }
    }
}

/* Thresholds that no two near pixels have alike, 0 to 63. */
static uint32_t dither(int x, int y) {
    uint32_t value = 0;
    for (int bit = 0; bit < 3; bit++) {
        uint32_t a = (uint32_t)(x >> bit) & 1, b = (uint32_t)(y >> bit) & 1;
        value |= ((a ^ b) << 1 | b) << (4 - 2 * bit);
    }
    return value;
}

void weft_pixels_pack(const struct weft_av *av, const weft_video_format *format, AVFrame *frame,
                      const weft_image *planes, uint16_t *row) {
    const AVPixFmtDescriptor *d = av->av_pix_fmt_desc_get(frame->format);
    bool scales = format->kind == WEFT_VIDEO_RGB || d->comp[0].depth < 8;
    for (int i = 0; i < AV_NUM_DATA_POINTERS && frame->data[i]; i++) { /* components are added to what is there */
        int rows = i == 1 || i == 2 ? (int)share(frame->height, d->log2_chroma_h) : frame->height;
        memset(frame->data[i], 0, (size_t)frame->linesize[i] * (size_t)rows);
    }
    for (int c = 0; c < d->nb_components; c++) {
        int plane, channel, depth = d->comp[c].depth;
        place_of(format, c, &plane, &channel);
        const weft_image *from = &planes[plane];
        int width = (int)from->info.width, step = from->info.format.channels;
        uint32_t full = ((uint32_t)1 << format->bits) - 1, wanted = ((uint32_t)1 << depth) - 1;
        for (int64_t y = 0; y < from->info.height; y++) {
            const unsigned char *source = (const unsigned char *)from->data + (ptrdiff_t)y * from->stride;
            for (int x = 0; x < width; x++) {
                uint32_t value = from->info.format.type == WEFT_U8
                                     ? source[x * step + channel]
                                     : ((const uint16_t *)(const void *)source)[x * step + channel];
                if (scales && depth < 8) /* few levels: dither between the two nearest; a value that is a level stays it */
                    value = (value * wanted * 128 + full * 64 + (2 * dither(x, (int)y) + 1) * (full - wanted) -
                             64 * (full - wanted)) /
                            (full * 128);
                else if (scales)
                    value = rescaled(value, format->bits, depth);
                row[x] = (uint16_t)value;
            }
            av->av_write_image_line2(row, frame->data, frame->linesize, d, 0, (int)y, c, width, 2);
        }
    }
}

/* What is lost from one format to another; below 0 when it cannot be. */
static int64_t loss(const weft_video_format *from, const weft_video_format *to, bool native) {
    int64_t lost = native ? 0 : 1;
    if (from->kind == WEFT_VIDEO_GRAY && to->kind != WEFT_VIDEO_GRAY)
        lost += to->kind == WEFT_VIDEO_YUV ? 20 : 40;
    else if (from->kind != to->kind)
        lost += to->kind == WEFT_VIDEO_GRAY ? 4000000 : to->kind == WEFT_VIDEO_YUV ? 2000 : 1000;
    if (from->alpha != to->alpha)
        lost += from->alpha ? 2000000 : 10;
    int fx = to->chroma_x - from->chroma_x, fy = to->chroma_y - from->chroma_y;
    if (to->kind == WEFT_VIDEO_YUV && from->kind != WEFT_VIDEO_GRAY)
        lost += (fx > 0 ? fx * 20000 : -fx * 100) + (fy > 0 ? fy * 20000 : -fy * 100);
    int bits = from->bits - to->bits;
    return lost + (bits > 0 ? bits * 100000 : -bits * 200) + (to->plane_count == 2) * 2;
}

enum AVPixelFormat weft_pixels_choose(const struct weft_av *av, const enum AVPixelFormat *list,
                                      const weft_video_format *wanted) {
    enum AVPixelFormat best = AV_PIX_FMT_NONE;
    int64_t least = INT64_MAX;
    for (; list && *list != AV_PIX_FMT_NONE; list++) {
        weft_video_format format;
        bool native;
        const AVPixFmtDescriptor *d = av->av_pix_fmt_desc_get(*list);
        if (!d || d->flags & AV_PIX_FMT_FLAG_PAL ||
            weft_pixels_describe(av, *list, wanted->planes[0].width, wanted->planes[0].height, &format, &native,
                                 NULL) != WEFT_OK)
            continue;
        if (d->comp[0].depth < 8)
            format.bits = d->comp[0].depth;
        bool full = !strncmp(d->name, "yuvj", 4);
        int64_t lost = loss(wanted, &format, native) + (full && !wanted->full_range ? 50 : 0) +
                       (wanted->kind == WEFT_VIDEO_YUV && full != wanted->full_range && full ? 5 : 0);
        if (lost < least) {
            least = lost;
            best = *list;
        }
    }
    return best;
}
