/* SPDX-License-Identifier: MIT
 * How EXIF lies in a file, for reading and writing it. */
#ifndef IO_EXIF_LAYOUT_H
#define IO_EXIF_LAYOUT_H
#include "io/metadata/exif.h"

enum {
    EXIF_HEADER = 8,    /* bytes before the main directory where EXIF stands by itself */
    EXIF_TYPE_LONG = 4, /* types of entries that point to a directory; those with an 8 are BigTIFF's */
    EXIF_TYPE_LONG_8 = 16,
    EXIF_TYPE_DIRECTORY = 13,
    EXIF_TYPE_DIRECTORY_8 = 18
};

/* exif.c: the number of entries in a directory. */
size_t weft_exif_count(const weft_exif *exif, enum weft_exif_directory directory);

static inline bool weft_big_endian(void) {
    const uint16_t one = 1;
    return *(const unsigned char *)&one == 0;
}

#endif
