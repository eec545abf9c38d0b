/* SPDX-License-Identifier: MIT
 * What files hold beside pixels: a color profile, EXIF, which says how the camera was held, and a resolution. */
#ifndef IO_METADATA_H
#define IO_METADATA_H
#include <stdbool.h>
#include <stddef.h>
#include "weft/file.h"

/* Makes the profile, the EXIF, the XMP or the IPTC of `metadata` a copy of `size` bytes. weft_metadata_free lets go of
 * all. Some programs put EXIF into other files as it stands in JPEG, behind a word, which is left out. Fails only for
 * want of memory; there is nothing in 0 bytes. */
weft_status weft_metadata_set_profile(weft_metadata *metadata, const void *bytes, size_t size, weft_error *error);
weft_status weft_metadata_set_exif(weft_metadata *metadata, const void *bytes, size_t size, weft_error *error);
weft_status weft_metadata_set_xmp(weft_metadata *metadata, const void *bytes, size_t size, weft_error *error);
weft_status weft_metadata_set_iptc(weft_metadata *metadata, const void *bytes, size_t size, weft_error *error);
void weft_metadata_free(weft_metadata *metadata);

/* How EXIF says that the camera was held, 1 to 8; 1, upright, when it says nothing that can be read. */
int weft_exif_orientation(const void *exif, size_t size);
/* Makes it say upright, if it says anything. */
void weft_exif_set_upright(void *exif, size_t size);

/* Whether an ICC profile is one for images of that many channels. */
bool weft_profile_fits(const void *profile, size_t size, int32_t channels);

/* Row `y` of the upright image of `stored`, whose rows are `stride` bytes apart. */
void weft_upright_row(const unsigned char *pixels, size_t stride, const weft_image_info *stored, int orientation,
                      int64_t y, void *row);

#endif
