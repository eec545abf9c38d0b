/* SPDX-License-Identifier: MIT
 * Colors of one profile brought to another, where a file that is read or written is asked to be of that: color_profile=srgb, or
 * the name of a file that holds a profile. By Little CMS; builds without it say so. */
#ifndef IO_PROFILE_H
#define IO_PROFILE_H
#include "weft/file.h"

/* Makes *wanted what else it is asked to be, if anything, NULL for nothing; an error where both ask. `name` is the file's, for
 * messages. */
weft_status weft_profile_ask(const char **wanted, const char *asked, const char *name, weft_error *error);
/* Takes the option out of `settings`, which may be NULL. What it says, and what is left, are to be freed; NULL for
 * none. What is given beside settings counts as the option; an error where there are both. `name` is the file's, for messages. */
weft_status weft_profile_split(const char *settings, const char *given, const char *name, char **wanted, char **rest,
                               weft_error *error);

typedef struct weft_profile_change weft_profile_change;

/* From what `metadata` says, sRGB where it says nothing, to `wanted`; the metadata's profile becomes that one, of
 * memory of the change, and none for sRGB. *change is NULL where nothing changes. `name` is the file's, for messages.
 */
weft_status weft_profile_open(const char *wanted, const char *name, const weft_image_info *info,
                              weft_metadata *metadata, weft_profile_change **change, weft_error *error);
/* The colors of a row of `width` pixels, no more than the info's, brought to it; good until the next call. */
const void *weft_profile_row(weft_profile_change *change, const void *row, int64_t width);
void weft_profile_close(weft_profile_change **change);

#endif
