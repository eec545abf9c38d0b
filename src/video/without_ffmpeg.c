/* SPDX-License-Identifier: MIT
 * The readers and writers of weft/video.h in a build without FFmpeg's headers: they say how to get them. */
#include <stdbool.h>
#include <stdio.h>
#include "base/status.h"
#include "weft/video.h"

#define HOW                                                                                                            \
    "this weft is built without video: install FFmpeg's libavformat-dev, libavcodec-dev and libavutil-dev, and build " \
    "it again"

bool weft_video_available(char *text, size_t size) {
    if (text)
        snprintf(text, size, "%s", HOW);
    return false;
}

static weft_status fail(bool given, weft_error *error) {
    return given ? weft_fail(error, WEFT_ERROR_UNSUPPORTED, HOW)
                 : weft_fail(error, WEFT_ERROR_ARGUMENT, "a pointer that is needed is NULL");
}

weft_status weft_video_reader_open(const char *path, const weft_video_reader_options *options,
                                   weft_video_reader **reader, weft_error *error) {
    (void)options;
    if (reader)
        *reader = NULL;
    return fail(path && reader, error);
}
const weft_video_info *weft_video_reader_info(const weft_video_reader *reader) {
    (void)reader;
    return NULL;
}
weft_status weft_video_reader_read(weft_video_reader *reader, weft_video_frame **frame, weft_error *error) {
    return fail(reader && frame, error);
}
void weft_video_frame_free(weft_video_frame **frame) { (void)frame; }
void weft_video_reader_close(weft_video_reader **reader) { (void)reader; }
weft_status weft_video_writer_open(const char *path, const weft_video_writer_options *options,
                                   const weft_video_info *wanted, weft_video_writer **writer, weft_error *error) {
    (void)options;
    if (writer)
        *writer = NULL;
    return fail(path && wanted && writer, error);
}
const weft_video_info *weft_video_writer_info(const weft_video_writer *writer) {
    (void)writer;
    return NULL;
}
weft_status weft_video_writer_frame(weft_video_writer *writer, weft_video_frame **frame, weft_error *error) {
    return fail(writer && frame, error);
}
weft_status weft_video_writer_write(weft_video_writer *writer, weft_video_frame **frame, weft_error *error) {
    return fail(writer && frame, error);
}
int64_t weft_video_writer_size(const weft_video_writer *writer) {
    (void)writer;
    return 0;
}
weft_status weft_video_writer_finish(weft_video_writer **writer, weft_error *error) {
    return fail(writer && *writer, error);
}
void weft_video_writer_abandon(weft_video_writer **writer) { (void)writer; }
