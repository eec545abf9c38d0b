/* SPDX-License-Identifier: MIT
 * Files without a name, by Linux's O_TMPFILE. */
#define _GNU_SOURCE
#include "io/write/unnamed_file.h"
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A descriptor's place under /proc; a link to it is a link to the file, which needs no privilege. */
static void locate(int descriptor, char place[32]) { snprintf(place, 32, "/proc/self/fd/%d", descriptor); }

int weft_unnamed_open(const char *path) {
#ifdef O_TMPFILE
    char place[32], folder[4096];
    const char *slash = strrchr(path, '/');
    int length = !slash ? 0 : slash == path ? 1 : (int)(slash - path);
    if (length >= (int)sizeof folder)
        return -1;
    snprintf(folder, sizeof folder, "%.*s", length ? length : 1, length ? path : ".");
    int descriptor = open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    locate(descriptor, place);
    if (descriptor >= 0 && access(place, F_OK) != 0) { /* without /proc it could never be named */
        close(descriptor);
        descriptor = -1;
    }
    return descriptor;
#else
    (void)path;
    return -1;
#endif
}

bool weft_unnamed_name(int descriptor, const char *name) {
    char place[32];
    locate(descriptor, place);
    return linkat(AT_FDCWD, place, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0;
}
