/* SPDX-License-Identifier: MIT
 * PFM: f32 pixels, Pf for one channel, PF for three, PF4 for four. Rows are stored from the bottom up, so a file is
 * read and written from its end; where that cannot be done, on pipes, the image waits in memory. */
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "io/netpbm.h"

typedef struct pfm_reader {
    weft_input *input;
    size_t row_size;
    int64_t first; /* offset of the pixels */
    int64_t next, height;
    bool swap;
    unsigned char *pixels; /* in the order of the file; NULL for a file that can be read from its end */
} pfm_reader;

typedef struct pfm_writer {
    weft_output *output;
    size_t row_size;
    int64_t first, next, height;
    unsigned char *pixels; /* in the order of the file; NULL for a file that can be written from its end */
} pfm_writer;

static bool host_is_big(void) {
    const uint16_t one = 1;
    unsigned char bytes[2];
    memcpy(bytes, &one, 2);
    return bytes[1] == 1;
}

static bool probe(const unsigned char *bytes, size_t count) {
    if (count < 4 || bytes[0] != 'P' || (bytes[1] != 'F' && bytes[1] != 'f'))
        return false;
    return weft_is_blank(bytes[2]) || (bytes[1] == 'F' && bytes[2] == '4' && weft_is_blank(bytes[3]));
}

/* The scale's sign is the byte order; its size has never meant the same to two programs, and is checked but not used.
 * Parsed by hand because strtod obeys the locale. */
static weft_status read_scale(weft_input *input, bool *little, weft_error *error) {
    char text[64];
    size_t length = 0;
    bool digits = false;
    int byte = weft_netpbm_token(input);
    for (; byte >= 0 && !weft_is_blank(byte) && length < sizeof text - 1; byte = weft_input_get(input)) {
        text[length++] = byte >= ' ' && byte < 127 ? (char)byte : '?';
        digits = digits || (byte >= '1' && byte <= '9');
    }
    text[length] = 0;
    if (byte < 0)
        return weft_input_fail(input, error, "truncated in the scale");
    if (!digits || !weft_is_blank(byte) || strspn(text, "+-.0123456789eE") != length)
        return weft_input_fail(input, error, "the scale is '%s', not a number other than 0", text);
    *little = text[0] == '-';
    return WEFT_OK;
}

static weft_status open_reader(weft_input *input, weft_image_info *info, void **state, weft_error *error) {
    pfm_reader *reader;
    bool little = false;
    int32_t channels;
    const unsigned char *bytes;
    weft_status status;
    weft_input_get(input);
    channels = weft_input_get(input) == 'F' ? 3 : 1;
    if (weft_input_peek(input, &bytes, 1) > 0 && *bytes == '4') {
        weft_input_get(input);
        channels = 4;
    }
    status = weft_netpbm_positive(input, "width", WEFT_LARGEST_SIDE, &info->width, error);
    if (status == WEFT_OK)
        status = weft_netpbm_positive(input, "height", WEFT_LARGEST_SIDE, &info->height, error);
    if (status == WEFT_OK)
        status = read_scale(input, &little, error);
    if (status != WEFT_OK)
        return status;
    info->format = (weft_format){WEFT_F32, channels};
    reader = weft_allocate(1, sizeof *reader);
    if (!reader)
        return weft_fail_memory(error, sizeof *reader, "a PFM reader");
    *reader = (pfm_reader){.input = input,
                           .row_size = weft_row_size(info),
                           .first = weft_input_offset(input),
                           .height = info->height,
                           .swap = little == host_is_big()};
    *state = reader;
    return WEFT_OK;
}

/* Reads all pixels of a pipe. Memory grows with the bytes that come, not with what the header claims. */
static weft_status read_pixels(pfm_reader *reader, weft_error *error) {
    const size_t total = reader->row_size * (size_t)reader->height; /* reader.c has seen that it fits */
    size_t capacity = 0, done = 0;
    while (done < total) {
        unsigned char *larger;
        capacity = capacity == 0 ? 1 << 20 : 2 * capacity;
        capacity = capacity < total ? capacity : total;
        larger = weft_reallocate(reader->pixels, capacity, 1);
        if (!larger)
            return weft_fail_memory(error, capacity, reader->input->name);
        reader->pixels = larger;
        done += weft_input_read(reader->input, reader->pixels + done, capacity - done);
        if (done < capacity)
            return weft_input_fail(reader->input, error, "truncated, %zu of %zu bytes of pixels are there", done,
                                   total);
    }
    return WEFT_OK;
}

static weft_status read_row(void *state, void *row, weft_error *error) {
    pfm_reader *reader = state;
    const int64_t place = (reader->height - 1 - reader->next) * (int64_t)reader->row_size;
    if (reader->input->size >= 0) {
        if (!weft_input_read_at(reader->input, reader->first + place, row, reader->row_size))
            return weft_input_fail(reader->input, error, "truncated, %lld bytes of %lld are there",
                                   (long long)reader->input->size,
                                   (long long)(reader->first + reader->height * (int64_t)reader->row_size));
    } else {
        weft_status status = reader->pixels ? WEFT_OK : read_pixels(reader, error);
        if (status != WEFT_OK)
            return status;
        memcpy(row, reader->pixels + place, reader->row_size);
    }
    if (reader->swap)
        for (unsigned char *sample = row, *end = sample + reader->row_size; sample < end; sample += 4) {
            unsigned char bytes[4] = {sample[3], sample[2], sample[1], sample[0]};
            memcpy(sample, bytes, 4);
        }
    reader->next++;
    return WEFT_OK;
}

static void close_reader(void *state) {
    pfm_reader *reader = state;
    weft_free(reader->pixels);
    weft_free(reader);
}

/* Two channels have no PFM of their own: grey with alpha becomes RGBA, two plain channels RGB. Whether the fourth
 * channel is alpha is not in the file: as in all such files it is read as a channel. */
static weft_status accepts(const char *word, weft_image_info *nearest, weft_error *error) {
    (void)word;
    (void)error;
    nearest->format.type = WEFT_F32;
    if (nearest->format.channels == 2)
        nearest->format.channels = nearest->alpha == WEFT_ALPHA_NONE ? 3 : 4;
    return WEFT_OK;
}

static void close_writer(void *state) {
    pfm_writer *writer = state;
    weft_free(writer->pixels);
    weft_free(writer);
}

static weft_status open_writer(weft_output *output, const weft_image_info *info, int32_t quality, void **state,
                               weft_error *error) {
    static const char *const magic[] = {"", "Pf", "", "PF", "PF4"};
    char header[64];
    int length = snprintf(header, sizeof header, "%s\n%lld %lld\n%s\n", magic[info->format.channels],
                          (long long)info->width, (long long)info->height, host_is_big() ? "1.0" : "-1.0");
    pfm_writer *writer = weft_allocate(1, sizeof *writer);
    (void)quality;
    if (!writer)
        return weft_fail_memory(error, sizeof *writer, "a PFM writer");
    *writer = (pfm_writer){.output = output, .row_size = weft_row_size(info), .first = length, .height = info->height};
    if (!output->seekable) {
        writer->pixels = weft_reallocate(NULL, writer->row_size, (size_t)info->height);
        if (!writer->pixels) {
            close_writer(writer);
            return weft_fail_memory(error, weft_row_size(info) * (size_t)info->height, "a PFM image");
        }
    }
    if (!weft_output_write(output, header, (size_t)length)) {
        close_writer(writer);
        return weft_output_fail(output, error);
    }
    *state = writer;
    return WEFT_OK;
}

static weft_status write_row(void *state, const void *row, weft_error *error) {
    pfm_writer *writer = state;
    const int64_t place = (writer->height - 1 - writer->next++) * (int64_t)writer->row_size;
    if (writer->pixels)
        memcpy(writer->pixels + place, row, writer->row_size);
    else if (!weft_output_write_at(writer->output, writer->first + place, row, writer->row_size))
        return weft_output_fail(writer->output, error);
    return WEFT_OK;
}

static weft_status finish_writer(void *state, weft_error *error) {
    pfm_writer *writer = state;
    if (writer->pixels && !weft_output_write(writer->output, writer->pixels, writer->row_size * (size_t)writer->height))
        return weft_output_fail(writer->output, error);
    return WEFT_OK;
}

const weft_codec weft_codec_pfm = {
    .format = {"pfm", "pfm", "Portable Float Map: 1, 3 or 4 channels of f32", true, true},
    .probe = probe,
    .open_reader = open_reader,
    .read = read_row,
    .close_reader = close_reader,
    .largest_side = WEFT_LARGEST_SIDE,
    .accepts = accepts,
    .open_writer = open_writer,
    .write = write_row,
    .finish_writer = finish_writer,
    .close_writer = close_writer,
};
