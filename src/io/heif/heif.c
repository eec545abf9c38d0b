/* SPDX-License-Identifier: MIT
 * HEIF of HEVC pictures, as cameras write it, by libheif: RGB with or without alpha, 8 bit, and 10 and 12 bit as u16,
 * decoded and encoded as a whole. libheif turns pictures upright by itself. Of several pictures in a file one is read:
 * the one that the file says is its first, or by its place among them. */
#include "io/heif/heif.h"
#include <string.h>

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
enum { WIDE_RGB = heif_chroma_interleaved_RRGGBB_BE, WIDE_RGBA = heif_chroma_interleaved_RRGGBBAA_BE };
#else
enum { WIDE_RGB = heif_chroma_interleaved_RRGGBB_LE, WIDE_RGBA = heif_chroma_interleaved_RRGGBBAA_LE };
#endif

weft_status weft_heif_failed(weft_coding *coding, struct heif_error result, weft_error *error) {
    weft_coding_note(coding, "%s", result.message ? result.message : "damaged");
    return weft_coding_failed(coding, error);
}

enum heif_chroma weft_heif_chroma(weft_format format) {
    const bool alpha = format.channels == 4;
    if (format.type == WEFT_U8)
        return alpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB;
    return alpha ? (enum heif_chroma)WIDE_RGBA : (enum heif_chroma)WIDE_RGB;
}

void weft_heif_rescale(const uint8_t *from, uint8_t *to, size_t count, uint32_t from_full, uint32_t to_full) {
    for (size_t i = 0; i < count; i++) {
        uint16_t sample;
        memcpy(&sample, from + 2 * i, sizeof sample);
        uint32_t clipped = sample < from_full ? sample : from_full;
        sample = (uint16_t)((clipped * to_full + from_full / 2) / from_full);
        memcpy(to + 2 * i, &sample, sizeof sample);
    }
}

/* A file type box whose brand is a picture, or one with alpha or more than 8 bit, coded by HEVC; or one of any coding
 * that also claims to be that, in the four brands that follow. */
static bool probe(const unsigned char *bytes, size_t count) {
    static const char brands[] = "heic heix heim heis";
    if (count < 12 || memcmp(bytes + 4, "ftyp", 4) != 0)
        return false;
    for (size_t at = 8; at + 4 <= count; at += at == 8 ? 8 : 4) { /* a version number follows the first */
        for (const char *brand = brands; brand < brands + sizeof brands - 1; brand += 5)
            if (memcmp(bytes + at, brand, 4) == 0)
                return true;
        if (memcmp(bytes + 8, "mif1", 4) != 0)
            return false;
    }
    return false;
}

const weft_codec weft_codec_heif = {
    .format = {"heif", "heic heif", "HEIF of HEVC: RGB, alpha, 8 and 12 bit, lossy or not", true, true,
               WEFT_FILE_OPTIONS(weft_heif_options), WEFT_FILE_OPTIONS(weft_heif_reader_options), false},
    .probe = probe,
    .reader_size = sizeof(weft_heif_reader),
    .open_reader = weft_heif_open_reader,
    .decode = weft_heif_decode,
    .close_reader = weft_heif_close_reader,
    .largest_side = 16384,
    .unmeasured = true,
    .accepts = weft_accept_rgb,
    .writer_size = sizeof(weft_heif_writer),
    .open_writer = weft_heif_open_writer,
    .encode = weft_heif_encode,
    .close_writer = weft_heif_close_writer,
};
