/* SPDX-License-Identifier: MIT
 * EXIF taken out of a TIFF file and put into one. By itself EXIF is a TIFF file without pixels: a main directory, which
 * points to one of the camera and one of the place. In a file with pixels the main directory is the picture's own. */
#ifndef IO_EXIF_H
#define IO_EXIF_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "io/stream.h"
#include "weft/file.h"

enum weft_exif_directory { EXIF_MAIN, EXIF_CAMERA, EXIF_PLACE, EXIF_INTEROPERABILITY, EXIF_DIRECTORIES };

typedef struct weft_exif_entry {
    enum weft_exif_directory directory, child; /* child: the directory that it points to; EXIF_MAIN for none */
    uint16_t tag, type;
    uint32_t count;
    size_t at, size; /* of its value among those of all entries, in the byte order of this machine */
} weft_exif_entry;

typedef struct weft_exif {
    weft_exif_entry *entries; /* in the order in which they are found, which is that of their tags */
    size_t entry_count, entry_capacity;
    unsigned char *values;
    size_t value_size, value_capacity;
    bool found[EXIF_DIRECTORIES];
    weft_exif_entry xmp, iptc; /* of a size of 0 for none */
} weft_exif;

/* Reads EXIF that stands by itself, or that of a TIFF or BigTIFF file: of its main directory what tells of the picture
 * and says nothing of its pixels. What is damaged is left out; fails only for want of memory. */
weft_status weft_exif_read(weft_exif *exif, const void *bytes, size_t size, weft_error *error);
weft_status weft_exif_read_tiff(weft_exif *exif, weft_input *input, weft_error *error);
void weft_exif_clear(weft_exif *exif);

/* The directory and those that it points to as they stand at `offset`, a multiple of 8, of a TIFF file of this
 * machine's byte order, `big` for a BigTIFF; nothing for one without entries. *block is the caller's to free. */
weft_status weft_exif_write(const weft_exif *exif, enum weft_exif_directory directory, uint64_t offset, bool big,
                            unsigned char **block, size_t *size, weft_error *error);
/* The main directory and all others as EXIF that stands by itself. */
weft_status weft_exif_write_alone(const weft_exif *exif, unsigned char **block, size_t *size, weft_error *error);

/* XMP and IPTC, which lie in a TIFF file's main directory beside what EXIF is made of; NULL where there are none. They
 * are those of `exif`. */
const void *weft_exif_xmp(const weft_exif *exif, size_t *size);
const void *weft_exif_iptc(const weft_exif *exif, size_t *size);

/* The value of an entry that is a line of text, ended by 0; NULL for others. */
const char *weft_exif_text(const weft_exif *exif, const weft_exif_entry *entry);

#endif
