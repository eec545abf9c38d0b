/* SPDX-License-Identifier: MIT
 * PAM (P7): 1 to 4 channels of 8 or 16 bit with or without alpha, and a header that a pipe can be read by. What weft
 * writes to standard output unless told otherwise. */
#include <stdio.h>
#include <string.h>
#include "io/netpbm/netpbm.h"

enum { LINE = 256 };

typedef struct pam_reader {
    weft_coding coding;
    size_t count;     /* samples of a row */
    uint32_t maximum; /* full scale of a sample */
} pam_reader;

typedef struct pam_header {
    int64_t width, height, depth, maximum;
    char tuple[LINE];
} pam_header;

/* "P7 332" is another format, xv's thumbnails. */
static bool probe(const unsigned char *bytes, size_t count) {
    return count >= 3 && memcmp(bytes, "P7", 2) == 0 && (bytes[2] == '\n' || bytes[2] == '\r');
}

/* A line without the blanks at its ends. A comment may have any length, it comes out as an empty line. */
static weft_status read_line(weft_input *input, char line[LINE], weft_error *error) {
    size_t length = 0;
    int byte = weft_input_get(input);
    bool comment;
    while (byte == ' ' || byte == '\t' || byte == '\r')
        byte = weft_input_get(input);
    comment = byte == '#';
    for (; byte >= 0 && byte != '\n'; byte = weft_input_get(input)) {
        if (comment)
            continue;
        if (length == LINE - 1 || byte == 0)
            return weft_input_fail(input, error, "the header is not made of short lines of text");
        line[length++] = (char)byte;
    }
    if (byte < 0)
        return weft_input_fail(input, error, "truncated before ENDHDR");
    while (length > 0 && weft_is_blank(line[length - 1]))
        length--;
    line[length] = 0;
    return WEFT_OK;
}

/* The value of a line that begins with the word `key`; NULL when it does not. */
static const char *line_value(const char *line, const char *key) {
    size_t length = strlen(key);
    if (strncmp(line, key, length) != 0 || (line[length] && !weft_is_blank(line[length])))
        return NULL;
    while (weft_is_blank(line[length]))
        length++;
    return line + length;
}

/* A whole number up to `maximum` that fills `text`. */
static bool parse_number(const char *text, int64_t maximum, int64_t *number) {
    int64_t value = 0;
    if (!*text)
        return false;
    for (; *text >= '0' && *text <= '9' && value <= maximum; text++)
        value = 10 * value + (*text - '0');
    *number = value;
    return !*text && value >= 1 && value <= maximum;
}

static weft_status read_header(weft_input *input, pam_header *header, weft_error *error) {
    char line[LINE];
    const struct {
        const char *key;
        int64_t *number, maximum;
    } numbers[] = {{"WIDTH", &header->width, WEFT_LARGEST_SIDE},
                   {"HEIGHT", &header->height, WEFT_LARGEST_SIDE},
                   {"DEPTH", &header->depth, WEFT_LARGEST_SIDE},
                   {"MAXVAL", &header->maximum, 65535}};
    for (;;) {
        const char *value = NULL;
        size_t i = 0;
        weft_status status = read_line(input, line, error);
        if (status != WEFT_OK)
            return status;
        if (!*line)
            continue;
        if (strcmp(line, "ENDHDR") == 0)
            break;
        while (i < 4 && !(value = line_value(line, numbers[i].key)))
            i++;
        if (i < 4) {
            if (!parse_number(value, numbers[i].maximum, numbers[i].number))
                return weft_input_fail(input, error, "%s is '%.40s', not a number from 1 to %lld", numbers[i].key,
                                       value, (long long)numbers[i].maximum);
        } else if ((value = line_value(line, "TUPLTYPE"))) {
            /* Several such lines make one name with spaces in it, and none of those that matter has any. */
            snprintf(header->tuple, LINE, "%s", *header->tuple ? "several" : value);
        } else {
            return weft_input_fail(input, error, "an unknown header line, '%.40s'", line);
        }
    }
    for (size_t i = 0; i < 4; i++)
        if (*numbers[i].number == 0)
            return weft_input_fail(input, error, "the header has no %s", numbers[i].key);
    return WEFT_OK;
}

static weft_status open_reader(void *state, weft_header *result, weft_error *error) {
    pam_reader *reader = state;
    weft_input *input = reader->coding.input;
    weft_image_info *info = &result->info;
    pam_header header = {.width = 0};
    size_t length;
    weft_status status;
    weft_input_get(input);
    weft_input_get(input);
    status = read_header(input, &header, error);
    if (status != WEFT_OK)
        return status;
    if (header.depth > 4)
        return weft_fail(error, WEFT_ERROR_UNSUPPORTED, "%s: %lld channels, weft reads 1 to 4", input->name,
                         (long long)header.depth);
    length = strlen(header.tuple);
    if (length > 6 && strcmp(header.tuple + length - 6, "_ALPHA") == 0) {
        if (header.depth % 2 != 0)
            return weft_input_fail(input, error, "%.40s does not go with %d channels", header.tuple, (int)header.depth);
        info->alpha = WEFT_ALPHA_STRAIGHT;
    }
    info->width = header.width;
    info->height = header.height;
    info->format = (weft_format){weft_netpbm_type(header.maximum), (int32_t)header.depth};
    reader->count = (size_t)header.width * (size_t)header.depth;
    reader->maximum = (uint32_t)header.maximum;
    return WEFT_OK;
}

static weft_status read_row(void *state, void *row, weft_error *error) {
    const pam_reader *reader = state;
    return weft_netpbm_read(reader->coding.input, reader->count, reader->maximum, row, error);
}

static weft_status accepts(const char *word, weft_image_info *nearest, weft_error *error) {
    (void)word;
    (void)error;
    nearest->format.type = weft_nearest_integer(nearest->format.type);
    return WEFT_OK;
}

static weft_status open_writer(void *state, const weft_writing *writing, weft_error *error) {
    const weft_image_info *info = &writing->info;
    static const char *const tuples[] = {"GRAYSCALE", "GRAYSCALE_ALPHA", "RGB", "RGB_ALPHA"};
    const bool opaque = info->alpha == WEFT_ALPHA_NONE && info->format.channels % 2 == 0;
    char header[192];
    int length =
        snprintf(header, sizeof header, "P7\nWIDTH %lld\nHEIGHT %lld\nDEPTH %d\nMAXVAL %d\n%s%s%sENDHDR\n",
                 (long long)info->width, (long long)info->height, (int)info->format.channels,
                 info->format.type == WEFT_U8 ? 255 : 65535,
                 /* Two or four channels that are just channels have no standard name. */
                 opaque ? "" : "TUPLTYPE ", opaque ? "" : tuples[info->format.channels - 1], opaque ? "" : "\n");
    return weft_netpbm_begin(state, info, header, (size_t)length, error);
}

const weft_codec weft_codec_pam = {
    .format = {"pam", "pam", "Portable Arbitrary Map: 1 to 4 channels, alpha, 8 and 16 bit", true, true, NULL, 0,
               NULL, 0, false},
    WEFT_NETPBM_CODEC,
    .probe = probe,
    .reader_size = sizeof(pam_reader),
    .open_reader = open_reader,
    .read = read_row,
    .accepts = accepts,
    .open_writer = open_writer,
};
