/* SPDX-License-Identifier: MIT
 * Opening a file to read: finds the format by its first bytes, reads the header and checks it against the limits. */
#include "io/read/reader.h"
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "base/threads.h"
#include "io/limits.h"
#include "io/metadata/resolution.h"

/* Formats that people have and weft does not read, or not in every build: naming one saves a search. */
static const struct {
    const char *name;
    size_t offset, length;
    const char *bytes;
} others[] = {{"a PNG", 0, 8, "\x89PNG\r\n\x1a\n"},
              {"a JPEG", 0, 3, "\xff\xd8\xff"},
              {"a GIF", 0, 4, "GIF8"},
              {"a BMP", 0, 2, "BM"},
              {"a TIFF", 0, 4, "II*\0"},
              {"a TIFF", 0, 4, "MM\0*"},
              {"a WebP", 8, 4, "WEBP"},
              {"an OpenEXR", 0, 4, "\x76\x2f\x31\x01"},
              {"an AVIF or HEIF", 4, 4, "ftyp"},
              {"a JPEG XL", 0, 2, "\xff\x0a"},
              {"a JPEG XL", 4, 4, "JXL "},
              {"a JPEG 2000", 4, 4, "jP  "},
              {"a Radiance HDR", 0, 2, "#?"},
              {"a QOI", 0, 4, "qoif"},
              {"a PDF", 0, 5, "%PDF-"},
              {"a gzip", 0, 2, "\x1f\x8b"}};

static weft_status fail_unknown(weft_input *input, const unsigned char *bytes, size_t count, weft_error *error) {
    char hex[3 * 8 + 1] = "", text[8 + 1] = "", formats[128];
    const char *name = NULL;
    if (input->failure)
        return weft_input_fail(input, error, "unreadable");
    if (count == 0)
        return weft_fail(error, WEFT_ERROR_FILE, "%s: empty, so not an image", input->name);
    for (size_t i = 0; i < count && i < 8; i++) {
        snprintf(hex + 3 * i, 4, "%02x ", bytes[i]);
        text[i] = bytes[i] >= ' ' && bytes[i] < 127 ? (char)bytes[i] : '.';
    }
    for (size_t i = 0; i < sizeof others / sizeof *others && !name; i++)
        if (count >= others[i].offset + others[i].length &&
            memcmp(bytes + others[i].offset, others[i].bytes, others[i].length) == 0)
            name = others[i].name;
    weft_codec_list(formats, sizeof formats, false);
    return weft_fail(error, WEFT_ERROR_FILE,
                     "%s: not an image of a known format, it begins with %s\"%s\"%s%s%s; it could be %s", input->name,
                     hex, text, name ? " like " : "", name ? name : "", name ? " file" : "", formats);
}

/* Some libraries report an error by a jump, which ends here. */
static weft_status open_header(weft_reader *reader, weft_error *error) {
    weft_coding *coding = reader->state;
    if (setjmp(coding->jump))
        return weft_coding_failed(coding, error);
    return reader->codec->open_reader(reader->state, &reader->header, error);
}

static weft_status check_size(weft_reader *reader, weft_error *error) {
    const int64_t limit = reader->limits.pixels;
    const weft_image_info *info = &reader->header.info;
    size_t size;
    if (info->width < 1 || info->height < 1 || info->width > WEFT_LARGEST_SIDE || info->height > WEFT_LARGEST_SIDE ||
        weft_image_size(info, &size, NULL) != WEFT_OK)
        return weft_input_fail(&reader->input, error, "%lldx%lld is no possible image size", (long long)info->width,
                               (long long)info->height);
    if (info->width > limit / info->height)
        return weft_fail(error, WEFT_ERROR_FILE, "%s: %lldx%lld pixels are more than the pixel limit of %lld",
                         reader->input.name, (long long)info->width, (long long)info->height, (long long)limit);
    return WEFT_OK;
}

/* Turns what the header says, and so makes the EXIF wrong unless that is turned, too. */
static void set_upright(weft_reader *reader) {
    weft_header *header = &reader->header;
    weft_metadata *metadata = &header->metadata;
    if (!header->orientation)
        header->orientation = weft_exif_orientation(metadata->exif, metadata->exif_size);
    weft_exif_set_upright((void *)metadata->exif, metadata->exif_size);
    reader->info = header->info;
    weft_reader_set_size(reader);
    if (header->orientation >= 5) {
        const double x_resolution = metadata->x_resolution;
        metadata->x_resolution = metadata->y_resolution;
        metadata->y_resolution = x_resolution;
    }
}

/* Before anything is decoded: what waits in memory, and what the codec says of its library. */
static weft_status check_memory(const weft_reader *reader, weft_error *error) {
    const int64_t limit = reader->limits.memory;
    const weft_header *header = &reader->header;
    const bool waits = header->whole || header->orientation != 1;
    const uint64_t pixels = waits ? weft_row_size(&header->info) * (uint64_t)header->info.height : 0;
    uint64_t needed;
    if (!__builtin_add_overflow(pixels, header->working, &needed) && needed <= (uint64_t)limit)
        return WEFT_OK;
    return weft_fail(error, WEFT_ERROR_FILE,
                     "%s: decoding %lldx%lld pixels takes %.0f MB of memory, more than the limit of %.0f MB",
                     reader->input.name, (long long)header->info.width, (long long)header->info.height,
                     ((double)pixels + (double)header->working) / 1e6, (double)limit / 1e6);
}

/* Brings colors to a profile from here on. One that is not of the picture's channels, as of one in CMYK that comes as RGB, says
 * nothing of them. */
static weft_status change_profile(weft_reader *reader, const char *wanted, weft_error *error) {
    weft_metadata *metadata = &reader->header.metadata;
    weft_status status;
    reader->stored = *metadata;
    if (!weft_profile_fits(metadata->profile, metadata->profile_size, reader->info.format.channels))
        metadata->profile = NULL, metadata->profile_size = 0;
    status = weft_profile_open(wanted, reader->input.name, &reader->info, metadata, &reader->change, error);
    reader->changed = true;
    return status;
}

/* With the settings of the format alone. */
static weft_status open_codec(weft_reader *reader, const char *settings, weft_error *error) {
    const unsigned char *bytes;
    weft_coding *coding;
    weft_status status;
    size_t count = weft_input_peek(&reader->input, &bytes, WEFT_PROBE_SIZE);
    if (reader->text)
        reader->codec = weft_codec_find("text");
    if (reader->text && !reader->codec)
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED, "%s: this build of weft draws no text", reader->input.name);
    for (const weft_codec *const *codec = weft_codecs; *codec && !reader->codec; codec++)
        if ((*codec)->probe && (*codec)->probe(bytes, count))
            reader->codec = *codec;
    if (!reader->codec)
        return fail_unknown(&reader->input, bytes, count, error);
    reader->state = weft_allocate(1, reader->codec->reader_size);
    if (!reader->state)
        return weft_fail_memory(error, reader->codec->reader_size, "a reader");
    coding = reader->state;
    *coding = (weft_coding){.input = &reader->input, .settings = settings, .threads = reader->threads};
    status =
        weft_settings_read(&reader->codec->format, true, settings, 0, false, reader->input.name, coding->values, error);
    if (status == WEFT_OK)
        status = open_header(reader, error);
    coding->settings = NULL;
    if (status == WEFT_OK)
        status = check_size(reader, error);
    if (status == WEFT_OK && !(reader->header.metadata.x_resolution > 0))
        status = weft_resolution_find(&reader->header.metadata, error);
    reader->input.rows = reader->header.info.height;
    set_upright(reader);
    if (status == WEFT_OK)
        status = weft_input_options_apply(&reader->options, reader->input.name, &reader->info, error);
    return status == WEFT_OK ? check_memory(reader, error) : status;
}

weft_status weft_reader_open(const char *path, const weft_reader_options *options, weft_reader **reader,
                             weft_error *error) {
    weft_status status;
    char *settings = NULL, *wanted = NULL, *rest = NULL;
    const weft_read_limits limits = {
        .pixels = options && options->pixel_limit ? options->pixel_limit : WEFT_PIXEL_LIMIT,
        .memory = options && options->memory_limit ? options->memory_limit : WEFT_MEMORY_LIMIT,
    };
    if (!reader)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "the place for the reader must not be null");
    *reader = NULL;
    if (!path || !*path)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "a file to read needs a name");
    if (limits.pixels < 0 || limits.memory < 0)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "a limit of %lld pixels and %lld bytes", (long long)limits.pixels,
                         (long long)limits.memory);
    *reader = weft_allocate(1, sizeof **reader);
    if (!*reader)
        return weft_fail_memory(error, sizeof **reader, "a reader");
    (*reader)->limits = limits;
    (*reader)->threads = options && options->threads > 0 ? options->threads : weft_thread_count();
    const size_t prefix = sizeof WEFT_TEXT_PREFIX - 1;
    (*reader)->text = strncmp(path, WEFT_TEXT_PREFIX, prefix) == 0;
    status = (*reader)->text
                 ? weft_input_open_text(&(*reader)->input, path, path + prefix, strlen(path + prefix), error)
                 : weft_input_open(&(*reader)->input, path, error);
    if (status == WEFT_OK)
        status = weft_profile_split(options ? options->settings : NULL, options ? options->color_profile : NULL,
                                    (*reader)->input.name, &wanted, &rest, error);
    if (status == WEFT_OK)
        status = weft_input_options_read(&(*reader)->options, rest, (*reader)->input.name, &settings, error);
    if (status == WEFT_OK)
        status = open_codec(*reader, settings, error);
    if (status == WEFT_OK && wanted)
        status = change_profile(*reader, wanted, error);
    weft_free(settings);
    weft_free(wanted);
    weft_free(rest);
    if (status != WEFT_OK)
        weft_reader_close(reader);
    return status;
}
