/* SPDX-License-Identifier: MIT
 * The options that every file has when it is read: what its numbers mean, and which of its channels are taken. */
#ifndef IO_TAKEN_H
#define IO_TAKEN_H
#include "io/settings.h"

enum { WEFT_TAKEN_OPTIONS = 3 };

typedef struct weft_taken {
    int32_t values[WEFT_TAKEN_OPTIONS];
    int32_t dropped; /* a channel, -1 for none */
} weft_taken;

/* Takes these options out of `text`, which may be NULL; those of the format are left in *rest, to be freed, NULL for
 * none. */
weft_status weft_taken_read(weft_taken *taken, const char *text, const char *name, char **rest, weft_error *error);
/* Makes of what the file says of its pixels what the caller says of them. */
weft_status weft_taken_apply(weft_taken *taken, const char *name, weft_image_info *info, weft_error *error);
/* A row of `width` pixels of `channels` samples of `size` bytes, without the channel that is dropped. */
void weft_taken_row(const weft_taken *taken, const void *source, int64_t width, int32_t channels, size_t size,
                    void *target);

#endif
