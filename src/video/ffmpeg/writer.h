/* SPDX-License-Identifier: MIT
 * What a writer of video knows. */
#ifndef VIDEO_WRITER_H
#define VIDEO_WRITER_H
#include "video/ffmpeg/frame.h"
#include "video/ffmpeg/reader.h"
#include "weft/video.h"

enum { WEFT_DURATIONS = 256 }; /* frames that an encoder may hold back and keep their duration */

struct weft_video_writer {
    struct weft_av av;
    char name[WEFT_VIDEO_NAME], *path, *temporary; /* temporary: what the file is called until it is whole; or NULL */
    char codec_name[64], pixels_name[32], container[32], rate[32]; /* of the settings; empty when not given */
    AVDictionary *settings;                                        /* the others */
    weft_video_writer_options options;
    bool sequence, standard;

    AVFormatContext *context;
    const AVCodec *codec;
    AVCodecContext *encoder;
    AVStream *stream;
    AVPacket *packet;
    enum AVPixelFormat pixels;
    int shift; /* of samples that lie in the upper bits of 16 */
    bool native, begun;
    weft_video_info info;
    struct weft_frame_pool pool;
    uint16_t *row;
    int64_t last, count, dropped; /* the last frame's time; how many there were; without a time of their own */
    struct {
        int64_t time, duration;
    } durations[WEFT_DURATIONS];

    int carrier;  /* the place in the reader's queue; -1 for none */
    int *streams; /* of the reader's streams: the writer's, -1 for none */
    bool failed;
};

/* settings.c: parts the settings into the writer's members and its dictionary. */
weft_status weft_video_read_settings(struct weft_video_writer *writer, weft_error *error);
/* An error when a setting was not used. */
weft_status weft_video_check_settings(const struct weft_video_writer *writer, weft_error *error);
/* encoder.c: the encoder, by the settings or by the container, and its format of pixels. */
weft_status weft_video_open_encoder(struct weft_video_writer *writer, const weft_video_info *wanted, weft_error *error);
/* output.c: the streams, the file and its header; sound and subtitles that the reader has read meanwhile, up to a time
 * in microseconds; the end. */
weft_status weft_video_open_output(struct weft_video_writer *writer, weft_error *error);
weft_status weft_video_carry_packets(struct weft_video_writer *writer, int64_t until, weft_error *error);
weft_status weft_video_finish_output(struct weft_video_writer *writer, weft_error *error);
void weft_video_close_output(struct weft_video_writer *writer);

#endif
