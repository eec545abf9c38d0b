/* SPDX-License-Identifier: MIT
 * PFM: f32 pixels, Pf for one channel, PF for three, PF4 for four. Rows are stored from the bottom up, so a file is
 * read and written from its end; where that cannot be done, on pipes, the image waits in memory. */
#include <stdio.h>
#include <string.h>
#include "io/netpbm/netpbm.h"

typedef struct pfm_state {
    weft_coding coding;
    size_t row_size;
    int64_t next; /* offset of the row at work: from the last one down to where the pixels start */
    bool swap;
} pfm_state;

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

static weft_status open_reader(void *state, weft_header *header, weft_error *error) {
    pfm_state *pfm = state;
    weft_input *input = pfm->coding.input;
    weft_image_info *info = &header->info;
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
    pfm->row_size = weft_row_size(info);
    pfm->swap = little == host_is_big();
    if (weft_image_size(info, &(size_t){0}, NULL) == WEFT_OK) /* if not, there is nothing to read */
        pfm->next = weft_input_offset(input) + (info->height - 1) * (int64_t)pfm->row_size;
    return WEFT_OK;
}

static weft_status read_row(void *state, void *row, weft_error *error) {
    pfm_state *pfm = state;
    weft_input *input = pfm->coding.input;
    weft_status status = weft_input_gather(input, error);
    if (status != WEFT_OK)
        return status;
    if (!weft_input_read_at(input, pfm->next, row, pfm->row_size))
        return weft_input_fail(input, error, "truncated, %lld bytes of %lld are there", (long long)input->size,
                               (long long)pfm->next + (long long)pfm->row_size);
    if (pfm->swap)
        for (unsigned char *sample = row, *end = sample + pfm->row_size; sample < end; sample += 4) {
            unsigned char bytes[4] = {sample[3], sample[2], sample[1], sample[0]};
            memcpy(sample, bytes, 4);
        }
    pfm->next -= (int64_t)pfm->row_size;
    return WEFT_OK;
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

static weft_status open_writer(void *state, const weft_writing *writing, weft_error *error) {
    const weft_image_info *info = &writing->info;
    static const char *const magic[] = {"", "Pf", "", "PF", "PF4"};
    pfm_state *pfm = state;
    char header[64];
    int length = snprintf(header, sizeof header, "%s\n%lld %lld\n%s\n", magic[info->format.channels],
                          (long long)info->width, (long long)info->height, host_is_big() ? "1.0" : "-1.0");
    pfm->row_size = weft_row_size(info);
    pfm->next = length + (info->height - 1) * (int64_t)pfm->row_size; /* the image fits, as writer.c has seen */
    return weft_output_write_at(pfm->coding.output, 0, header, (size_t)length)
               ? WEFT_OK
               : weft_output_fail(pfm->coding.output, error);
}

static weft_status write_row(void *state, const void *row, weft_error *error) {
    pfm_state *pfm = state;
    if (!weft_output_write_at(pfm->coding.output, pfm->next, row, pfm->row_size))
        return weft_output_fail(pfm->coding.output, error);
    pfm->next -= (int64_t)pfm->row_size;
    return WEFT_OK;
}

const weft_codec weft_codec_pfm = {
    .format = {"pfm", "pfm", "Portable Float Map: 1, 3 or 4 channels of f32", true, true, NULL, 0, NULL, 0, false},
    .probe = probe,
    .reader_size = sizeof(pfm_state),
    .open_reader = open_reader,
    .read = read_row,
    .largest_side = WEFT_LARGEST_SIDE,
    .accepts = accepts,
    .writer_size = sizeof(pfm_state),
    .open_writer = open_writer,
    .write = write_row,
};
