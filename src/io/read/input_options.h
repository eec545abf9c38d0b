/* SPDX-License-Identifier: MIT
 * The options that every file has when it is read: what its numbers mean, and which of its channels are read. */
#ifndef IO_INPUT_OPTIONS_H
#define IO_INPUT_OPTIONS_H
#include "io/settings.h"

enum { WEFT_INPUT_OPTIONS = 3 };

typedef struct weft_input_options {
    int32_t values[WEFT_INPUT_OPTIONS];
    int32_t dropped; /* a channel, -1 for none */
} weft_input_options;

/* Takes these options out of `text`, which may be NULL; those of the format are left in *rest, to be freed, NULL for
 * none. */
weft_status weft_input_options_read(weft_input_options *chosen, const char *text, const char *name, char **rest,
                                    weft_error *error);
/* Makes of what the file says of its pixels what the caller says of them. */
weft_status weft_input_options_apply(weft_input_options *chosen, const char *name, weft_image_info *info, weft_error *error);
/* A row of `width` pixels of `channels` samples of `size` bytes, without the channel that is dropped. */
void weft_input_options_row(const weft_input_options *chosen, const void *source, int64_t width, int32_t channels, size_t size,
                            void *target);

#endif
