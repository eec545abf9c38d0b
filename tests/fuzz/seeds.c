/* SPDX-License-Identifier: MIT
 * seeds FOLDER: writes what the fuzz targets start from: FOLDER/text with every filter's example, FOLDER/files/FORMAT
 * with small pictures in every format that this build writes, FOLDER/video with small videos, FOLDER/graphs with bytes by chance,
 * and FOLDER/words, a dictionary of the names that graphs are made of. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "harness/picture.h"
#include "unit/sample_files.h"
#include "weft/video.h"
#include "weft/weft.h"

static const char *folder;

static void stop(const char *what, const char *why) {
    fprintf(stderr, "seeds: %s: %s\n", what, why);
    exit(1);
}

/* Makes a folder below the first one. */
static void make_folder(const char *name) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        stop(path, strerror(errno));
}

static FILE *create(const char *room, const char *name) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s%s%s", folder, room, *room ? "/" : "", name);
    FILE *file = fopen(path, "wb");
    if (!file)
        stop(path, strerror(errno));
    return file;
}

static void finish(FILE *file) {
    if (ferror(file) || fclose(file) != 0)
        stop("writing", strerror(errno));
}

static void write_texts(void) {
    make_folder("text");
    for (int32_t i = 0; i < weft_filter_count(); i++) {
        const weft_filter_info *filter = weft_filter_at(i);
        FILE *file = create("text", filter->name);
        fprintf(file, "%c%s", (int)i & 0x7f, filter->example && *filter->example ? filter->example : filter->name);
        finish(file);
    }
}

/* Quotes and backslashes do not occur in names. */
static void write_words(void) {
    FILE *file = create("", "words");
    for (int32_t i = 0; i < weft_filter_count(); i++) {
        const weft_filter_info *filter = weft_filter_at(i);
        const weft_parameter_info *parameter;
        fprintf(file, "\"%s\"\n", filter->name);
        for (int32_t k = 0; (parameter = weft_filter_parameter(filter, k)) != NULL; k++)
            fprintf(file, "\"%s=\"\n\"%s\"\n", parameter->name, parameter->default_text);
    }
    fputs("\"split\"\n\"[0]\"\n\"[1]\"\n\"=@\"\n\"auto\"\n\"cv:reflect101\"\n\"1e38\"\n\"nan\"\n", file);
    finish(file);
}

static void write_chances(void) {
    make_folder("graphs");
    for (int32_t i = 0; i < 64; i++) {
        struct chance chance = chance_of(1, "seeds", i);
        char name[16];
        snprintf(name, sizeof name, "%d", (int)i);
        FILE *file = create("graphs", name);
        for (int32_t k = 0; k < 64 + 8 * i; k++)
            putc((int)(chance_next(&chance) & 255), file);
        finish(file);
    }
}

/* One picture as the format keeps it; nothing when it is another picture in this format. */
static void write_picture(const weft_file_format *format, const char *extension, int32_t width, int32_t height,
                          weft_type type, int32_t channels) {
    char name[64], path[1024];
    const weft_metadata metadata = {
        .exif = sample_exif, .exif_size = sizeof sample_exif, .x_resolution = 72, .y_resolution = 72};
    weft_writer_options options = {.format = format->name, .metadata = &metadata};
    weft_image_info wanted = {.width = width,
                              .height = height,
                              .format = {type, channels},
                              .alpha = channels % 2 ? WEFT_ALPHA_NONE : WEFT_ALPHA_STRAIGHT},
                    held;
    struct chance chance = chance_of(2, format->name, type * 8 + channels);
    struct picture picture;
    weft_writer *writer = NULL;
    weft_error error = {0};
    snprintf(name, sizeof name, "files/%s", format->name);
    make_folder(name);
    snprintf(path, sizeof path, "%s/%s/%dx%d_%sx%d.%s", folder, name, (int)width, (int)height, weft_type_name(type),
             (int)channels, extension);
    if (weft_writer_accepts(path, &options, &wanted, &held, &error) != WEFT_OK || held.format.type != type ||
        held.format.channels != channels)
        return;
    if (!picture_create(&held, true, &chance, &picture))
        stop(path, "no memory");
    picture_fill(&picture, CONTENT_RAMP, &chance);
    if (weft_writer_open(path, &options, &held, &writer, &error) != WEFT_OK ||
        weft_writer_write(writer, held.height, picture.image.data, picture.image.stride, &error) != WEFT_OK ||
        weft_writer_finish(&writer, &error) != WEFT_OK)
        stop(path, error.message);
    picture_destroy(&picture);
}

static bool reads(const char *name) {
    const weft_file_format *format;
    for (int32_t i = 0; (format = weft_file_format_at(i)) != NULL; i++)
        if (strcmp(format->name, name) == 0)
            return format->reads;
    return false;
}

/* Forms that weft does not write. */
static void write_samples(void) {
    static const png_form forms[] = {{13, 7, 1, 3, true, true},  {13, 7, 4, 3, false, true},
                                     {9, 9, 16, 6, true, false}, {13, 7, 2, 0, true, false},
                                     {13, 7, 8, 2, false, true}, {13, 7, 8, 4, true, false}};
    static const unsigned char curves[] = {0, 4,   0, 2,   0, 3, 0, 0,  0, 0,  0, 90,  0, 128,
                                           0, 255, 0, 255, 0, 2, 0, 20, 0, 10, 0, 200, 0, 240};
    static sample_file sample;
    char name[32];
    make_folder("files/acv");
    FILE *look = create("files/acv", "sample.acv");
    fwrite(curves, sizeof curves, 1, look);
    finish(look);
    for (int i = 0; i < 6 && reads("png"); i++) {
        snprintf(name, sizeof name, "sample%d.png", i);
        make_png(&sample, &forms[i]);
        FILE *file = create("files/png", name);
        fwrite(sample.bytes, 1, sample.size, file);
        finish(file);
    }
    for (int i = 0; i < 8 && reads("jpeg"); i++) {
        snprintf(name, sizeof name, "sample%d.jpg", i);
        make_jpeg(&sample, i < 4 ? 3 : 4, (const int[]){20, 40, 60, 80}, i % 4 - 1, i % 2);
        FILE *file = create("files/jpeg", name);
        fwrite(sample.bytes, 1, sample.size, file);
        finish(file);
    }
}

/* What cannot be written here, for want of an encoder, is left out. */
static void write_videos(void) {
    static const char *const kinds[][2] = {
        {"a.mp4", "codec=mpeg4"},     {"b.mkv", "codec=ffv1"},    {"c.avi", "codec=mjpeg"},     {"d.gif", NULL},
        {"e.apng", NULL},             {"f.y4m", NULL},            {"g.ts", "codec=mpeg2video"}, {"h.nut", "codec=rawvideo"},
        {"i.mov", "codec=prores_ks"}, {"j.mp4", "codec=libx264"}, {"k.webm", "codec=libvpx"},   {"l.mkv", "codec=huffyuv"}};
    const weft_video_info wanted = {.width = 32,
                                    .height = 16,
                                    .format = {.kind = WEFT_VIDEO_YUV, .bits = 8, .chroma_x = 2, .chroma_y = 2},
                                    .time_numerator = 1,
                                    .time_denominator = 10,
                                    .rate_numerator = 10,
                                    .rate_denominator = 1};
    make_folder("video");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const weft_video_writer_options options = {.settings = kinds[i][1], .threads = 1};
        struct chance chance = chance_of(3, kinds[i][0], 0);
        weft_video_writer *writer = NULL;
        weft_video_frame *frame = NULL;
        char path[1024];
        snprintf(path, sizeof path, "%s/video/%s", folder, kinds[i][0]);
        weft_status status = weft_video_writer_open(path, &options, &wanted, &writer, NULL);
        for (int64_t k = 0; k < 4 && status == WEFT_OK; k++) {
            status = weft_video_writer_frame(writer, &frame, NULL);
            for (int p = 0; status == WEFT_OK && p < WEFT_VIDEO_PLANES && frame->planes[p].data; p++)
                for (int64_t y = 0; y < frame->planes[p].info.height; y++)
                    for (int64_t x = 0; x < frame->planes[p].info.width; x++)
                        ((unsigned char *)frame->planes[p].data)[y * frame->planes[p].stride + x] =
                            (unsigned char)(64 + 4 * (x + y + k) + (int64_t)(chance_next(&chance) & 7));
            if (status == WEFT_OK) {
                frame->time = k;
                status = weft_video_writer_write(writer, &frame, NULL);
            }
        }
        if (status == WEFT_OK)
            weft_video_writer_finish(&writer, NULL);
        weft_video_writer_abandon(&writer);
    }
}

static void write_files(void) {
    static const int32_t shapes[][2] = {{13, 7}, {4, 16}, {9, 1}}; /* the last two are tables, too */
    static const weft_type types[] = {WEFT_U8, WEFT_U16, WEFT_F16, WEFT_F32};
    const weft_file_format *format;
    make_folder("files");
    for (int32_t i = 0; (format = weft_file_format_at(i)) != NULL; i++) {
        const char *word = format->extensions;
        while (format->writes && format->reads && *word) {
            char extension[16];
            snprintf(extension, sizeof extension, "%.*s", (int)strcspn(word, " "), word);
            for (int32_t t = 0; t < 4; t++)
                for (int32_t k = 0; k < 12; k++)
                    write_picture(format, extension, shapes[k / 4][0], shapes[k / 4][1], types[t], 1 + k % 4);
            word += strcspn(word, " ");
            word += *word == ' ';
        }
    }
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: seeds FOLDER\n");
        return 2;
    }
    folder = argv[1];
    make_folder("");
    write_texts();
    write_words();
    write_chances();
    write_files();
    write_videos();
    write_samples();
    return 0;
}
