/* SPDX-License-Identifier: MIT
 * A fuzz target: videos, by way of FFmpeg's demuxers and decoders. Those of odd size go through a graph and, with their sound,
 * into another file; of the others each frame is looked at. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "weft/video.h"
#include "weft/weft.h"

#define FRAMES 6
#define PIXELS (1 << 18)     /* of a frame */
#define MEMORY (INT64_C(1) << 28) /* bytes of a frame and of what waits for it */

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool condition) {
    if (!condition)
        abort();
}

static void require_error(weft_status status, const weft_error *error) {
    require(status == WEFT_OK || (error->status == status && error->message[0] && !strpbrk(error->message, "\n\r\x1b")));
}

/* All samples of a frame's planes: a sanitizer looks on. */
static unsigned sum(const weft_video_format *format, const weft_video_frame *frame) {
    unsigned total = 0;
    for (int i = 0; i < format->plane_count; i++) {
        const weft_image_info *info = &frame->planes[i].info;
        size_t row = (size_t)info->width * weft_format_size(info->format);
        for (int64_t y = 0; y < info->height; y++)
            for (size_t x = 0; x < row; x++)
                total += ((const unsigned char *)frame->planes[i].data)[y * frame->planes[i].stride + (ptrdiff_t)x];
    }
    return total;
}

static void look(const char *path, const weft_video_reader_options *options) {
    weft_video_reader *reader = NULL;
    weft_video_frame *frame = NULL;
    weft_error error = {0};
    weft_status status = weft_video_reader_open(path, options, &reader, &error);
    require_error(status, &error);
    require((status == WEFT_OK) == (reader != NULL));
    const weft_video_info *info = weft_video_reader_info(reader);
    require(!info || (info->width > 0 && info->height > 0 && info->width * info->height <= PIXELS));
    unsigned total = 0;
    while (status == WEFT_OK) {
        status = weft_video_reader_read(reader, &frame, &error);
        require_error(status, &error);
        if (!frame)
            break;
        total += sum(&info->format, frame);
        weft_video_frame_free(&frame);
    }
    weft_video_reader_close(&reader);
    static volatile unsigned seen; /* so that the sums are made */
    seen = total;
    (void)seen;
}

static void filter(const char *path, const weft_video_reader_options *options) {
    static weft_device *device;
    weft_graph *graph = NULL;
    weft_error error = {0};
    require(device || weft_device_open("cpu", &(weft_device_options){.threads = 1}, &device, NULL) == WEFT_OK);
    require(weft_graph_parse("invert", 6, &graph, NULL) == WEFT_OK);
    const weft_video_input input = {.path = path, .reading = *options};
    const weft_video_output output = {.path = "/dev/null", .writing = {.settings = "container=matroska,codec=ffv1", .threads = 1}};
    const weft_video video = {
        .inputs = &input, .input_count = 1, .outputs = &output, .output_count = 1, .graph = graph, .device = device};
    require_error(weft_filter_video(&video, &error), &error);
    weft_graph_destroy(&graph);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    /* A name that FFmpeg and weft take for a video's; what is in it decides. */
    char folder[] = "/dev/shm/weft-fuzz-XXXXXX", path[64];
    const weft_video_reader_options options = {
        .pixel_limit = PIXELS, .decode_limit = MEMORY, .frames = FRAMES, .threads = 1, .from = size / 2 % 4 == 3 ? 0.1 : 0};
    if (!weft_video_available(NULL, 0) || !mkdtemp(folder))
        return 0;
    snprintf(path, sizeof path, "%s/in.mp4", folder);
    FILE *file = fopen(path, "wb");
    bool written = file && fwrite(bytes, 1, size, file) == size;
    if (file)
        fclose(file);
    if (written && size % 2)
        filter(path, &options);
    else if (written)
        look(path, &options);
    unlink(path);
    rmdir(folder);
    return 0;
}
