/* SPDX-License-Identifier: MIT
 * Reading rows, whatever the format: checks what callers ask for, and keeps the first error, since a decoder that has
 * failed once cannot go on. */
#include "io/read/reader.h"
#include <string.h>
#include "base/memory.h"
#include "io/read/picture_count.h"
#include "io/read/reduced_decoding.h"

/* The upright image's size. */
void weft_reader_set_size(weft_reader *reader) {
    const weft_header *header = &reader->header;
    reader->info.width = header->orientation >= 5 ? header->info.height : header->info.width;
    reader->info.height = header->orientation >= 5 ? header->info.width : header->info.height;
}

/* The steps of a codec. Some libraries report an error by a jump, which ends here. */
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

bool weft_reader_can_reduce(const weft_reader *reader) { return reader->codec->reduce != NULL; }

bool weft_reader_reduce(weft_reader *reader, int32_t times) {
    if (reader->next > 0 || reader->failed || !reader->codec->reduce ||
        !reader->codec->reduce(reader->state, times, &reader->header))
        return false;
    reader->input.rows = reader->header.info.height;
    weft_reader_set_size(reader);
    return true;
}

const weft_image_info *weft_reader_info(const weft_reader *reader) { return reader ? &reader->info : NULL; }

const weft_metadata *weft_reader_metadata(const weft_reader *reader) {
    return reader ? &reader->header.metadata : NULL;
}

int64_t weft_reader_pictures(const weft_reader *reader) {
    return !reader ? 0 : reader->header.pictures > 1 ? reader->header.pictures : 1;
}

bool weft_reader_chosen(const weft_reader *reader) { return reader && reader->header.chosen; }

double weft_reader_seconds(const weft_reader *reader) { return reader ? reader->header.seconds : 0; }

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
        void *row = (unsigned char *)rows + (ptrdiff_t)i * stride;
        status = next_chosen_row(reader, row, &reader->failure);
        if (status != WEFT_OK)
            return keep(reader, status, error);
        if (reader->change)
            memcpy(row, weft_profile_row(reader->change, row, reader->info.width), size);
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
            reader->header.pictures = 1 + weft_count_followers(&reader->input, &reader->limits);
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
    weft_profile_close(&(*reader)->change);
    weft_metadata_free((*reader)->changed ? &(*reader)->stored : &(*reader)->header.metadata);
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
