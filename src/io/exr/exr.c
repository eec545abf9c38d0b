/* SPDX-License-Identifier: MIT
 * OpenEXR by its C core: light of f16 and f32, gray or RGB with or without alpha, which is premultiplied. Scan lines
 * and tiles are read, scan lines are written, a chunk of rows at a time. A picture is the data
 * window of one part; where that lies in the display window goes along with its metadata. */
#include "io/exr/exr.h"
#include <string.h>
#include "io/exr/exr_layers.h"

static const weft_file_option writer_options[] = {
    [EXR_COMPRESSION_OPTION] = {"compression", "without loss", "zip zips rle piz none", 0, 0, 0},
};

static bool probe(const unsigned char *bytes, size_t count) {
    return count >= 4 && memcmp(bytes, "\x76\x2f\x31\x01", 4) == 0;
}

static weft_status accepts(const char *word, weft_image_info *nearest, weft_error *error) {
    (void)word;
    (void)error;
    nearest->format.type = nearest->format.type == WEFT_F16 ? WEFT_F16 : WEFT_F32;
    /* Two or four channels end in alpha, and channels that are none are kept as if. */
    nearest->alpha = nearest->format.channels % 2 == 0 ? WEFT_ALPHA_PREMULTIPLIED : WEFT_ALPHA_NONE;
    return WEFT_OK;
}

const weft_codec weft_codec_exr = {
    .format = {"exr", "exr", "OpenEXR: linear light, gray and RGB, premultiplied alpha, f16 and f32", true, true,
               WEFT_FILE_OPTIONS(writer_options), WEFT_FILE_OPTIONS(weft_exr_reader_options), true},
    .probe = probe,
    .reader_size = sizeof(weft_exr_state),
    .open_reader = weft_exr_open_reader,
    .read = weft_exr_read_row,
    .close_reader = weft_exr_close_state,
    .largest_side = WEFT_LARGEST_SIDE,
    .linear = true,
    .premultiplied = true,
    .accepts = accepts,
    .writer_size = sizeof(weft_exr_state),
    .open_writer = weft_exr_open_writer,
    .write = weft_exr_write_row,
    .finish_writer = weft_exr_finish_writer,
    .close_writer = weft_exr_close_state,
};
