/* SPDX-License-Identifier: MIT
 * What a reader of video knows. */
#ifndef VIDEO_READER_H
#define VIDEO_READER_H
#include "video/ffmpeg/passthrough.h"
#include "video/ffmpeg/frame.h"
#include "weft/video.h"

enum { WEFT_VIDEO_NAME = 256 };

struct weft_video_reader {
    struct weft_av av;
    char name[WEFT_VIDEO_NAME], *url, *allowed; /* allowed: protocols */
    weft_video_reader_options options;
    bool sequence;                                                                           /* a file for each frame */
    int (*open_file)(AVFormatContext *, AVIOContext **, const char *, int, AVDictionary **); /* FFmpeg's own */
    char refused[WEFT_VIDEO_NAME]; /* what a file wanted to open beside itself */

    AVFormatContext *context;
    AVCodecContext *decoder;
    AVStream *stream;
    AVPacket *packet;
    AVFrame *picture;
    weft_video_info info;
    enum AVPixelFormat pixels;
    enum AVColorSpace colorspace; /* as the stream says, to be said again */
    enum AVColorRange range;
    bool native, have_picture;
    struct weft_frame_pool pool; /* for formats that are not native */
    uint16_t *row;
    struct weft_carry carry;

    int64_t from, to;                   /* in the stream's time; to: INT64_MAX for the end */
    int64_t last, last_duration, count; /* the last frame's time and duration, how many there were */
    int64_t packets, broken;            /* that were read, that could not be decoded */
    double seen;                        /* seconds up to which packets of any stream reach */
    bool draining, ended, told, limited, flooded;
    weft_status later; /* of the picture that was decoded ahead */
    int failure;       /* FFmpeg's code of what ended the stream */
};

/* Which streams go along with the video. */
bool weft_video_carries(const struct weft_video_reader *reader, const AVStream *stream);

/* reader_open.c */
weft_status weft_video_open_file(struct weft_video_reader *reader, const char *path, weft_error *error);
weft_status weft_video_open_decoder(struct weft_video_reader *reader, weft_error *error);
/* What the first frame, which is in `picture`, tells. */
weft_status weft_video_read_info(struct weft_video_reader *reader, weft_error *error);

/* reader_decode.c: decodes up to the next picture that is wanted; sets `ended` when there is none. */
weft_status weft_video_next_picture(struct weft_video_reader *reader, weft_error *error);

/* FFmpeg's marker of a time that is not known, as a constant that compilers of C take. */
static inline bool weft_time_known(int64_t time) { return time != AV_NOPTS_VALUE; }

#endif
