/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* O_TMPFILE, madvise */
#include "base/temporary.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "base/status.h"

/* /var/tmp is for what is large: /tmp often lies in memory. */
static const char *folder(void) {
    const char *named = getenv("TMPDIR");
    return named && *named ? named : access("/var/tmp", W_OK) == 0 ? "/var/tmp" : "/tmp";
}

static weft_status fail(weft_error *error, const char *verb, size_t size, int number) {
    char amount[48] = "";
    if (size)
        snprintf(amount, sizeof amount, " of %.1f MB", (double)size / 1e6);
    return weft_fail(error, WEFT_ERROR_FILE,
                     "cannot %s a temporary file%s in '%.100s': %s; TMPDIR names another folder", verb, amount, folder(),
                     strerror(number));
}

static int open_nameless(void) {
    int descriptor = -1;
#ifdef O_TMPFILE
    descriptor = open(folder(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
#endif
    if (descriptor >= 0)
        return descriptor;
    char path[4096];
    if (snprintf(path, sizeof path, "%s/weft-XXXXXX", folder()) >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    descriptor = mkostemp(path, O_CLOEXEC);
    if (descriptor >= 0)
        (void)unlink(path);
    return descriptor;
}

weft_status weft_temporary_open(struct weft_temporary *file, size_t size, weft_error *error) {
    *file = (struct weft_temporary){.descriptor = open_nameless(), .size = size};
    if (file->descriptor < 0)
        return fail(error, "make", size, errno);
    int number = size > INT64_MAX ? EFBIG : size > 0 ? posix_fallocate(file->descriptor, 0, (off_t)size) : 0;
    if (number == 0)
        return WEFT_OK;
    weft_temporary_close(file);
    return fail(error, "make", size, number);
}

weft_status weft_temporary_write(struct weft_temporary *file, size_t offset, const void *bytes, size_t size,
                                 weft_error *error) {
    const unsigned char *from = bytes;
    while (size > 0) {
        ssize_t count = pwrite(file->descriptor, from, size, (off_t)offset);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return fail(error, "write", 0, count < 0 ? errno : EIO);
        from += count, offset += (size_t)count, size -= (size_t)count;
    }
    file->written = true;
    return WEFT_OK;
}

weft_status weft_temporary_map(struct weft_temporary *file, weft_error *error) {
    void *data = mmap(NULL, file->size, PROT_READ | PROT_WRITE, MAP_SHARED, file->descriptor, 0);
    if (data == MAP_FAILED)
        return fail(error, "map", file->size, errno);
    file->data = data;
    /* Without this the system reads ahead in ever larger pieces, and later maps up to 2 MB for each pixel that is read somewhere
     * else. */
    if (!file->written)
        (void)madvise(data, file->size, MADV_RANDOM);
    return WEFT_OK;
}

void weft_temporary_release(const struct weft_temporary *file) {
    if (file->data)
        (void)madvise(file->data, file->size, MADV_DONTNEED);
}

void weft_temporary_close(struct weft_temporary *file) {
    if (file->data)
        (void)munmap(file->data, file->size);
    if (file->descriptor >= 0)
        (void)close(file->descriptor);
    *file = WEFT_NO_TEMPORARY;
}
