/* SPDX-License-Identifier: MIT
 * TIFF and BigTIFF by libtiff, row by row. Read are strips and tiles of samples of any size that weft has a type for,
 * grey, RGB, palettes and CMYK, in every compression that libtiff knows. */
#include <string.h>
#include "io/format.h"
#include "io/tiff/tiff_reader.h"
#include "io/tiff/tiff_writer.h"

/* Intel and Motorola order, classic and big. */
static bool probe(const unsigned char *bytes, size_t count) {
    return count >= 4 && (memcmp(bytes, "II*\0", 4) == 0 || memcmp(bytes, "MM\0*", 4) == 0 ||
                          memcmp(bytes, "II+\0", 4) == 0 || memcmp(bytes, "MM\0+", 4) == 0);
}

static weft_status accepts(const char *word, weft_image_info *nearest, weft_error *error) {
    (void)word;
    (void)error;
    if (nearest->format.type == WEFT_F64)
        nearest->format.type = WEFT_F32;
    return WEFT_OK;
}

const weft_codec weft_codec_tiff = {
    .format = {"tiff", "tif tiff", "TIFF and BigTIFF: 1 to 4 channels, alpha, 8 and 16 bit, f16 and f32", true, true,
               WEFT_FILE_OPTIONS(weft_tiff_options), WEFT_FILE_OPTIONS(weft_tiff_reader_options), false},
    .probe = probe,
    .reader_size = sizeof(weft_tiff_reader),
    .open_reader = weft_tiff_open_reader,
    .read = weft_tiff_read_row,
    .close_reader = weft_tiff_close_reader,
    .largest_side = WEFT_LARGEST_SIDE,
    .premultiplied = true,
    .accepts = accepts,
    .writer_size = sizeof(weft_tiff_writer),
    .open_writer = weft_tiff_open_writer,
    .write = weft_tiff_write_row,
    .finish_writer = weft_tiff_finish_writer,
    .close_writer = weft_tiff_close_writer,
};
