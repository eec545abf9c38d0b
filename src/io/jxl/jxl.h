/* SPDX-License-Identifier: MIT
 * JPEG XL files that are read or written, and the steps of both, as the codec has them. */
#ifndef IO_JXL_JXL_H
#define IO_JXL_JXL_H
#include <jxl/decode.h>
#include <jxl/encode.h>
#include "io/format.h"

enum { JXL_OUTPUT_CHUNK = 1 << 16 };
enum { JXL_EXIF_OFFSET = 4 }; /* bytes of the number before EXIF, which says how far behind itself EXIF begins */
/* The types of boxes. */
#define JXL_EXIF_BOX "Exif"
#define JXL_XMP_BOX "xml "

typedef struct weft_jxl_reader {
    weft_coding coding;
    JxlDecoder *decoder;
    JxlPixelFormat format;
    bool animated;
    double tick; /* of an animation, in seconds */
} weft_jxl_reader;

typedef struct weft_jxl_writer {
    weft_coding coding;
    const weft_writing *writing;
    JxlEncoder *encoder;
    bool starved; /* of memory of our own */
    unsigned char bytes[JXL_OUTPUT_CHUNK];
} weft_jxl_writer;

/* jxl_reader.c */
extern const weft_file_option weft_jxl_reader_options[1];
weft_status weft_jxl_open_reader(void *state, weft_header *header, weft_error *error);
weft_status weft_jxl_decode(void *state, void *pixels, size_t stride, weft_error *error);
void weft_jxl_close_reader(void *state);

/* jxl_boxes.c: takes EXIF and XMP from the file's bytes. */
weft_status weft_jxl_read_boxes(const unsigned char *bytes, size_t size, weft_metadata *metadata, weft_error *error);

/* jxl_writer.c */
enum { WEFT_JXL_OPTIONS = 4 };
extern const weft_file_option weft_jxl_options[WEFT_JXL_OPTIONS];
weft_status weft_jxl_open_writer(void *state, const weft_writing *writing, weft_error *error);
weft_status weft_jxl_encode(void *state, const void *pixels, size_t stride, weft_error *error);
void weft_jxl_close_writer(void *state);

#endif
