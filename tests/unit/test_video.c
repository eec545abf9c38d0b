/* SPDX-License-Identifier: MIT
 * Readers and writers of video through their public calls, and weft_filter_video: what goes in comes out, what is
 * stopped is ended well, and each allocation that fails is an error. The build sends allocations of the library through
 * here. In builds without video, and where FFmpeg is not installed, only that this is said. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "check.h"
#include "weft/weft.h"

enum { WIDTH = 32, HEIGHT = 16, FRAMES = 12 };

static atomic_long left = -1; /* allocations until one fails; negative: none will */

static bool fails(void) { return atomic_load(&left) > 0 && atomic_fetch_sub(&left, 1) == 1; }

#include "failing_allocation.h"

static char folder[] = "/tmp/weft-video-XXXXXX", clip[64], out[64];

/* The value of a pixel of RGB. */
static unsigned char pixel(int frame, int64_t x, int64_t y, int channel) {
    return (unsigned char)(frame * 20 + x * 3 + y * 5 + channel * 40);
}
/* Times that are not even. */
static int64_t time_of(int frame) { return frame * 40 + (frame % 3) * 7; }

static const weft_video_info rgb = {.width = WIDTH,
                                    .height = HEIGHT,
                                    .format = {.kind = WEFT_VIDEO_RGB,
                                               .plane_count = 1,
                                               .planes = {{.width = WIDTH, .height = HEIGHT, .format = {WEFT_U8, 3}}},
                                               .bits = 8,
                                               .chroma_x = 1,
                                               .chroma_y = 1,
                                               .full_range = true},
                                    .time_numerator = 1,
                                    .time_denominator = 1000,
                                    .rate_numerator = 25,
                                    .rate_denominator = 1};

static weft_status write_clip(weft_error *error) {
    weft_video_writer *writer = NULL;
    weft_video_writer_options options = {.settings = "codec=ffv1,pixels=bgr0"};
    weft_status status = weft_video_writer_open(clip, &options, &rgb, &writer, error);
    for (int i = 0; i < FRAMES && status == WEFT_OK; i++) {
        weft_video_frame *frame = NULL;
        status = weft_video_writer_frame(writer, &frame, error);
        if (status != WEFT_OK)
            break;
        frame->time = time_of(i);
        frame->duration = 40;
        int channels = frame->planes[0].info.format.channels;
        for (int64_t y = 0; y < HEIGHT; y++)
            for (int64_t x = 0; x < WIDTH; x++)
                for (int c = 0; c < 3; c++)
                    ((unsigned char *)frame->planes[0].data)[y * frame->planes[0].stride + x * channels + c] =
                        pixel(i, x, y, c);
        status = weft_video_writer_write(writer, &frame, error);
    }
    if (status == WEFT_OK)
        return weft_video_writer_finish(&writer, error);
    weft_video_writer_abandon(&writer);
    return status;
}

/* Reads a clip; `sign` is 1 for the pixels as written, -1 for their negative. Returns how many frames were right. */
static int read_clip(const char *path, int sign, const weft_video_reader_options *options, int first) {
    weft_video_reader *reader = NULL;
    weft_video_frame *frame = NULL;
    weft_error error = {.message = ""};
    int count = 0;
    if (!CHECK(weft_video_reader_open(path, options, &reader, &error) == WEFT_OK))
        fprintf(stderr, "%s\n", error.message);
    while (reader && weft_video_reader_read(reader, &frame, &error) == WEFT_OK && frame) {
        const weft_video_info *info = weft_video_reader_info(reader);
        const weft_image *plane = &frame->planes[0];
        int channels = plane->info.format.channels, which = first + count;
        bool same = info->format.kind == WEFT_VIDEO_RGB && plane->info.width == WIDTH;
        for (int64_t y = 0; y < HEIGHT && same; y++)
            for (int64_t x = 0; x < WIDTH && same; x++)
                for (int c = 0; c < 3 && same; c++) {
                    int value = ((const unsigned char *)plane->data)[y * plane->stride + x * channels + c];
                    same = value == (sign > 0 ? pixel(which, x, y, c) : 255 - pixel(which, x, y, c));
                }
        double seconds = (double)frame->time * (double)info->time_numerator / (double)info->time_denominator;
        double wanted = (double)(time_of(which) - (first ? time_of(first) : 0)) / 1000;
        CHECK(same);
        CHECK(seconds > wanted - 1e-6 && seconds < wanted + 1e-6);
        weft_video_frame_free(&frame);
        count++;
    }
    weft_video_reader_close(&reader);
    return count;
}

static bool stop_at(void *user, const weft_video_progress *progress) { return progress->frames < *(int64_t *)user; }

static weft_status filter(const char *text, int64_t *most, weft_error *error) {
    weft_graph *graph = NULL;
    weft_device *device = NULL;
    weft_video_input input = {.path = clip};
    weft_video_output output = {.path = out, .writing = {.settings = "codec=ffv1,pixels=bgr0"}};
    weft_status status = weft_graph_parse(text, strlen(text), &graph, error);
    if (status == WEFT_OK)
        status = weft_device_open("cpu", &(weft_device_options){.threads = 1}, &device, error);
    weft_video video = {.inputs = &input,
                        .input_count = 1,
                        .outputs = &output,
                        .output_count = 1,
                        .graph = graph,
                        .device = device,
                        .progress = most ? stop_at : NULL,
                        .user = most};
    if (status == WEFT_OK)
        status = weft_filter_video(&video, error);
    weft_graph_destroy(&graph);
    weft_device_close(&device);
    return status;
}

static void test_there_and_back(void) {
    weft_error error = {.message = ""};
    if (!CHECK(write_clip(&error) == WEFT_OK))
        fprintf(stderr, "%s\n", error.message);
    CHECK(read_clip(clip, 1, NULL, 0) == FRAMES);
    CHECK(read_clip(clip, 1, &(weft_video_reader_options){.frames = 5}, 0) == 5);
    CHECK(read_clip(clip, 1, &(weft_video_reader_options){.from = (double)time_of(4) / 1000}, 4) == FRAMES - 4);
    CHECK(read_clip(clip, 1, &(weft_video_reader_options){.to = (double)time_of(4) / 1000}, 0) == 4);
    if (!CHECK(filter("invert", NULL, &error) == WEFT_OK))
        fprintf(stderr, "%s\n", error.message);
    CHECK(read_clip(out, -1, NULL, 0) == FRAMES);
}

static void test_stopped(void) {
    weft_error error = {.message = ""};
    int64_t most = 4;
    CHECK(filter("invert", &most, &error) == WEFT_ERROR_CANCELLED);
    CHECK(strstr(error.message, "4 frames") != NULL);
    CHECK(read_clip(out, -1, NULL, 0) == 4);
}

static void test_order(void) {
    weft_video_writer *writer = NULL;
    weft_video_frame *frame = NULL;
    weft_error error = {.message = ""};
    CHECK(weft_video_writer_open(out, NULL, &rgb, &writer, &error) == WEFT_OK);
    for (int i = 0; i < 2; i++) {
        CHECK(weft_video_writer_frame(writer, &frame, &error) == WEFT_OK);
        frame->time = 1000 - 500 * i;
        for (int k = 0; k < weft_video_writer_info(writer)->format.plane_count; k++)
            memset(frame->planes[k].data, 128, (size_t)(frame->planes[k].stride * frame->planes[k].info.height));
        CHECK((weft_video_writer_write(writer, &frame, &error) == WEFT_OK) == (i == 0));
        CHECK(!frame);
    }
    CHECK(weft_video_writer_finish(&writer, &error) != WEFT_OK);
    CHECK(!writer);
}

/* Fewer and fewer of the allocations, as there are many. */
static void test_allocations(void) {
    bool reached = true;
    int tried = 0;
    for (long n = 1; reached; n += 1 + n / 24, tried++) {
        weft_error error = {.message = ""};
        unlink(out);
        atomic_store(&left, n);
        weft_status status = filter("gaussian=2,invert", NULL, &error);
        reached = atomic_load(&left) == 0;
        atomic_store(&left, -1);
        bool good = reached ? status != WEFT_OK && error.message[0] : status == WEFT_OK;
        /* Frames that were done before are kept; without any there is no file. */
        if (!CHECK(good && (status != WEFT_OK || access(out, F_OK) == 0)))
            fprintf(stderr, "  allocation %ld: %s: %s\n", n, weft_status_name(status), error.message);
    }
    CHECK(tried > 20);
}

int main(void) {
    char how[512];
    weft_error error = {.message = ""};
    if (!CHECK(mkdtemp(folder) != NULL))
        return check_done("video");
    snprintf(clip, sizeof clip, "%s/in.mkv", folder);
    snprintf(out, sizeof out, "%s/out.mkv", folder);
    if (weft_video_available(how, sizeof how)) {
        test_there_and_back();
        test_stopped();
        test_order();
        test_allocations();
    } else {
        CHECK(write_clip(&error) == WEFT_ERROR_UNSUPPORTED);
        CHECK(strstr(error.message, "libavformat") != NULL && strstr(how, "libavformat") != NULL);
    }
    unlink(clip);
    unlink(out);
    CHECK(rmdir(folder) == 0);
    return check_done("video");
}
