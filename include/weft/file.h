/* SPDX-License-Identifier: MIT
 * Image files, row by row. The format is known by the content when reading and by the extension when writing; "-" is
 * standard input or output. */
#ifndef WEFT_FILE_H
#define WEFT_FILE_H
#include "weft/image.h"
#include "weft/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weft_reader weft_reader;
typedef struct weft_writer weft_writer;

/* Something that can be chosen when a file of a format is written or read: one of some words, a whole number, or any
 * text but commas, of which the minimum is above the maximum. */
typedef struct weft_file_option {
    const char *name;         /* "quality" */
    const char *summary;      /* half a sentence */
    const char *choices;      /* words separated by spaces; "off on" for a switch; NULL for a number */
    int32_t minimum, maximum; /* of a number */
    int32_t preset;           /* unless it is given; the place of a word among the choices, from 0 */
} weft_file_option;

typedef struct weft_file_format {
    const char *name;       /* "png" */
    const char *extensions; /* "png apng", lower case, separated by spaces */
    const char *summary;    /* "Portable Network Graphics, 8 and 16 bit" */
    bool reads, writes;
    const weft_file_option *options;
    int32_t option_count;
    const weft_file_option *reader_options;
    int32_t reader_option_count;
    bool frames; /* keeps where a picture lies, weft_frame */
} weft_file_format;

/* Where a picture lies in a frame of another size: pixels are counted from anywhere, to the right and down. */
typedef struct weft_frame {
    int64_t x, y;                          /* of its first pixel */
    int64_t left, top, width, height;      /* of the frame; a width of 0 for none, which is as large as the picture */
    int64_t picture_width, picture_height; /* of the picture that this is said of */
} weft_frame;

/* What a file holds beside pixels. */
typedef struct weft_metadata {
    const void *profile; /* an ICC profile, NULL when there is none */
    size_t profile_size;
    const void *exif; /* as Exif 2.32 says, from the byte order on; NULL when there is none */
    size_t exif_size;
    double x_resolution, y_resolution; /* pixels per inch, 0 when they are unknown */
    const void *xmp;                   /* an XMP packet, NULL when there is none */
    size_t xmp_size;
    const void *iptc; /* IPTC-IIM, its data sets; NULL when there are none */
    size_t iptc_size;
    weft_frame frame; /* written where a format keeps it and the picture has the size that it is said of */
} weft_metadata;

/* The formats of this build; NULL past the end. */
WEFT_API const weft_file_format *weft_file_format_at(int32_t index);

/* The options of reading that every format has beside its own; NULL past the end. */
WEFT_API const weft_file_option *weft_input_option_at(int32_t index);

typedef struct weft_reader_options {
    int64_t pixel_limit; /* refuse images of more pixels than this; 0 for 2^30 */
    /* Refuse images that take more bytes to decode than this; 0 for 2^31. Most formats are read row by row and take
     * next to none; of those that are decoded as a whole, all pixels and what their library needs beside them count. */
    int64_t memory_limit;
    const char *settings; /* options of reading, the format's or every one's: "layer=diffuse,linear"; NULL for none */
    int32_t
        threads; /* that may decode it, where the format can be shared out; 0: one per core. The pixels are the same */
    const char *color_profile; /* that colors are brought to, "srgb" or a file of an ICC profile, as the setting of that name says,
                                  too; NULL for the setting's, or the file's own */
} weft_reader_options;

/* A path that begins so is no file: what follows is drawn as a picture of four channels, letters on nothing, in builds
 * with FreeType and HarfBuzz. Font, size and colors are settings. A file of such a name is read as "./text:...". */
#define WEFT_TEXT_PREFIX "text:"

/* Opens a file and reads its header. The image is upright: where the file says how the camera was held, its rows are
 * turned, for which all of them wait in memory. `path` "-" is standard input; `options` may be NULL. WEFT_ERROR_FILE
 * when the header claims more pixels, or pixels that take more memory, than the limits. */
WEFT_API weft_status weft_reader_open(const char *path, const weft_reader_options *options, weft_reader **reader,
                                      weft_error *error);
/* The size and format of what is read; valid while the reader is open. NULL for NULL. */
WEFT_API const weft_image_info *weft_reader_info(const weft_reader *reader);
/* How many pictures the file holds, pages or frames or parts, of which the reader gives one. Those that follow in PNM
 * and PAM are known when the reader is finished; of a pipe, no more than 1000 of them are counted. 0 for NULL. */
WEFT_API int64_t weft_reader_pictures(const weft_reader *reader);
/* Whether the settings say which of them that is. */
WEFT_API bool weft_reader_chosen(const weft_reader *reader);
/* How many seconds an animation shows the one that the settings chose; 0 where they chose none, or the file does not say, and for
 * NULL. */
WEFT_API double weft_reader_seconds(const weft_reader *reader);
/* Valid while the reader is open. The EXIF says that the image is upright, which it is. */
WEFT_API const weft_metadata *weft_reader_metadata(const weft_reader *reader);
/* Reads the next `count` rows, `stride` bytes apart. A truncated or corrupt file is an error at the first bad row,
 * WEFT_ERROR_FILE; asking for more rows than are left, or for rows that overlap, is WEFT_ERROR_ARGUMENT and reads none. */
WEFT_API weft_status weft_reader_read(weft_reader *reader, int64_t count, void *rows, ptrdiff_t stride,
                                      weft_error *error);
/* Checks what follows the last row (checksums, truncation). WEFT_ERROR_ARGUMENT before all rows are read. */
WEFT_API weft_status weft_reader_finish(weft_reader *reader, weft_error *error);
/* Closes a reader, wherever it is in the file, and sets *reader to NULL; NULL is allowed. */
WEFT_API void weft_reader_close(weft_reader **reader);
/* The reader as a source of a run; valid while the reader is open. */
WEFT_API weft_source weft_reader_source(weft_reader *reader);

typedef struct weft_writer_options {
    const char *format;            /* a format's name; NULL for the path's extension ("pam" for "-") */
    int32_t quality;               /* 1 to 100, of formats with an option of that name; 0 for the format's own */
    const char *settings;          /* the format's options, "quality=90,subsampling=444"; NULL for none */
    const weft_metadata *metadata; /* to be put into the file where its format has room; NULL for none */
    bool strip;      /* EXIF, XMP and IPTC stay out, unless the settings say exif=keep; profile and resolution do not */
    int32_t threads; /* that may encode it, where the format can be shared out; 0: one per core. The file is the same,
                        but of AVIF, whose encoder makes other bytes with several */
    const char *color_profile; /* that colors are brought to from the metadata's, "srgb" or a file of an ICC profile, as the setting
                                  of that name says, too; NULL for the setting's, or the metadata's own */
} weft_writer_options;

/* What the file at `path` would hold of an image like `wanted`: the nearest component type, channel count and alpha
 * that the format can store. WEFT_ERROR_FILE when no format has that extension, WEFT_ERROR_PARAMETER when the format
 * has no such option or value; the message lists those that there are. WEFT_ERROR_FORMAT when `wanted` is larger than
 * pictures of the format can be. */
WEFT_API weft_status weft_writer_accepts(const char *path, const weft_writer_options *options,
                                         const weft_image_info *wanted, weft_image_info *nearest, weft_error *error);
/* Starts a file beside `path` under a temporary name; `info` must be one that weft_writer_accepts gave. What EXIF and
 * XMP say of the picture's size becomes that of `info`, and thumbnails in EXIF, XMP and IPTC are left out: they would
 * show what the picture was before. */
WEFT_API weft_status weft_writer_open(const char *path, const weft_writer_options *options, const weft_image_info *info,
                                      weft_writer **writer, weft_error *error);
/* The format that was chosen; NULL for NULL. */
WEFT_API const weft_file_format *weft_writer_format(const weft_writer *writer);
/* Writes the next `count` rows, `stride` bytes apart. WEFT_ERROR_ARGUMENT when fewer are missing. */
WEFT_API weft_status weft_writer_write(weft_writer *writer, int64_t count, const void *rows, ptrdiff_t stride,
                                       weft_error *error);
/* Completes the file, gives it its name and sets *writer to NULL, whatever comes of it; on failure, as when rows are missing
 * (WEFT_ERROR_ARGUMENT), nothing is left and a file of that name is untouched. */
WEFT_API weft_status weft_writer_finish(weft_writer **writer, weft_error *error);
/* Gives up: removes the temporary file and sets *writer to NULL. NULL is allowed. */
WEFT_API void weft_writer_abandon(weft_writer **writer);
/* The writer as a sink of a run; valid until it is finished or abandoned. */
WEFT_API weft_sink weft_writer_sink(weft_writer *writer);

#ifdef __cplusplus
}
#endif
#endif
