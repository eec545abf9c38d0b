/* SPDX-License-Identifier: MIT
 * What the tests of files share: a folder of their own, and pictures to write and read there. */
#ifndef FILE_FIXTURE_H
#define FILE_FIXTURE_H
#include <dirent.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "check.h"
#include "sample_files.h"
#include "weft/file.h"

#define FIXTURE static __attribute__((unused)) /* no program uses all of it */

enum { PICTURE = 1 << 16 };

typedef struct picture {
    weft_image_info info;
    ptrdiff_t stride;
    unsigned char pixels[PICTURE];
} picture;

static char directory[256]; /* everything happens here */
static weft_error error;
static picture made, got;

/* The name of a file in the directory; good until the fourth next call. */
FIXTURE const char *in_directory(const char *name) {
    static char paths[4][512];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", directory, name);
    return path;
}

FIXTURE bool has_format(const char *name) {
    const weft_file_format *format;
    for (int32_t i = 0; (format = weft_file_format_at(i)); i++)
        if (strcmp(format->name, name) == 0)
            return true;
    return false;
}

FIXTURE void save(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    if (CHECK(file != NULL)) {
        CHECK(fwrite(bytes, 1, size, file) == size);
        CHECK(fclose(file) == 0);
    }
}

FIXTURE size_t load(const char *path, unsigned char *bytes, size_t size) {
    FILE *file = fopen(path, "rb");
    size_t count = 0;
    if (CHECK(file != NULL)) {
        count = fread(bytes, 1, size, file);
        fclose(file);
    }
    return count;
}

FIXTURE int count_files(void) {
    DIR *entries = opendir(directory);
    int count = 0;
    while (entries && readdir(entries))
        count++;
    if (entries)
        closedir(entries);
    return count - 2;
}

FIXTURE void make_picture(weft_image_info info, ptrdiff_t padding, bool smooth) {
    size_t row = (size_t)info.width * weft_format_size(info.format);
    made.info = info;
    made.stride = (ptrdiff_t)row + padding;
    memset(made.pixels, 0xEE, sizeof made.pixels);
    for (int64_t y = 0; y < info.height; y++)
        for (size_t i = 0; i < row; i++)
            made.pixels[y * made.stride + (ptrdiff_t)i] =
                (unsigned char)(smooth ? 40 + 6 * y + 8 * (int64_t)(i / (size_t)info.format.channels)
                                       : (int64_t)(i * 57 + 13) ^ (y * 29));
}

FIXTURE weft_status write_made(const char *path, const weft_writer_options *options) {
    weft_writer *writer = NULL;
    weft_status status = weft_writer_open(path, options, &made.info, &writer, &error);
    if (status != WEFT_OK)
        return status;
    for (int64_t y = 0; y < made.info.height && status == WEFT_OK; y += 3) {
        int64_t count = made.info.height - y < 3 ? made.info.height - y : 3;
        status = weft_writer_write(writer, count, made.pixels + y * made.stride, made.stride, &error);
    }
    if (status == WEFT_OK)
        return weft_writer_finish(&writer, &error);
    weft_writer_abandon(&writer);
    return status;
}

/* Reads a whole file; the rows between which padding lies keep it. Files too large for `got` are read in part. */
FIXTURE weft_status read_got(const char *path, ptrdiff_t padding) {
    weft_reader *reader = NULL;
    weft_reader_options any = {.pixel_limit = INT64_MAX};
    weft_status status = weft_reader_open(path, &any, &reader, &error);
    size_t row, size;
    if (status != WEFT_OK) {
        CHECK(reader == NULL);
        return status;
    }
    got.info = *weft_reader_info(reader);
    CHECK(weft_image_size(&got.info, &size, NULL) == WEFT_OK);
    row = size / (size_t)got.info.height;
    got.stride = (ptrdiff_t)row + padding;
    memset(got.pixels, 0xAA, sizeof got.pixels);
    if (got.info.height > PICTURE / got.stride) {
        for (int64_t y = 0; row < PICTURE && y < got.info.height && y < 100 && status == WEFT_OK; y++)
            status = weft_reader_read(reader, 1, got.pixels, got.stride, &error);
        weft_reader_close(&reader);
        return status;
    }
    for (int64_t y = 0; y < got.info.height && status == WEFT_OK; y += 2) {
        int64_t count = got.info.height - y < 2 ? got.info.height - y : 2;
        status = weft_reader_read(reader, count, got.pixels + y * got.stride, got.stride, &error);
    }
    if (status == WEFT_OK)
        status = weft_reader_finish(reader, &error);
    else
        CHECK(weft_reader_read(reader, 1, got.pixels, got.stride, NULL) == status); /* it stays failed */
    weft_reader_close(&reader);
    CHECK(reader == NULL);
    return status;
}

FIXTURE bool same_picture(int tolerance) {
    size_t row = (size_t)made.info.width * weft_format_size(made.info.format);
    if (got.info.width != made.info.width || got.info.height != made.info.height ||
        got.info.format.type != made.info.format.type || got.info.format.channels != made.info.format.channels)
        return false;
    for (int64_t y = 0; y < got.info.height; y++) {
        /* Wide samples differ by so many of the steps that 8 bit have. */
        for (size_t i = 0; i + 1 < row && made.info.format.type == WEFT_U16 && tolerance > 0; i += 2) {
            uint16_t first, second;
            memcpy(&first, got.pixels + y * got.stride + (ptrdiff_t)i, 2);
            memcpy(&second, made.pixels + y * made.stride + (ptrdiff_t)i, 2);
            if (abs(first - second) > 257 * tolerance)
                return false;
        }
        for (size_t i = 0; i < row && (made.info.format.type != WEFT_U16 || tolerance == 0); i++)
            if (abs(got.pixels[y * got.stride + (ptrdiff_t)i] - made.pixels[y * made.stride + (ptrdiff_t)i]) >
                tolerance)
                return false;
        for (ptrdiff_t i = (ptrdiff_t)row; i < got.stride; i++)
            if (got.pixels[y * got.stride + i] != 0xAA)
                return false;
    }
    return true;
}

#define INFO(width, height, type, channels, alpha)                                                                     \
    (weft_image_info) { width, height, {type, channels}, alpha, WEFT_SPACE_ENCODED }

FIXTURE const char *const extensions[] = {"png", "jpg", "pnm",  "pgm", "ppm",  "pam",
                                          "pfm", "tif", "webp", "exr", "avif", "heic", "jxl"};
enum { EXTENSIONS = sizeof extensions / sizeof *extensions };
/* Whether what is written comes back a little different. */
FIXTURE bool is_lossy(const char *extension) {
    return strcmp(extension, "jpg") == 0 || strcmp(extension, "webp") == 0 || strcmp(extension, "avif") == 0 ||
           strcmp(extension, "heic") == 0 || strcmp(extension, "jxl") == 0;
}

/* Makes the folder, runs the tests and removes it; nothing may be left in it. */
FIXTURE int run_in_directory(const char *name, void (*tests)(void)) {
    const char *place = getenv("TMPDIR");
    snprintf(directory, sizeof directory, "%s/weft-test-XXXXXX", place && *place ? place : "/tmp");
    if (!CHECK(mkdtemp(directory) != NULL))
        return check_done(name);
    tests();
    CHECK(count_files() == 0);
    CHECK(rmdir(directory) == 0);
    return check_done(name);
}

#endif
