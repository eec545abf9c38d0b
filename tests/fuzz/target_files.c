/* SPDX-License-Identifier: MIT
 * A fuzz target: image files. --format=NAME keeps to files that this format claims, so that each gets its time; without
 * it all are taken. Files come from a file or, those of odd size, from a pipe. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "io/format.h"

#define ROW (1 << 20)    /* bytes of a row to be read */
#define PIXELS (4 << 20) /* bytes of a picture */
#define CLAIMED                                                                                                        \
    (1 << 25) /* pixels that a header may claim: formats that are decoded as a whole take memory for all of them */
#define PIPE (1 << 20) /* what a pipe takes at once, by the system's usual limit */

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static const weft_codec *only; /* libFuzzer hands nothing from one entry to the other */

static void require(bool condition) {
    if (!condition)
        abort();
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    static const char option[] = "--format=";
    for (int i = 1; i < *argc; i++)
        if (strncmp((*argv)[i], option, sizeof option - 1) == 0) {
            only = weft_codec_find((*argv)[i] + sizeof option - 1);
            require(only && only->format.reads);
        }
    return 0;
}

/* A descriptor from which the bytes can be read, -1 when the system gives none. */
static int offer(const uint8_t *bytes, size_t size) {
    int ends[2];
    if (size % 2 == 0 || size > PIPE) {
        int file = memfd_create("picture", MFD_CLOEXEC);
        require(file < 0 || (write(file, bytes, size) == (ssize_t)size && lseek(file, 0, SEEK_SET) == 0));
        return file;
    }
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    bool fits = size <= 65536 || fcntl(ends[1], F_SETPIPE_SZ, PIPE) >= (int)size;
    bool written = fits && write(ends[1], bytes, size) == (ssize_t)size;
    close(ends[1]);
    if (written)
        return ends[0];
    close(ends[0]);
    return -1;
}

/* Reads what a reader makes as long as it is not absurdly much; the error is sound when there is one. */
static void read_all(weft_reader *reader) {
    const weft_image_info *info = weft_reader_info(reader);
    weft_error error = {0};
    size_t size = 0, row;
    weft_status status = WEFT_OK;
    require(info->width > 0 && info->height > 0 && weft_image_size(info, &size, NULL) == WEFT_OK);
    row = size / (size_t)info->height;
    if (row > ROW)
        return;
    unsigned char *rows = malloc(2 * row); /* of its very length */
    int64_t limit = PIXELS / (int64_t)row < info->height ? PIXELS / (int64_t)row : info->height;
    for (int64_t y = 0; rows && y < limit && status == WEFT_OK; y += 2)
        status = weft_reader_read(reader, limit - y < 2 ? 1 : 2, rows, (ptrdiff_t)row, &error);
    if (rows && status == WEFT_OK && limit == info->height)
        status = weft_reader_finish(reader, &error);
    require(status == WEFT_OK || (error.status == status && error.message[0] && !strpbrk(error.message, "\n\r\x1b")));
    free(rows);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    char path[64];
    weft_reader *reader = NULL;
    weft_error error = {0};
    /* Layers and parts of the one format that has options of reading. */
    static const char *const settings[] = {NULL, "layer=a", "part=2", "part=2,layer=a"};
    const weft_codec *layered = weft_codec_find("exr");
    const bool chosen = layered && layered->probe(bytes, size < WEFT_PROBE_SIZE ? size : WEFT_PROBE_SIZE);
    const weft_reader_options options = {.pixel_limit = CLAIMED, .settings = chosen ? settings[size / 2 % 4] : NULL};
    if (only && !only->probe(bytes, size < WEFT_PROBE_SIZE ? size : WEFT_PROBE_SIZE))
        return 0;
    int file = offer(bytes, size);
    if (file < 0)
        return 0;
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    weft_status status = weft_reader_open(path, &options, &reader, &error);
    if (status == WEFT_OK)
        read_all(reader);
    else
        require(!reader && error.status == status && error.message[0] && !strpbrk(error.message, "\n\r\x1b"));
    weft_reader_close(&reader);
    close(file);
    return 0;
}
