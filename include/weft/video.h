/* SPDX-License-Identifier: MIT
 * Video: readers and writers of frames, over FFmpeg's libraries where weft is built with their headers and they are
 * there when it runs, and a call that takes a whole video through a graph. Without them every call that opens something
 * returns WEFT_ERROR_UNSUPPORTED and says how to get them. */
#ifndef WEFT_VIDEO_H
#define WEFT_VIDEO_H
#include "weft/file.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_video_reader weft_video_reader;
typedef struct weft_video_writer weft_video_writer;

typedef enum weft_video_kind {
    WEFT_VIDEO_GRAY, /* one plane: gray, or gray and straight alpha */
    WEFT_VIDEO_RGB,  /* one plane: red, green, blue and perhaps straight alpha */
    WEFT_VIDEO_YUV /* luma, then chroma in one plane of two channels or in two planes, then perhaps a plane of alpha */
} weft_video_kind;

/* In the order of the choices of the filter yuv_to_rgb. */
typedef enum weft_video_matrix { WEFT_MATRIX_601, WEFT_MATRIX_709, WEFT_MATRIX_2020 } weft_video_matrix;
typedef enum weft_video_siting {
    WEFT_SITING_LEFT,
    WEFT_SITING_CENTER,
    WEFT_SITING_TOP_LEFT,
    WEFT_SITING_TOP,
    WEFT_SITING_BOTTOM_LEFT,
    WEFT_SITING_BOTTOM
} weft_video_siting;

/* Of interlaced video each frame has two fields, the even and the odd rows, which are shown one after the other. */
typedef enum weft_video_fields {
    WEFT_FIELDS_NONE,
    WEFT_FIELDS_TOP_FIRST,
    WEFT_FIELDS_BOTTOM_FIRST
} weft_video_fields;

enum { WEFT_VIDEO_PLANES = 4 };

/* What the planes of a frame mean. */
typedef struct weft_video_format {
    weft_video_kind kind;
    int32_t plane_count;
    weft_image_info planes[WEFT_VIDEO_PLANES];
    bool alpha;                 /* the last channel, or of YUV the last plane, is alpha */
    bool high;                  /* samples are the upper bits of 16, as in P010; else the lower ones */
    int32_t bits;               /* of a sample of YUV or GRAY; RGB has full scale */
    int32_t chroma_x, chroma_y; /* pixels that share a sample of chroma along each side: 1, 2 or 4 */
    weft_video_matrix matrix;
    weft_video_siting siting;
    bool full_range;
} weft_video_format;

typedef struct weft_video_info {
    int64_t width, height;
    weft_video_format format;
    int64_t time_numerator, time_denominator; /* seconds that a step of time stamps lasts */
    int64_t rate_numerator, rate_denominator; /* frames per second, an average where it varies; 0: not known */
    int64_t frames;                           /* as the file says or its duration and rate let expect; 0: not known */
    double duration;                          /* seconds; 0: not known */
    double rotation; /* degrees by which players turn it against the clock; frames are as they are stored */
    weft_video_fields fields; /* of the first frame */
} weft_video_info;

/* A frame. Its planes are memory of its reader's or writer's. */
typedef struct weft_video_frame {
    weft_image planes[WEFT_VIDEO_PLANES];
    int64_t time, duration; /* in steps of the reader's or writer's time; a duration of 0 is not known */
    weft_video_fields fields;
} weft_video_frame;

typedef struct weft_video_reader_options {
    const char *protocols; /* what a file may open beside itself: "file,http"; NULL: nothing. "file" for other files */
    const char *raw;       /* the file is bare pixels: "1920x1080:yuv420p" or "1920x1080:yuv420p@30"; NULL: it is not */
    double from, to;       /* seconds; a `to` of 0 is the end */
    int64_t frames;        /* at most so many; 0: all */
    int64_t pixel_limit;   /* refuse frames of more pixels; 0 for 2^30 */
    int64_t decode_limit;  /* bytes that a frame, and sound and subtitles waiting for frames, may take; 0 for 2^31 */
    int32_t threads;       /* of the decoder; 0 for one per core */
} weft_video_reader_options;

/* True for names that a video is meant by: their extension is one, or they have a number of frames in them: "%05d.png".
 */
WEFT_API bool weft_video_name(const char *path);
/* True for settings that only videos have, whatever the file's name: a codec or a container. NULL is none. */
WEFT_API bool weft_video_settings(const char *settings);
/* What can be read and written, one sentence, or how to get it; true when it is there. `text` may be NULL. */
WEFT_API bool weft_video_available(char *text, size_t size);

/* Opens the file's first video. `path` "-" is standard input. Time stamps count from `from`, or are as in the file. */
WEFT_API weft_status weft_video_reader_open(const char *path, const weft_video_reader_options *options,
                                            weft_video_reader **reader, weft_error *error);
/* Valid while the reader is open; NULL for NULL. */
WEFT_API const weft_video_info *weft_video_reader_info(const weft_video_reader *reader);
/* The next frame, to be given back with weft_video_frame_free before the reader is closed; NULL after the last one.
 * What can be decoded of a broken stream comes first, then WEFT_ERROR_FILE, then NULL. */
WEFT_API weft_status weft_video_reader_read(weft_video_reader *reader, weft_video_frame **frame, weft_error *error);
/* Gives a frame back and sets *frame to NULL; NULL is allowed. */
WEFT_API void weft_video_frame_free(weft_video_frame **frame);
/* Closes a reader and sets *reader to NULL; NULL is allowed. */
WEFT_API void weft_video_reader_close(weft_video_reader **reader);

typedef struct weft_video_writer_options {
    const char *settings;     /* "codec=libx264,crf=18,preset=fast"; NULL for none. codec, pixels (as yuv420p10le),
                                 container and rate are weft's, everything else is the encoder's or the container's */
    weft_video_reader *carry; /* whose sound, subtitles, chapters, metadata and rotation go along; NULL: nobody's. It
                                 must stay open until the writer is finished, and be read by one thread */
    bool strip;               /* no metadata */
    weft_log log;             /* what the file cannot hold and goes without */
    int32_t threads;          /* of the encoder; 0 for one per core */
} weft_video_writer_options;

/* Starts a video of frames like `wanted` under a temporary name. `path` "-" is standard output, y4m unless the settings
 * name a container. */
WEFT_API weft_status weft_video_writer_open(const char *path, const weft_video_writer_options *options,
                                            const weft_video_info *wanted, weft_video_writer **writer,
                                            weft_error *error);
/* What frames must be: as much like what was wanted as the encoder takes. */
WEFT_API const weft_video_info *weft_video_writer_info(const weft_video_writer *writer);
/* A frame to be filled, then written, or given back with weft_video_frame_free. */
WEFT_API weft_status weft_video_writer_frame(weft_video_writer *writer, weft_video_frame **frame, weft_error *error);
/* Takes the frame, whether it could be written or not. Time stamps must grow. */
WEFT_API weft_status weft_video_writer_write(weft_video_writer *writer, weft_video_frame **frame, weft_error *error);
/* Bytes written so far. */
WEFT_API int64_t weft_video_writer_size(const weft_video_writer *writer);
/* Ends the file, so that it plays, gives it its name and sets *writer to NULL, whatever comes of it. On failure nothing is
 * left and a file of that name is untouched. */
WEFT_API weft_status weft_video_writer_finish(weft_video_writer **writer, weft_error *error);
/* Gives up: removes the temporary file and sets *writer to NULL. NULL is allowed. */
WEFT_API void weft_video_writer_abandon(weft_video_writer **writer);

/* What a graph sees of a frame of luma and chroma. */
typedef enum weft_video_planes {
    WEFT_PLANES_COLOR, /* red, green and blue */
    WEFT_PLANES_LUMA,  /* luma alone, as gray of full scale; chroma stays as it is */
    WEFT_PLANES_EACH   /* every plane by itself and as it is, chroma at its own size, as filters of FFmpeg do */
} weft_video_planes;

typedef struct weft_video_input {
    const char *path; /* a video, or a picture, which stands still */
    weft_video_reader_options reading;
    double loop; /* of a picture that is to be a video: its seconds, 25 frames each; 0: it accompanies another input */
} weft_video_input;

typedef struct weft_video_output {
    const char *path;                  /* a video; or a picture, which is the first frame's */
    weft_video_writer_options writing; /* the first video of the inputs is carried */
} weft_video_output;

typedef struct weft_video_progress {
    int64_t frames, expected; /* 0: not known */
    double seconds;           /* of the video */
    int64_t bytes;            /* written */
} weft_video_progress;

/* A number of a filter that changes with time: lines through points, and the first and last value before and after
 * them. */
typedef struct weft_video_curve {
    const char *filter;    /* its name */
    int32_t which;         /* of those of that name in the graph, from 0 */
    const char *parameter; /* one that decides the plan (`dynamic` is false) takes a new plan for each value */
    const double *seconds, *values;
    int32_t count; /* of points, at least 1; their times grow */
} weft_video_curve;

/* What weft_filter_video needs. Everything that is 0 but the files and the graph has a default. */
typedef struct weft_video {
    const weft_video_input *inputs; /* one for each input of the graph; videos must have one rate */
    int32_t input_count;
    const weft_video_output *outputs; /* one for each picture among the graph's outputs */
    int32_t output_count;
    const weft_graph *graph;
    weft_video_planes planes;
    const weft_graph *chroma; /* where every plane is filtered by itself: the graph of both planes of chroma, with as many
                                 inputs and outputs. NULL: the same as of luma */
    weft_device *device; /* NULL: "auto" */
    weft_log log;
    const weft_video_curve *curves;
    int32_t curve_count;
    /* Each may be NULL, and gets `user`. */
    bool (*progress)(void *user,
                     const weft_video_progress *progress); /* after each frame; false ends the video there */
    weft_status (*planned)(void *user, const weft_plan *plan, weft_error *error);
    /* Before each frame; `parameters` may be changed. `map[n]` is the plan's node of the graph's node n. */
    weft_status (*frame)(void *user, double seconds, weft_parameters *parameters, const weft_node *map,
                         weft_error *error);
    /* The numbers of output `index` of the graph, after each frame. */
    weft_status (*numbers)(void *user, int32_t index, int64_t frame, double seconds, const weft_image_info *info,
                           const double *numbers, weft_error *error);
    void *user;
} weft_video;

/* Takes every frame of the inputs through the graph. Decoding, filtering and encoding go on at the same time; the plan
 * is made once. The graph sees red, green and blue, or gray: conversions become part of the plan. When the call is
 * canceled, or an input is broken, the outputs are finished with the frames that there are, and the error says so. */
WEFT_API weft_status weft_filter_video(const weft_video *video, weft_error *error);

#ifdef __cplusplus
}
#endif
#endif
