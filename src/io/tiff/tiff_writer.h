/* SPDX-License-Identifier: MIT
 * What is known of a TIFF file that is written, and the steps of writing it, as its codec has them. */
#ifndef IO_TIFF_WRITER_H
#define IO_TIFF_WRITER_H
#include "io/format.h"
#include "io/tiff/tiff_stream.h"

/* The options of the TIFF codec for writing. */
enum { WEFT_TIFF_OPTIONS = 4 };
extern const weft_file_option weft_tiff_options[WEFT_TIFF_OPTIONS];

typedef struct weft_tiff_writer {
    weft_coding coding;
    const weft_metadata *metadata;
    TIFF *tiff;
    weft_tiff_place place;
    uint32_t next, height;
    size_t row_size, pixel_size;
    uint32_t side;        /* of tiles; 0 for strips */
    unsigned char *tiles; /* a row of them, as rows of the image */
    unsigned char *block; /* a tile, or a row: libtiff may change what it is given */
} weft_tiff_writer;

weft_status weft_tiff_open_writer(void *state, const weft_writing *writing, weft_error *error);
weft_status weft_tiff_write_row(void *state, const void *row, weft_error *error);
weft_status weft_tiff_finish_writer(void *state, weft_error *error);
void weft_tiff_close_writer(void *state);

#endif
