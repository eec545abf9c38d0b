/* SPDX-License-Identifier: MIT
 * Makes metadata true of a picture that is written: it came with another one, whose size and place it tells, and of
 * which it may hold a small copy. All of it is hostile; what cannot be read is left out. */
#ifndef IO_METADATA_FIT_H
#define IO_METADATA_FIT_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "weft/file.h"

typedef struct weft_fit {
    int64_t width, height; /* of the picture that is written */
    int orientation;       /* as EXIF counts; what XMP has to repeat */
    bool no_place;         /* without where the picture was taken */
} weft_fit;

/* Each changes `bytes` where they stand, and *size to what is left of them; 0 for nothing. */

/* Without thumbnails and whatever no entry points to, which is where other programs leave them; and without a
 * description of another shape. What stays lies where it lay: makers' notes point about by offsets. Fails only for want
 * of memory. */
weft_status weft_exif_fit(unsigned char *bytes, size_t *size, const weft_fit *fit, weft_error *error);
/* Without thumbnails. There have to be WEFT_XMP_GROWTH bytes behind them, for numbers that become longer. */
void weft_xmp_fit(unsigned char *bytes, size_t *size, const weft_fit *fit);
/* Without previews and what is no record of a description. */
void weft_iptc_fit(unsigned char *bytes, size_t *size);

enum { WEFT_XMP_GROWTH = 256 };

#endif
