/* SPDX-License-Identifier: MIT
 * AVIF by libavif and libdav1d: RGB with or without alpha, 8 bit, and 10 and 12 bit as u16. */
#include "io/avif/avif.h"
#include <string.h>

weft_status weft_avif_failed(weft_coding *coding, const struct weft_avif *avif, avifResult code, weft_error *error) {
    weft_coding_note(coding, "%s", avif->avifResultToString(code));
    return weft_coding_failed(coding, error);
}

void weft_avif_set_pixels(const struct weft_avif *avif, avifRGBImage *rgb, const avifImage *image, bool wide, bool alpha,
                          void *pixels, size_t stride) {
    avif->avifRGBImageSetDefaults(rgb, image);
    rgb->depth = wide ? 16 : 8;
    rgb->format = alpha ? AVIF_RGB_FORMAT_RGBA : AVIF_RGB_FORMAT_RGB;
    rgb->pixels = pixels;
    rgb->rowBytes = (uint32_t)stride; /* a side is at most 65535 */
}

/* A file type box whose first brand is a still image or a sequence of them. */
static bool probe(const unsigned char *bytes, size_t count) {
    return count >= 12 && (memcmp(bytes + 4, "ftypavif", 8) == 0 || memcmp(bytes + 4, "ftypavis", 8) == 0);
}

const weft_codec weft_codec_avif = {
    .format = {"avif", "avif", "AVIF: RGB, alpha, 8 and 12 bit, lossy or not", true, true,
               WEFT_FILE_OPTIONS(weft_avif_options), WEFT_FILE_OPTIONS(weft_avif_reader_options), false},
    .probe = probe,
    .reader_size = sizeof(weft_avif_reader),
    .open_reader = weft_avif_open_reader,
    .read = weft_avif_read_row,
    .close_reader = weft_avif_close_reader,
    .largest_side = 65535,
    .unmeasured = true,
    .accepts = weft_accept_rgb,
    .writer_size = sizeof(weft_avif_writer),
    .open_writer = weft_avif_open_writer,
    .encode = weft_avif_encode,
    .close_writer = weft_avif_close_writer,
};
