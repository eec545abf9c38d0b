/* SPDX-License-Identifier: MIT
 * What a file format must provide. A format is one file with one weft_codec in it, named in table.c and nowhere else.
 * reader.c and writer.c have checked the arguments: a codec sees rows in order, each once, and only sound infos. */
#ifndef IO_FORMAT_H
#define IO_FORMAT_H
#include <stdbool.h>
#include <stddef.h>
#include "io/codec_error.h"
#include "io/metadata/metadata.h"
#include "io/settings.h"
#include "io/stream.h"
#include "weft/file.h"

/* The widest and highest image that any format may claim. */
#define WEFT_LARGEST_SIDE INT64_C(2147483647)

/* What a file's header tells. */
typedef struct weft_header {
    weft_image_info info;
    bool whole;             /* the image comes by `decode`, not by `read` */
    uint64_t working;       /* about how many bytes the library takes to decode it, beside pixels */
    int64_t pictures;       /* in the file; 0 for one */
    bool chosen;            /* this one of them, by an option */
    double seconds;         /* that the chosen one is shown; 0 where the file does not say */
    int orientation;        /* how to turn it, as EXIF counts, 1 to 8; 0 for what its EXIF says */
    weft_metadata metadata; /* of memory of our own; reader.c frees it */
} weft_header;

/* What is to be written. */
typedef struct weft_writing {
    weft_image_info info;
    int32_t settings[WEFT_OPTIONS]; /* in the order of the format's options */
    weft_metadata metadata;         /* without a profile that does not fit the image */
} weft_writing;

/* The states of readers and writers are structs that begin with a weft_coding. reader.c and writer.c allocate them
 * zeroed, fill in that member, and close and free them whether or not opening them went well. All functions that return
 * a status may leave by weft_coding_fail; after a failure only the close function follows. */
typedef struct weft_codec {
    weft_file_format format;

    bool followed; /* pictures may follow one another in a file */

    /* Reading; NULL when the format is only written. `probe` sees the first bytes, WEFT_PROBE_SIZE unless the file is
     * shorter. `read` makes one row; `decode` all of them, `stride` bytes apart. */
    bool (*probe)(const unsigned char *bytes, size_t count);
    size_t reader_size;
    weft_status (*open_reader)(void *state, weft_header *header, weft_error *error);
    /* Before the first row: makes of the header that of an image whose sides are divided by 2, 4 or 8, rounded up, which is then
     * what is read; false where that cannot be, or is not wanted. NULL: it never can. */
    bool (*reduce)(void *state, int32_t times, weft_header *header);
    weft_status (*read)(void *state, void *row, weft_error *error);
    weft_status (*decode)(void *state, void *pixels, size_t stride, weft_error *error);
    weft_status (*finish_reader)(void *state, weft_error *error); /* may be NULL */
    void (*close_reader)(void *state);                            /* may be NULL */

    /* Writing; NULL when the format is only read. `accepts` changes the copy of the wanted info in *nearest as little
     * as it can; `word` is the extension or format name by which the format was chosen. */
    int64_t largest_side;
    bool linear;        /* holds light as it is; else encoded values are what `accepts` is asked for */
    bool unmeasured;    /* has no place for a resolution but in EXIF */
    bool premultiplied; /* holds alpha of either form; else straight alpha is what `accepts` is asked for */
    weft_status (*accepts)(const char *word, weft_image_info *nearest, weft_error *error);
    size_t writer_size;
    weft_status (*open_writer)(void *state, const weft_writing *writing, weft_error *error);
    weft_status (*write)(void *state, const void *row, weft_error *error);
    /* Instead of `write`: all rows, `stride` bytes apart. */
    weft_status (*encode)(void *state, const void *pixels, size_t stride, weft_error *error);
    weft_status (*finish_writer)(void *state, weft_error *error); /* may be NULL */
    void (*close_writer)(void *state);                            /* may be NULL */
} weft_codec;

enum { WEFT_PROBE_SIZE = 32 };
/* For a format's table of options. */
#define WEFT_FILE_OPTIONS(table) (table), (int32_t)(sizeof(table) / sizeof *(table))

/* The option of reading of formats with several pictures in a file, of which the first is taken otherwise. */
#define WEFT_PAGE_OPTION {"page", "which of several, counted from 1; 0 for the first", NULL, 0, 1 << 20, 0}

/* The option of reading of formats that can make a smaller image in less time. */
#define WEFT_REDUCE_OPTION                                                                                             \
    {"reduce",                                                                                                         \
     "decode no more than half, a quarter or an eighth of the pixels on a side, where the graph reduces them to "      \
     "less than half of that",                                                                                         \
     "auto off", 0, 0, 0}

/* The option of every format that carries EXIF. writer.c acts on it. */
#define WEFT_EXIF_OPTION                                                                                               \
    {"exif", "EXIF, XMP and IPTC; without thumbnails in any case", "keep off no-gps", 0, 0, 0}
enum weft_exif_choice { WEFT_EXIF_KEEP, WEFT_EXIF_OFF, WEFT_EXIF_NO_GPS };

/* Ended by NULL. */
extern const weft_codec *const weft_codecs[];
extern const weft_codec weft_codec_png, weft_codec_jpeg, weft_codec_tiff, weft_codec_webp, weft_codec_exr,
    weft_codec_avif, weft_codec_heif, weft_codec_jxl, weft_codec_pnm, weft_codec_pam, weft_codec_pfm, weft_codec_cube,
    weft_codec_acv, weft_codec_csv, weft_codec_text;

/* The format of that name or extension, lower case; NULL when there is none. */
const weft_codec *weft_codec_find(const char *word);
/* Lists the formats' names, or the extensions that can be written, separated by commas. */
void weft_codec_list(char *text, size_t size, bool writable_extensions);

/* What formats of 8 and 16 bit integers make of the other types. */
static inline weft_type weft_nearest_integer(weft_type type) { return type == WEFT_U8 ? WEFT_U8 : WEFT_U16; }
/* What formats of grey and RGB only make of other channel counts: alpha goes, a channel that is not alpha stays as long
 * as there is room. */
static inline int32_t weft_nearest_opaque(int32_t channels, weft_alpha alpha) {
    return channels == 1 || (channels == 2 && alpha != WEFT_ALPHA_NONE) ? 1 : 3;
}
/* For weft_codec.accepts. Of 1 to 4 channels and 8 or 16 bit, where a second or fourth channel is alpha: plain channels are stored
 * as they are, marked as straight alpha, rather than dropped. */
static inline weft_status weft_accept_integers(const char *word, weft_image_info *nearest, weft_error *error) {
    (void)word, (void)error;
    nearest->format.type = weft_nearest_integer(nearest->format.type);
    nearest->alpha = nearest->format.channels % 2 == 0 ? WEFT_ALPHA_STRAIGHT : WEFT_ALPHA_NONE;
    return WEFT_OK;
}
/* Of RGB with or without alpha and 8 or 16 bit: gray becomes RGB, and a fourth channel is alpha. */
static inline weft_status weft_accept_rgb(const char *word, weft_image_info *nearest, weft_error *error) {
    const bool alpha = nearest->alpha != WEFT_ALPHA_NONE || nearest->format.channels == 4;
    (void)word, (void)error;
    nearest->format = (weft_format){weft_nearest_integer(nearest->format.type), alpha ? 4 : 3};
    nearest->alpha = alpha ? WEFT_ALPHA_STRAIGHT : WEFT_ALPHA_NONE;
    return WEFT_OK;
}
static inline size_t weft_row_size(const weft_image_info *info) {
    return (size_t)info->width * weft_format_size(info->format);
}

#endif
