/* SPDX-License-Identifier: MIT
 * PBM, PGM and PPM: P1 to P3 as text, P4 to P6 as bytes. Written are P5 and P6, the forms that everything reads. */
#include <stdio.h>
#include <string.h>
#include "io/netpbm/netpbm.h"

typedef struct pnm_reader {
    weft_coding coding;
    int variant;      /* 1 to 6 */
    size_t count;     /* samples of a row */
    uint32_t maximum; /* full scale of a sample */
} pnm_reader;

static bool probe(const unsigned char *bytes, size_t count) {
    return count >= 3 && bytes[0] == 'P' && bytes[1] >= '1' && bytes[1] <= '6' &&
           (weft_is_blank(bytes[2]) || bytes[2] == '#');
}

static weft_status open_reader(void *state, weft_header *header, weft_error *error) {
    pnm_reader *reader = state;
    weft_input *input = reader->coding.input;
    weft_image_info *info = &header->info;
    int64_t maximum = 1;
    weft_status status;
    weft_input_get(input);
    reader->variant = weft_input_get(input) - '0';
    status = weft_netpbm_positive(input, "width", WEFT_LARGEST_SIDE, &info->width, error);
    if (status == WEFT_OK)
        status = weft_netpbm_positive(input, "height", WEFT_LARGEST_SIDE, &info->height, error);
    if (status == WEFT_OK && reader->variant % 3 != 1)
        status = weft_netpbm_positive(input, "maximum", 65535, &maximum, error);
    if (status != WEFT_OK)
        return status;
    info->format = (weft_format){weft_netpbm_type(maximum), reader->variant % 3 == 0 ? 3 : 1};
    reader->count = (size_t)info->width * (size_t)info->format.channels;
    reader->maximum = (uint32_t)maximum;
    return WEFT_OK;
}

/* P1: digits that need no blanks between them; 1 is black. */
static weft_status read_digits(const pnm_reader *reader, unsigned char *row, weft_error *error) {
    for (size_t i = 0; i < reader->count; i++) {
        int byte = weft_netpbm_token(reader->coding.input);
        if (byte < 0)
            return weft_input_fail(reader->coding.input, error, "truncated");
        if (byte != '0' && byte != '1')
            return weft_input_fail(reader->coding.input, error, "a bit is 0 or 1, not byte %02x", (unsigned)byte);
        row[i] = byte == '0' ? 255 : 0;
    }
    return WEFT_OK;
}

/* P4: eight pixels a byte, the leftmost in the highest bit; every row starts a byte. */
static weft_status read_bits(const pnm_reader *reader, unsigned char *row, weft_error *error) {
    int byte = 0;
    for (size_t i = 0; i < reader->count; i++) {
        if (i % 8 == 0)
            byte = weft_input_get(reader->coding.input);
        if (byte < 0)
            return weft_input_fail(reader->coding.input, error, "truncated");
        row[i] = byte >> (7 - i % 8) & 1 ? 0 : 255;
    }
    return WEFT_OK;
}

/* P2, P3. */
static weft_status read_numbers(const pnm_reader *reader, unsigned char *row, weft_error *error) {
    for (size_t i = 0; i < reader->count; i++) {
        int64_t number;
        uint16_t sample;
        weft_status status = weft_netpbm_number(reader->coding.input, "sample", reader->maximum, &number, error);
        if (status != WEFT_OK)
            return status;
        sample = (uint16_t)weft_netpbm_scale((uint32_t)number, reader->maximum);
        if (reader->maximum < 256)
            row[i] = (unsigned char)sample;
        else
            memcpy(row + 2 * i, &sample, 2);
    }
    return WEFT_OK;
}

static weft_status read_row(void *state, void *row, weft_error *error) {
    const pnm_reader *reader = state;
    switch (reader->variant) {
    case 1:
        return read_digits(reader, row, error);
    case 4:
        return read_bits(reader, row, error);
    case 2:
    case 3:
        return read_numbers(reader, row, error);
    default:
        return weft_netpbm_read(reader->coding.input, reader->count, reader->maximum, row, error);
    }
}

static weft_status accepts(const char *word, weft_image_info *nearest, weft_error *error) {
    if (strcmp(word, "pbm") == 0)
        return weft_fail(error, WEFT_ERROR_FILE, "PBM files are only read; write pgm, ppm or pnm");
    nearest->format.type = weft_nearest_integer(nearest->format.type);
    nearest->format.channels = strcmp(word, "pgm") == 0 ? 1
                               : strcmp(word, "ppm") == 0
                                   ? 3
                                   : weft_nearest_opaque(nearest->format.channels, nearest->alpha);
    nearest->alpha = WEFT_ALPHA_NONE;
    return WEFT_OK;
}

static weft_status open_writer(void *state, const weft_writing *writing, weft_error *error) {
    const weft_image_info *info = &writing->info;
    char header[64];
    int length = snprintf(header, sizeof header, "P%c\n%lld %lld\n%d\n", info->format.channels == 3 ? '6' : '5',
                          (long long)info->width, (long long)info->height, info->format.type == WEFT_U8 ? 255 : 65535);
    return weft_netpbm_begin(state, info, header, (size_t)length, error);
}

const weft_codec weft_codec_pnm = {
    .format = {"pnm", "pnm ppm pgm pbm", "PBM, PGM and PPM: bitmap, grey and RGB, 8 and 16 bit", true, true, NULL, 0,
               NULL, 0, false},
    WEFT_NETPBM_CODEC,
    .probe = probe,
    .reader_size = sizeof(pnm_reader),
    .open_reader = open_reader,
    .read = read_row,
    .accepts = accepts,
    .open_writer = open_writer,
};
