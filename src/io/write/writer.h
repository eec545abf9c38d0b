/* SPDX-License-Identifier: MIT
 * What a writer knows, and the steps of writing: the format, the file, and rows in between. */
#ifndef IO_WRITER_H
#define IO_WRITER_H
#include "io/format.h"

struct weft_writer {
    weft_output output;
    const weft_codec *codec;
    void *state;
    weft_writing writing;
    unsigned char *exif, *xmp,
        *iptc;             /* copies, which fit the picture; or EXIF for a resolution without another place */
    unsigned char *pixels; /* of an image that is encoded as a whole */
    int64_t next;          /* the row to be written next */
    int32_t threads;       /* that may work at it */
    char *profile;         /* that the colors are brought to, NULL for none */
    struct weft_profile_change *change;
    bool owned;      /* close the descriptor; standard output is not ours */
    char *path;      /* what the temporary file will be called */
    char *temporary; /* what it is called now; NULL when it has no name, and for pipes and devices */
    bool unnamed;
    bool failed;
    weft_error failure;
};

/* writer_format.c: finds the format, and the word that chose it, in lower case. */
weft_status weft_writer_choose(const char *path, const weft_writer_options *options, char word[16],
                               const weft_codec **codec, weft_error *error);
/* The values of the format's options, and the color profile that is wanted: to be freed, NULL for none. */
weft_status weft_writer_settings(const char *path, const weft_writer_options *options, const weft_codec *codec,
                                 int32_t values[WEFT_OPTIONS], char **profile, weft_error *error);

/* writer_file.c */
weft_status weft_writer_open_file(weft_writer *writer, const char *path, weft_error *error);
/* Gives it its name, when everything has been written. */
weft_status weft_writer_finish_file(weft_writer *writer, weft_error *error);
/* Closes what is open, and removes what has not got its name. */
void weft_writer_close_file(weft_writer *writer);

#endif
