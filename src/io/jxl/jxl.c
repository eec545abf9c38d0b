/* SPDX-License-Identifier: MIT
 * JPEG XL by libjxl, decoded and encoded as a whole: grey and RGB with or without alpha; integers up to 16 bit, and
 * floating point numbers, which are only read. libjxl turns pictures upright by itself. Of an animation one frame is
 * read, as it is shown: over those before it. */
#include "io/jxl/jxl.h"
#include <string.h>

/* A codestream by itself, or in a container. */
static bool probe(const unsigned char *bytes, size_t count) {
    return (count >= 2 && memcmp(bytes, "\xff\x0a", 2) == 0) ||
           (count >= 12 && memcmp(bytes, "\0\0\0\x0cJXL \x0d\x0a\x87\x0a", 12) == 0);
}

const weft_codec weft_codec_jxl = {
    .format = {"jxl", "jxl", "JPEG XL: 1 to 4 channels, alpha, 8 and 16 bit, lossy or not", true, true,
               WEFT_FILE_OPTIONS(weft_jxl_options), WEFT_FILE_OPTIONS(weft_jxl_reader_options), false},
    .probe = probe,
    .reader_size = sizeof(weft_jxl_reader),
    .open_reader = weft_jxl_open_reader,
    .decode = weft_jxl_decode,
    .close_reader = weft_jxl_close_reader,
    .largest_side = INT64_C(1073741823),
    .unmeasured = true,
    .accepts = weft_accept_integers,
    .writer_size = sizeof(weft_jxl_writer),
    .open_writer = weft_jxl_open_writer,
    .encode = weft_jxl_encode,
    .close_writer = weft_jxl_close_writer,
};
