/* SPDX-License-Identifier: MIT
 * The file of a writer, which appears whole or not at all: rows go to a file without a name, or a temporary one, in the
 * same directory, which takes the real name only when everything has been written. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "base/memory.h"
#include "io/write/unnamed_file.h"
#include "io/write/writer.h"

enum { OUTPUT_BUFFER = 1 << 16, LONGEST_PATH = 4096, MOST_LINKS = 40 };

/* Opens a new file `.NAME.xxxxxx` beside `path`. Not mkstemp: its files are private, and the mask that says how public
 * they should be can only be asked for by changing it, under the feet of other threads. */
/* A temporary name beside the real one, for a new file or for the one that has none. */
static weft_status name_temporary(weft_writer *writer, weft_error *error) {
    static const char digits[] = "abcdefghijklmnopqrstuvwxyz234567";
    const char *slash = strrchr(writer->path, '/'), *base = slash ? slash + 1 : writer->path;
    int directory = (int)(base - writer->path), number = EEXIST;
    size_t size = strlen(writer->path) + 16;
    struct timespec now;
    uint64_t seed;
    writer->temporary = weft_allocate(size, 1);
    if (!writer->temporary)
        return weft_fail_memory(error, size, "a file name");
    clock_gettime(CLOCK_REALTIME, &now);
    seed = (uint64_t)now.tv_nsec ^ (uint64_t)now.tv_sec << 30 ^ (uint64_t)getpid() << 40 ^ (uint64_t)(uintptr_t)writer;
    for (int attempt = 0; attempt < 100 && number == EEXIST; attempt++) {
        char suffix[7] = "";
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        for (int i = 0; i < 6; i++)
            suffix[i] = digits[seed >> (30 + 5 * i) & 31];
        /* A name of 255 bytes is allowed, so the temporary one keeps only its beginning. */
        snprintf(writer->temporary, size, "%.*s.%.200s.%s", directory, writer->path, base, suffix);
        if (writer->unnamed && weft_unnamed_name(writer->output.descriptor, writer->temporary))
            return WEFT_OK;
        if (!writer->unnamed)
            writer->output.descriptor = open(writer->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (!writer->unnamed && writer->output.descriptor >= 0)
            return WEFT_OK;
        number = errno;
    }
    weft_free(writer->temporary); /* nothing of that name is ours to remove */
    writer->temporary = NULL;
    return weft_fail_system(error, "write", writer->output.name, number);
}

/* What a link says, beside the link where it is relative. */
static char *read_link(const char *path) {
    char target[LONGEST_PATH];
    const ssize_t length = readlink(path, target, sizeof target);
    const char *slash = strrchr(path, '/');
    const size_t folder = length > 0 && target[0] != '/' && slash ? (size_t)(slash - path) + 1 : 0;
    char *result;
    if (length <= 0 || length == sizeof target) {
        errno = length < 0 ? errno : ENAMETOOLONG;
        return NULL;
    }
    errno = ENOMEM; /* should there be none */
    result = weft_allocate(folder + (size_t)length + 1, 1);
    if (result) {
        memcpy(result, path, folder);
        memcpy(result + folder, target, (size_t)length);
    }
    return result;
}

/* The file that a name leads to, by way of links, be it there or not; NULL with an errno. */
static char *follow(const char *path) {
    struct stat status;
    char *current, *next;
    int number = ENOMEM;
    current = weft_duplicate_text(path, strlen(path));
    for (int i = 0; current && lstat(current, &status) == 0 && S_ISLNK(status.st_mode); i++) {
        next = i < MOST_LINKS ? read_link(current) : NULL;
        number = i < MOST_LINKS ? errno : ELOOP;
        weft_free(current);
        current = next;
    }
    errno = number;
    return current;
}

weft_status weft_writer_open_file(weft_writer *writer, const char *path, weft_error *error) {
    weft_output *output = &writer->output;
    struct stat existing;
    weft_status status;
    bool exists;
    weft_name_file(output->name, path, "standard output");
    output->capacity = OUTPUT_BUFFER;
    output->buffer = weft_reallocate(NULL, OUTPUT_BUFFER, 1);
    if (!output->buffer)
        return weft_fail_memory(error, OUTPUT_BUFFER, "an output buffer");
    if (strcmp(path, "-") == 0) {
        fflush(stdout); /* what the program printed before comes first */
        output->descriptor = STDOUT_FILENO;
        return WEFT_OK;
    }
    exists = stat(path, &existing) == 0;
    if (exists && S_ISDIR(existing.st_mode))
        return weft_fail_system(error, "write", output->name, EISDIR);
    if (exists && access(path, W_OK) != 0) /* a protected file is not to be replaced by way of its directory */
        return weft_fail_system(error, "write", output->name, errno);
    if (exists && !S_ISREG(existing.st_mode)) {
        output->descriptor = open(path, O_WRONLY | O_CLOEXEC);
        if (output->descriptor < 0)
            return weft_fail_system(error, "write", output->name, errno);
        writer->owned = true;
        return WEFT_OK;
    }
    /* A symbolic link stays: the file that it leads to is replaced, or made. */
    writer->path = follow(path);
    if (!writer->path && errno == ENOMEM)
        return weft_fail_memory(error, strlen(path), "a file name");
    if (!writer->path)
        return weft_fail_system(error, "write", output->name, errno);
    output->descriptor = weft_unnamed_open(writer->path);
    writer->unnamed = output->descriptor >= 0;
    if (!writer->unnamed && (status = name_temporary(writer, error)) != WEFT_OK)
        return status;
    writer->owned = true;
    output->seekable = true;
    if (exists) /* failing to copy a mode, on a file system without them, spoils no picture */
        (void)fchmod(output->descriptor, existing.st_mode & 0777);
    return WEFT_OK;
}

weft_status weft_writer_finish_file(weft_writer *writer, weft_error *error) {
    weft_status status;
    if (!weft_output_flush(&writer->output))
        return weft_output_fail(&writer->output, error);
    if (writer->unnamed && (status = name_temporary(writer, error)) != WEFT_OK)
        return status;
    if (writer->owned) {
        writer->owned = false;
        if (close(writer->output.descriptor) != 0) /* network file systems report a full disk here */
            return weft_fail_system(error, "write", writer->output.name, errno);
    }
    if (writer->temporary && rename(writer->temporary, writer->path) != 0)
        return weft_fail_system(error, "write", writer->output.name, errno);
    weft_free(writer->temporary);
    writer->temporary = NULL;
    return WEFT_OK;
}

void weft_writer_close_file(weft_writer *writer) {
    if (writer->owned)
        close(writer->output.descriptor);
    if (writer->temporary)
        unlink(writer->temporary);
    weft_free(writer->temporary);
    weft_free(writer->path);
    weft_free(writer->output.buffer);
    weft_output_drop(&writer->output);
}
