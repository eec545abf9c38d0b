/* SPDX-License-Identifier: MIT
 * AVIF files that are read or written, and the steps of both, as the codec has them. */
#ifndef IO_AVIF_H
#define IO_AVIF_H
#include "io/avif/avif_library.h"
#include "io/avif/dav1d.h"
#include "io/format.h"

typedef struct weft_avif_reader {
    weft_coding coding;
    struct weft_avif avif;
    avifDecoder *decoder;
    uint32_t width, height;
    bool wide, alpha;
    struct weft_dav1d *dav1d; /* which decodes the picture; NULL where `decoder` does */
    avifImage picture;        /* what was decoded; its planes are a decoder's */
    bool decoded;
    unsigned char *rows; /* as pixels, `top` and those below it up to `bottom` */
    uint32_t top, bottom, next;
} weft_avif_reader;

typedef struct weft_avif_writer {
    weft_coding coding;
    struct weft_avif avif;
    const weft_writing *writing;
    avifImage *image;
    avifEncoder *encoder;
    avifRWData file;
} weft_avif_writer;

/* avif.c: the error that libavif tells. */
weft_status weft_avif_failed(weft_coding *coding, const struct weft_avif *avif, avifResult code, weft_error *error);
/* RGB or RGBA of 8 or 16 bit in memory of ours. */
void weft_avif_set_pixels(const struct weft_avif *avif, avifRGBImage *rgb, const avifImage *image, bool wide, bool alpha,
                          void *pixels, size_t stride);

/* avif_reader.c */
enum { WEFT_AVIF_PAGE };
extern const weft_file_option weft_avif_reader_options[1];
weft_status weft_avif_open_reader(void *state, weft_header *header, weft_error *error);
weft_status weft_avif_read_row(void *state, void *row, weft_error *error);
void weft_avif_close_reader(void *state);

/* avif_writer.c */
enum { WEFT_AVIF_OPTIONS = 5 };
extern const weft_file_option weft_avif_options[WEFT_AVIF_OPTIONS];
weft_status weft_avif_open_writer(void *state, const weft_writing *writing, weft_error *error);
weft_status weft_avif_encode(void *state, const void *pixels, size_t stride, weft_error *error);
void weft_avif_close_writer(void *state);

#endif
