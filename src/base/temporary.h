/* SPDX-License-Identifier: MIT
 * Temporary files: on disk, in the folder that TMPDIR names, and without a name, so that they end with the process. */
#ifndef BASE_TEMPORARY_H
#define BASE_TEMPORARY_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "weft/status.h"

struct weft_temporary {
    int descriptor;      /* -1: none */
    unsigned char *data; /* the file as memory, where it is mapped */
    size_t size;
    bool written;        /* from beginning to end before it is mapped, and so it is read */
};
#define WEFT_NO_TEMPORARY ((struct weft_temporary){.descriptor = -1})

/* Makes one that has room for `size` bytes on the disk, so that no later write finds it full; `size` 0: it grows. */
weft_status weft_temporary_open(struct weft_temporary *file, size_t size, weft_error *error);
/* Writes at an offset. */
weft_status weft_temporary_write(struct weft_temporary *file, size_t offset, const void *bytes, size_t size,
                                 weft_error *error);
weft_status weft_temporary_map(struct weft_temporary *file, weft_error *error);
/* Takes the pages of a mapped file out of the process's memory; what was written stays in the file. Any thread may use
 * them meanwhile. */
void weft_temporary_release(const struct weft_temporary *file);
void weft_temporary_close(struct weft_temporary *file);

#endif
