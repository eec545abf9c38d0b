/* SPDX-License-Identifier: MIT
 * From FFmpeg's pixel formats to planes and back. Formats whose planes weft can take as stored are native; of others
 * the samples are unpacked into planes like them. */
#ifndef VIDEO_FORMAT_H
#define VIDEO_FORMAT_H
#include "video/ffmpeg/library.h"
#include "weft/video.h"

/* Fills in what the pixel format says: kind, planes, bits. WEFT_ERROR_UNSUPPORTED for those of hardware and the like.
 */
weft_status weft_pixels_describe(const struct weft_av *av, enum AVPixelFormat pixels, int64_t width, int64_t height,
                                 weft_video_format *format, bool *native, weft_error *error);
/* The planes of a native format's frame. */
void weft_pixels_planes(const weft_video_format *format, const AVFrame *frame, weft_image *planes);
/* Unpacks a frame that is not native into planes with memory, or packs it from them. `row` has room for a row of one
 * component in 16 bits. */
void weft_pixels_unpack(const struct weft_av *av, const weft_video_format *format, const AVFrame *frame,
                        const weft_image *planes, uint16_t *row);
void weft_pixels_pack(const struct weft_av *av, const weft_video_format *format, AVFrame *frame,
                      const weft_image *planes, uint16_t *row);
/* Returns the format of an encoder's list, which AV_PIX_FMT_NONE ends, that loses least; AV_PIX_FMT_NONE if there is none. */
enum AVPixelFormat weft_pixels_choose(const struct weft_av *av, const enum AVPixelFormat *list,
                                      const weft_video_format *wanted);

#endif
