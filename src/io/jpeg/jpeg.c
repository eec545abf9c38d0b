/* SPDX-License-Identifier: MIT
 * JPEG by libjpeg: grey and RGB of 8 bit; CMYK is converted to RGB when read. */
#include "io/jpeg/jpeg.h"
#include <string.h>

static const weft_file_option writer_options[] = {
    [JPEG_QUALITY] = {"quality", "how little is lost", NULL, 1, 100, 90},
    [JPEG_SUBSAMPLING] = {"subsampling", "of colors; auto is 444 from quality 90 on and 420 below", "auto 444 422 420", 0, 0,
                          JPEG_SUBSAMPLING_AUTO},
    [JPEG_PROGRESSIVE] = {"progressive", "in several scans, which wait in memory", "off on", 0, 0, 0},
    [JPEG_METADATA] = WEFT_EXIF_OPTION,
};

static const weft_file_option reader_options[] = {[JPEG_REDUCE] = WEFT_REDUCE_OPTION};

static bool probe(const unsigned char *bytes, size_t count) {
    return count >= 3 && memcmp(bytes, "\xff\xd8\xff", 3) == 0;
}

static weft_status accepts(const char *word, weft_image_info *nearest, weft_error *error) {
    (void)word;
    (void)error;
    nearest->format.type = WEFT_U8;
    nearest->format.channels = weft_nearest_opaque(nearest->format.channels, nearest->alpha);
    nearest->alpha = WEFT_ALPHA_NONE;
    return WEFT_OK;
}

const weft_codec weft_codec_jpeg = {
    .format = {"jpeg", "jpg jpeg", "JPEG: grey and RGB, 8 bit, lossy", true, true, WEFT_FILE_OPTIONS(writer_options),
               WEFT_FILE_OPTIONS(reader_options), false},
    .probe = probe,
    .reader_size = sizeof(weft_jpeg_reader),
    .open_reader = weft_jpeg_open_reader,
    .reduce = weft_jpeg_reduce,
    .read = weft_jpeg_read_row,
    .finish_reader = weft_jpeg_finish_reader,
    .close_reader = weft_jpeg_close_reader,
    .largest_side = JPEG_MAX_DIMENSION,
    .accepts = accepts,
    .writer_size = sizeof(weft_jpeg_writer),
    .open_writer = weft_jpeg_open_writer,
    .write = weft_jpeg_write_row,
    .finish_writer = weft_jpeg_finish_writer,
    .close_writer = weft_jpeg_close_writer,
};
