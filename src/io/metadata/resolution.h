/* SPDX-License-Identifier: MIT
 * Resolutions, for files that have no place for one but in EXIF. */
#ifndef IO_RESOLUTION_H
#define IO_RESOLUTION_H
#include "weft/file.h"

/* Sets the resolution that the EXIF of `metadata` states, if any. Fails only for want of memory. */
weft_status weft_resolution_find(weft_metadata *metadata, weft_error *error);
/* EXIF that says nothing but the resolution of `metadata`; none where that is unknown. *exif is the caller's to free.
 */
weft_status weft_resolution_write(const weft_metadata *metadata, unsigned char **exif, size_t *size, weft_error *error);

#endif
