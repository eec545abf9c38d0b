/* SPDX-License-Identifier: MIT
 * What a reader knows, whatever the format. */
#ifndef IO_READER_H
#define IO_READER_H
#include "io/format.h"
#include "io/limits.h"
#include "io/profile/profile.h"
#include "io/read/input_options.h"

struct weft_reader {
    weft_input input;
    bool text; /* in the name */
    const weft_codec *codec;
    void *state;
    weft_header header; /* of the image as it is stored; and of the upright one, of the channels that are taken: */
    weft_image_info info;
    weft_input_options options;
    weft_read_limits limits;
    int32_t threads; /* that may work at it */
    void *row;             /* with the channel that is dropped */
    weft_profile_change *change; /* of colors, or NULL */
    bool changed;                /* by it or for it: the header's metadata; `stored` is then the file's */
    weft_metadata stored;
    unsigned char *pixels; /* of an image that is decoded or turned as a whole */
    int64_t next;          /* the row to be read next, of the upright image */
    bool failed;
    weft_error failure;
};

/* reader.c: sets the size of the upright image. */
void weft_reader_set_size(weft_reader *reader);

#endif
