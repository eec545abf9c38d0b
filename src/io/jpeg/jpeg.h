/* SPDX-License-Identifier: MIT
 * What is known of a JPEG file that is read or written, and the steps of both, as its codec has them. */
#ifndef IO_JPEG_JPEG_H
#define IO_JPEG_JPEG_H
#include <stdio.h>
#include <stdlib.h>
#include <jpeglib.h>
#include "io/format.h"

enum { JPEG_OUTPUT_CHUNK = 1 << 14, JPEG_IPTC_BLOCK = 0x0404 };
#define JPEG_EXIF_MARKER (JPEG_APP0 + 1)
#define JPEG_PROFILE_MARKER (JPEG_APP0 + 2)
#define JPEG_ADOBE_MARKER (JPEG_APP0 + 13)
/* What these markers begin with, the zero at the end included. */
#define JPEG_EXIF_SIGNATURE "Exif\0"
#define JPEG_XMP_SIGNATURE "http://ns.adobe.com/xap/1.0/"
#define JPEG_ADOBE_SIGNATURE "Photoshop 3.0"

/* The options of files that are written, and of those that are read. */
enum { JPEG_QUALITY, JPEG_SUBSAMPLING, JPEG_PROGRESSIVE, JPEG_METADATA };
enum { JPEG_SUBSAMPLING_AUTO, JPEG_SUBSAMPLING_444, JPEG_SUBSAMPLING_422, JPEG_SUBSAMPLING_420 };
enum { JPEG_REDUCE };

/* Both begin with what libjpeg's errors need, whichever of them it is. */
typedef struct weft_jpeg_reader {
    weft_coding coding;
    struct jpeg_error_mgr errors;
    struct jpeg_decompress_struct jpeg;
    struct jpeg_source_mgr source;
    struct jpeg_progress_mgr progress;
    bool started;
    bool inverted;       /* Adobe's CMYK: 255 is no ink */
    unsigned char *inks; /* one row of CMYK; NULL for other images */
} weft_jpeg_reader;

typedef struct weft_jpeg_writer {
    weft_coding coding;
    struct jpeg_error_mgr errors;
    struct jpeg_compress_struct jpeg;
    struct jpeg_destination_mgr destination;
    unsigned char bytes[JPEG_OUTPUT_CHUNK];
} weft_jpeg_writer;

/* jpeg_errors.c: hands the bytes that libjpeg holds but has not consumed back to the input, whose offset is then right. */
void weft_jpeg_return_bytes(weft_jpeg_reader *reader);
_Noreturn void weft_jpeg_fail(j_common_ptr common, const char *message);
struct jpeg_error_mgr *weft_jpeg_start_errors(struct jpeg_error_mgr *errors);

weft_status weft_jpeg_open_reader(void *state, weft_header *header, weft_error *error);
bool weft_jpeg_reduce(void *state, int32_t times, weft_header *header);
weft_status weft_jpeg_read_row(void *state, void *row, weft_error *error);
weft_status weft_jpeg_finish_reader(void *state, weft_error *error);
void weft_jpeg_close_reader(void *state);

weft_status weft_jpeg_open_writer(void *state, const weft_writing *writing, weft_error *error);
weft_status weft_jpeg_write_row(void *state, const void *row, weft_error *error);
weft_status weft_jpeg_finish_writer(void *state, weft_error *error);
void weft_jpeg_close_writer(void *state);

#endif
