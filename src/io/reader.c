/* SPDX-License-Identifier: MIT
 * The reading front: finds the format by a file's first bytes, checks what callers ask for, and keeps the first error,
 * since a decoder that has failed once cannot go on. */
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "base/threads.h"
#include "io/picture_count.h"
#include "io/format.h"
#include "io/limits.h"
#include "io/reduced_decoding.h"
#include "io/metadata/resolution.h"
#include "io/input_options.h"

struct weft_reader {
    weft_input input;
    bool text; /* in the name */
    const weft_codec *codec;
    void *state;
    weft_header header; /* of the image as it is stored; and of the upright one, of the channels that are taken: */
    weft_image_info info;
    weft_input_options options;
    int32_t threads; /* that may work at it */
    void *row;             /* with the channel that is dropped */
    unsigned char *pixels; /* of an image that is decoded or turned as a whole */
    int64_t next;          /* the row to be read next, of the upright image */
    bool failed;
    weft_error failure;
};

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

/* The steps of a codec, each with the way out for libraries that leave by a jump. */
static weft_status open_header(weft_reader *reader, weft_error *error) {
    weft_coding *coding = reader->state;
    if (setjmp(coding->jump))
        return weft_coding_failed(coding, error);
    return reader->codec->open_reader(reader->state, &reader->header, error);
}

static weft_status decode(weft_reader *reader, size_t stride, weft_error *error) {
    weft_coding *coding = reader->state;
    if (setjmp(coding->jump))
        return weft_coding_failed(coding, error);
    return reader->codec->decode(reader->state, reader->pixels, stride, error);
}

static weft_status read_row(weft_reader *reader, void *row, weft_error *error) {
    weft_coding *coding = reader->state;
    if (setjmp(coding->jump))
        return weft_coding_failed(coding, error);
    return reader->codec->read(reader->state, row, error);
}

static weft_status finish(weft_reader *reader, weft_error *error) {
    weft_coding *coding = reader->state;
    if (setjmp(coding->jump))
        return weft_coding_failed(coding, error);
    return reader->codec->finish_reader(reader->state, error);
}

static weft_status check_size(weft_reader *reader, int64_t limit, weft_error *error) {
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

/* The upright image's size. */
static void set_size(weft_reader *reader) {
    const weft_header *header = &reader->header;
    reader->info.width = header->orientation >= 5 ? header->info.height : header->info.width;
    reader->info.height = header->orientation >= 5 ? header->info.width : header->info.height;
}

bool weft_reader_can_reduce(const weft_reader *reader) { return reader->codec->reduce != NULL; }

bool weft_reader_reduce(weft_reader *reader, int32_t times) {
    if (reader->next > 0 || reader->failed || !reader->codec->reduce ||
        !reader->codec->reduce(reader->state, times, &reader->header))
        return false;
    reader->input.rows = reader->header.info.height;
    set_size(reader);
    return true;
}

/* Turns what the header says, and so makes the EXIF wrong unless that is turned, too. */
static void set_upright(weft_reader *reader) {
    weft_header *header = &reader->header;
    weft_metadata *metadata = &header->metadata;
    if (!header->orientation)
        header->orientation = weft_exif_orientation(metadata->exif, metadata->exif_size);
    weft_exif_set_upright((void *)metadata->exif, metadata->exif_size);
    reader->info = header->info;
    set_size(reader);
    if (header->orientation >= 5) {
        const double x_resolution = metadata->x_resolution;
        metadata->x_resolution = metadata->y_resolution;
        metadata->y_resolution = x_resolution;
    }
}

/* Before anything is decoded: what waits in memory, and what the codec says of its library. */
static weft_status check_memory(const weft_reader *reader, int64_t limit, weft_error *error) {
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

/* With the settings of the format alone. */
static weft_status open_codec(weft_reader *reader, int64_t limit, int64_t memory, const char *settings,
                              weft_error *error) {
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
        status = check_size(reader, limit, error);
    if (status == WEFT_OK && !(reader->header.metadata.x_resolution > 0))
        status = weft_resolution_find(&reader->header.metadata, error);
    reader->input.rows = reader->header.info.height;
    set_upright(reader);
    if (status == WEFT_OK)
        status = weft_input_options_apply(&reader->options, reader->input.name, &reader->info, error);
    return status == WEFT_OK ? check_memory(reader, memory, error) : status;
}

weft_status weft_reader_open(const char *path, const weft_reader_options *options, weft_reader **reader,
                             weft_error *error) {
    weft_status status;
    char *settings = NULL;
    int64_t limit = options && options->pixel_limit ? options->pixel_limit : WEFT_PIXEL_LIMIT;
    int64_t memory = options && options->memory_limit ? options->memory_limit : WEFT_MEMORY_LIMIT;
    if (!reader)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "the place for the reader must not be null");
    *reader = NULL;
    if (!path || !*path)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "a file to read needs a name");
    if (limit < 0 || memory < 0)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "a limit of %lld pixels and %lld bytes", (long long)limit,
                         (long long)memory);
    *reader = weft_allocate(1, sizeof **reader);
    if (!*reader)
        return weft_fail_memory(error, sizeof **reader, "a reader");
    (*reader)->threads = options && options->threads > 0 ? options->threads : weft_thread_count();
    const size_t prefix = sizeof WEFT_TEXT_PREFIX - 1;
    (*reader)->text = strncmp(path, WEFT_TEXT_PREFIX, prefix) == 0;
    status = (*reader)->text
                 ? weft_input_open_text(&(*reader)->input, path, path + prefix, strlen(path + prefix), error)
                 : weft_input_open(&(*reader)->input, path, error);
    if (status == WEFT_OK)
        status = weft_input_options_read(&(*reader)->options, options ? options->settings : NULL, (*reader)->input.name,
                                 &settings, error);
    if (status == WEFT_OK)
        status = open_codec(*reader, limit, memory, settings, error);
    weft_free(settings);
    if (status != WEFT_OK)
        weft_reader_close(reader);
    return status;
}

const weft_image_info *weft_reader_info(const weft_reader *reader) { return reader ? &reader->info : NULL; }

const weft_metadata *weft_reader_metadata(const weft_reader *reader) {
    return reader ? &reader->header.metadata : NULL;
}

int64_t weft_reader_pictures(const weft_reader *reader) {
    return !reader ? 0 : reader->header.pictures > 1 ? reader->header.pictures : 1;
}

bool weft_reader_chosen(const weft_reader *reader) { return reader && reader->header.chosen; }

/* Keeps a failure of the codec for later calls. */
static weft_status keep(weft_reader *reader, weft_status status, weft_error *error) {
    reader->failed = true;
    reader->failure.status = status;
    if (error)
        *error = reader->failure;
    return status;
}

/* Not zeroed: memory becomes real as pixels arrive, and no row is given before all have. */
static weft_status get_pixels(weft_reader *reader, size_t stride, weft_error *error) {
    const int64_t height = reader->header.info.height;
    weft_status status = WEFT_OK;
    reader->pixels = weft_reallocate(NULL, stride, (size_t)height);
    if (!reader->pixels)
        return weft_fail_memory(error, stride * (size_t)height, reader->input.name);
    if (reader->header.whole)
        return decode(reader, stride, error);
    for (int64_t y = 0; status == WEFT_OK && y < height; y++) {
        reader->input.row = y;
        status = read_row(reader, reader->pixels + (size_t)y * stride, error);
    }
    return status;
}

static weft_status next_row(weft_reader *reader, void *row, weft_error *error) {
    const size_t stride = weft_row_size(&reader->header.info);
    weft_status status = WEFT_OK;
    if (!reader->header.whole && reader->header.orientation == 1)
        return read_row(reader, row, error);
    if (!reader->pixels)
        status = get_pixels(reader, stride, error);
    if (status == WEFT_OK)
        weft_upright_row(reader->pixels, stride, &reader->header.info, reader->header.orientation, reader->next, row);
    return status;
}

static weft_status next_chosen_row(weft_reader *reader, void *row, weft_error *error) {
    const weft_format stored = reader->header.info.format;
    if (reader->options.dropped < 0)
        return next_row(reader, row, error);
    if (!reader->row)
        reader->row = weft_allocate((size_t)reader->info.width, weft_format_size(stored));
    if (!reader->row)
        return weft_fail_memory(error, (size_t)reader->info.width * weft_format_size(stored), "a row");
    weft_status status = next_row(reader, reader->row, error);
    if (status == WEFT_OK)
        weft_input_options_row(&reader->options, reader->row, reader->info.width, stored.channels, weft_type_size(stored.type),
                       row);
    return status;
}

weft_status weft_reader_read(weft_reader *reader, int64_t count, void *rows, ptrdiff_t stride, weft_error *error) {
    size_t size;
    if (!reader || count < 0 || (count > 0 && !rows))
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "reading rows needs a reader, a count and a place for them");
    if (reader->failed)
        return keep(reader, reader->failure.status, error);
    size = weft_row_size(&reader->info);
    if (count > 1 && (size_t)(stride < 0 ? -stride : stride) < size)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "rows of %zu bytes overlap with a stride of %td", size, stride);
    if (count > reader->info.height - reader->next)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "%s: %lld rows asked for, %lld are left", reader->input.name,
                         (long long)count, (long long)(reader->info.height - reader->next));
    for (int64_t i = 0; i < count; i++) {
        weft_status status;
        reader->input.row = reader->next;
        status = next_chosen_row(reader, (unsigned char *)rows + (ptrdiff_t)i * stride, &reader->failure);
        if (status != WEFT_OK)
            return keep(reader, status, error);
        reader->next++;
    }
    return WEFT_OK;
}

weft_status weft_reader_finish(weft_reader *reader, weft_error *error) {
    weft_status status = WEFT_OK;
    if (!reader)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "no reader to finish");
    if (reader->failed)
        return keep(reader, reader->failure.status, error);
    if (reader->next < reader->info.height)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "%s: %lld rows have not been read", reader->input.name,
                         (long long)(reader->info.height - reader->next));
    if (reader->next == reader->info.height) {
        reader->input.row = reader->next++; /* the codec finishes once, however often it is asked */
        status = reader->codec->finish_reader ? finish(reader, &reader->failure) : WEFT_OK;
        if (status == WEFT_OK && reader->codec->followed)
            reader->header.pictures = 1 + weft_count_followers(&reader->input);
    }
    return status == WEFT_OK ? status : keep(reader, status, error);
}

void weft_reader_close(weft_reader **reader) {
    if (!reader || !*reader)
        return;
    if ((*reader)->state && (*reader)->codec->close_reader)
        (*reader)->codec->close_reader((*reader)->state);
    weft_free((*reader)->state);
    weft_free((*reader)->pixels);
    weft_free((*reader)->row);
    weft_metadata_free(&(*reader)->header.metadata);
    weft_input_close(&(*reader)->input);
    weft_free(*reader);
    *reader = NULL;
}

static weft_status read_source(void *user, int64_t y, int64_t count, void *rows, ptrdiff_t stride, weft_error *error) {
    weft_reader *reader = user;
    if (!reader->failed && y != reader->next)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "%s: row %lld asked for, row %lld is next", reader->input.name,
                         (long long)y, (long long)reader->next);
    return weft_reader_read(reader, count, rows, stride, error);
}

weft_source weft_reader_source(weft_reader *reader) { return (weft_source){reader ? read_source : NULL, reader}; }
