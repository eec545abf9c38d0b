/* SPDX-License-Identifier: MIT
 * The reading front: finds the format by a file's first bytes, checks what callers ask for, and keeps the first error,
 * since a decoder that has failed once cannot go on. */
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "io/format.h"

struct weft_reader {
    weft_input input;
    const weft_codec *codec;
    void *state;
    weft_image_info info;
    int64_t next; /* the row to be read next */
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

static weft_status open_codec(weft_reader *reader, weft_error *error) {
    const unsigned char *bytes;
    weft_status status;
    size_t count = weft_input_peek(&reader->input, &bytes, WEFT_PROBE_SIZE), size;
    for (const weft_codec *const *codec = weft_codecs; *codec && !reader->codec; codec++)
        if ((*codec)->probe && (*codec)->probe(bytes, count))
            reader->codec = *codec;
    if (!reader->codec)
        return fail_unknown(&reader->input, bytes, count, error);
    status = reader->codec->open_reader(&reader->input, &reader->info, &reader->state, error);
    if (status != WEFT_OK)
        return status;
    reader->input.rows = reader->info.height;
    if (reader->info.width > WEFT_LARGEST_SIDE || reader->info.height > WEFT_LARGEST_SIDE ||
        weft_image_size(&reader->info, &size, NULL) != WEFT_OK)
        return weft_input_fail(&reader->input, error, "%lldx%lld is no possible image size",
                               (long long)reader->info.width, (long long)reader->info.height);
    return WEFT_OK;
}

weft_status weft_reader_open(const char *path, weft_reader **reader, weft_error *error) {
    weft_status status;
    if (!reader)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "the place for the reader must not be null");
    *reader = NULL;
    if (!path || !*path)
        return weft_fail(error, WEFT_ERROR_ARGUMENT, "a file to read needs a name");
    *reader = weft_allocate(1, sizeof **reader);
    if (!*reader)
        return weft_fail_memory(error, sizeof **reader, "a reader");
    status = weft_input_open(&(*reader)->input, path, error);
    if (status == WEFT_OK)
        status = open_codec(*reader, error);
    if (status != WEFT_OK)
        weft_reader_close(reader);
    return status;
}

const weft_image_info *weft_reader_info(const weft_reader *reader) { return reader ? &reader->info : NULL; }

/* Keeps a failure of the codec for later calls. */
static weft_status keep(weft_reader *reader, weft_status status, weft_error *error) {
    reader->failed = true;
    reader->failure.status = status;
    if (error)
        *error = reader->failure;
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
        status = reader->codec->read(reader->state, (unsigned char *)rows + (ptrdiff_t)i * stride, &reader->failure);
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
    if (reader->codec->finish_reader && reader->next == reader->info.height) {
        reader->input.row = reader->next++; /* the codec finishes once, however often it is asked */
        status = reader->codec->finish_reader(reader->state, &reader->failure);
    }
    return status == WEFT_OK ? status : keep(reader, status, error);
}

void weft_reader_close(weft_reader **reader) {
    if (!reader || !*reader)
        return;
    if ((*reader)->state)
        (*reader)->codec->close_reader((*reader)->state);
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

weft_source weft_reader_source(weft_reader *reader) { return (weft_source){read_source, reader}; }
