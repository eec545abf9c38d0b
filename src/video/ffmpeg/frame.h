/* SPDX-License-Identifier: MIT
 * Memory for frames, which is used again and again. */
#ifndef VIDEO_FRAME_H
#define VIDEO_FRAME_H
#include "video/ffmpeg/library.h"
#include "weft/video.h"

static inline weft_video_fields weft_fields_of(const AVFrame *picture) {
#ifdef AV_FRAME_FLAG_INTERLACED
    bool interlaced = picture->flags & AV_FRAME_FLAG_INTERLACED, top = picture->flags & AV_FRAME_FLAG_TOP_FIELD_FIRST;
#else
    bool interlaced = picture->interlaced_frame, top = picture->top_field_first;
#endif
    return !interlaced ? WEFT_FIELDS_NONE : top ? WEFT_FIELDS_TOP_FIRST : WEFT_FIELDS_BOTTOM_FIRST;
}

static inline void weft_fields_tell(AVFrame *picture, weft_video_fields fields) {
#ifdef AV_FRAME_FLAG_INTERLACED
    picture->flags |= (fields != WEFT_FIELDS_NONE ? AV_FRAME_FLAG_INTERLACED : 0) |
                      (fields == WEFT_FIELDS_TOP_FIRST ? AV_FRAME_FLAG_TOP_FIELD_FIRST : 0);
#else
    picture->interlaced_frame = fields != WEFT_FIELDS_NONE;
    picture->top_field_first = fields == WEFT_FIELDS_TOP_FIRST;
#endif
}

/* Frames of one format: where their planes lie in a buffer. */
struct weft_frame_pool {
    const struct weft_av *av;
    AVBufferPool *buffers;
    weft_video_format format;
    size_t offsets[WEFT_VIDEO_PLANES], size;
    int strides[WEFT_VIDEO_PLANES];
};

/* What stands behind a weft_video_frame. */
struct weft_held_frame {
    weft_video_frame frame;
    const struct weft_av *av;
    AVFrame *picture;    /* FFmpeg's, or NULL */
    AVBufferRef *memory; /* of a pool, or NULL */
};

weft_status weft_frame_pool_open(struct weft_frame_pool *pool, const struct weft_av *av,
                                 const weft_video_format *format, weft_error *error);
void weft_frame_pool_close(struct weft_frame_pool *pool);
/* A frame of the pool's memory. */
weft_status weft_frame_take(struct weft_frame_pool *pool, struct weft_held_frame **held, weft_error *error);
/* A frame of FFmpeg's, taken from `picture`, which is empty then. */
weft_status weft_frame_wrap(const struct weft_av *av, const weft_video_format *format, AVFrame *picture,
                            struct weft_held_frame **held, weft_error *error);

#endif
