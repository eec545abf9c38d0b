/* SPDX-License-Identifier: MIT
 * HEIF files that are read or written, and the steps of both, as the codec has them. */
#ifndef IO_HEIF_HEIF_H
#define IO_HEIF_HEIF_H
#include <libheif/heif.h>
#include "io/format.h"

enum { HEIF_WIDE_BITS = 12 }; /* of a sample in files that are written of u16 */

typedef struct weft_heif_reader {
    weft_coding coding;
    weft_image_info info;
    bool begun; /* libheif counts who uses it */
    struct heif_context *context;
    struct heif_image_handle *handle;
    struct heif_decoding_options *options;
    struct heif_image *image;
} weft_heif_reader;

typedef struct weft_heif_writer {
    weft_coding coding;
    const weft_writing *writing;
    bool begun;
    struct heif_context *context;
    struct heif_encoder *encoder;
    struct heif_encoding_options *options;
    struct heif_color_profile_nclx *colors;
    struct heif_image *image;
    struct heif_image_handle *handle;
} weft_heif_writer;

static inline bool weft_heif_good(struct heif_error result) { return result.code == heif_error_Ok; }

/* heif.c: the error that libheif tells. */
weft_status weft_heif_failed(weft_coding *coding, struct heif_error result, weft_error *error);
/* How pixels of this format lie in libheif's images. */
enum heif_chroma weft_heif_chroma(weft_format format);
/* Samples of 2 bytes each, from one full scale to another. */
void weft_heif_rescale(const uint8_t *from, uint8_t *to, size_t count, uint32_t from_full, uint32_t to_full);

/* heif_metadata.c: takes the color profile, EXIF and XMP of a picture. */
weft_status weft_heif_read_metadata(const struct heif_image_handle *handle, weft_metadata *metadata, weft_error *error);

/* heif_reader.c */
extern const weft_file_option weft_heif_reader_options[1];
weft_status weft_heif_open_reader(void *state, weft_header *header, weft_error *error);
weft_status weft_heif_decode(void *state, void *pixels, size_t stride, weft_error *error);
void weft_heif_close_reader(void *state);

/* heif_writer.c */
enum { WEFT_HEIF_OPTIONS = 5 };
extern const weft_file_option weft_heif_options[WEFT_HEIF_OPTIONS];
weft_status weft_heif_open_writer(void *state, const weft_writing *writing, weft_error *error);
weft_status weft_heif_encode(void *state, const void *pixels, size_t stride, weft_error *error);
void weft_heif_close_writer(void *state);

#endif
