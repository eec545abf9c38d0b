/* SPDX-License-Identifier: MIT
 * PNG files that are written: libpng makes the chunks before the pixels, png_strips.h the pixels. */
#ifndef IO_PNG_WRITER_H
#define IO_PNG_WRITER_H
#include <png.h>
#include <string.h>
#include "io/format.h"
#include "io/png/png_strips.h"

enum { WEFT_PNG_OPTIONS = 2 };
extern const weft_file_option weft_png_options[WEFT_PNG_OPTIONS];
#define WEFT_PNG_INCH 0.0254 /* meters */
/* What XMP is called in a PNG. */
static char weft_png_xmp[] = "XML:com.adobe.xmp";

static inline bool weft_png_host_is_little(void) {
    const uint16_t one = 1;
    unsigned char bytes[2];
    memcpy(bytes, &one, 2);
    return bytes[0] == 1;
}

typedef struct weft_png_writer {
    weft_coding coding;
    png_structp png;
    png_infop info;
    char *text; /* XMP */
    weft_png_strips *strips;
} weft_png_writer;

weft_status weft_png_open_writer(void *pointer, const weft_writing *writing, weft_error *error);
weft_status weft_png_write_row(void *pointer, const void *row, weft_error *error);
weft_status weft_png_finish_writer(void *pointer, weft_error *error);
void weft_png_close_writer(void *pointer);

#endif
