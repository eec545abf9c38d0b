/* SPDX-License-Identifier: MIT
 * What is known of a TIFF file that is read, and the steps of reading it, as its codec has them. */
#ifndef IO_TIFF_READER_H
#define IO_TIFF_READER_H
#include "io/format.h"
#include "io/tiff/tiff_samples.h"
#include "io/tiff/tiff_stream.h"

enum { WEFT_TIFF_PLANES = 4 };

typedef struct weft_tiff_reader {
    weft_coding coding;
    TIFF *tiff;
    /* Planes in strips, which may be as high as the image, are read side by side, each by a libtiff of its own; the
     * first one is `tiff`. */
    TIFF *plane[WEFT_TIFF_PLANES];
    weft_tiff_place place[WEFT_TIFF_PLANES];
    int64_t page;  /* where the directory of the page lies that is read; 0 for the first */
    bool converts; /* from YCbCr */
    int64_t next, height;
    weft_tiff_samples samples;
    uint32_t block_width, block_height; /* of tiles; strips are as wide as the image */
    int32_t planes;                     /* each with its own strips or tiles; 1 when samples lie side by side */
    bool tiled;
    size_t line;             /* bytes of a row of a plane of a block of strips or of one tile */
    unsigned char *packed;   /* a row of tiles of every plane; of strips, one row */
    unsigned char *tile;     /* one */
    unsigned char *unpacked; /* a row */
} weft_tiff_reader;

/* tiff_header.c */
enum { WEFT_TIFF_PAGE };
extern const weft_file_option weft_tiff_reader_options[1];
weft_status weft_tiff_open_reader(void *state, weft_header *header, weft_error *error);
/* tiff_pages.c: at least 1 */
int64_t weft_tiff_count_pages(weft_input *input);
/* Where the directory of a page lies, counted from 1; 0 where there is none. */
int64_t weft_tiff_find_page(weft_input *input, int64_t page);
/* How many pictures of `size` bytes ImageJ says that a file has whose one directory is of the first, at `first`; 1 where the
 * file is too short for them. */
int64_t weft_tiff_count_stack(const weft_input *input, const char *description, uint64_t first, uint64_t size);
/* tiff_reader.c */
weft_status weft_tiff_read_row(void *state, void *row, weft_error *error);
void weft_tiff_close_reader(void *state);

#endif
