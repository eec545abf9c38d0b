/* SPDX-License-Identifier: MIT
 * A TIFF file's bytes as libtiff asks for them. */
#ifndef IO_TIFF_STREAM_H
#define IO_TIFF_STREAM_H
#include <tiffio.h>
#include "io/codec_error.h"

/* Where libtiff is in a file. */
typedef struct weft_tiff_place {
    weft_coding *coding;
    int64_t position, end; /* end: of a file that is written, so far */
} weft_tiff_place;

/* Opens with handlers of our own: libtiff's usual ones are global, and print. Errors leave a note in the place's
 * coding. */
TIFF *weft_tiff_open(weft_tiff_place *place, const char *mode);
/* libtiff's handler for writing, for what is written without it; `handle` is a place. Returns -1 on a failure. */
tmsize_t weft_tiff_write(thandle_t handle, void *bytes, tmsize_t size);

#endif
