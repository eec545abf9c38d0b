/* SPDX-License-Identifier: MIT
 * What PNM, PAM and PFM files share. Bytes are put together by hand, so that neither the host's byte order nor the
 * alignment of the caller's rows matters. */
#include "io/netpbm/netpbm.h"
#include <string.h>
#include "base/status.h"

/* Consumes a comment after its '#'. */
static void skip_comment(weft_input *input) {
    int byte;
    do
        byte = weft_input_get(input);
    while (byte >= 0 && byte != '\n' && byte != '\r');
}

int weft_netpbm_token(weft_input *input) {
    for (;;) {
        int byte = weft_input_get(input);
        if (byte == '#')
            skip_comment(input);
        else if (!weft_is_blank(byte))
            return byte;
    }
}

weft_status weft_netpbm_number(weft_input *input, const char *what, int64_t maximum, int64_t *number,
                               weft_error *error) {
    int64_t value = 0;
    int byte = weft_netpbm_token(input);
    if (byte < 0)
        return weft_input_fail(input, error, "truncated before the %s", what);
    if (byte < '0' || byte > '9')
        return weft_input_fail(input, error, "a number was expected for the %s, not byte %02x", what, (unsigned)byte);
    for (; byte >= '0' && byte <= '9'; byte = weft_input_get(input)) {
        value = 10 * value + (byte - '0');
        if (value > maximum)
            return weft_input_fail(input, error, "the %s is more than %lld", what, (long long)maximum);
    }
    if (byte == '#')
        skip_comment(input);
    else if (byte >= 0 && !weft_is_blank(byte))
        return weft_input_fail(input, error, "a blank was expected after the %s, not byte %02x", what, (unsigned)byte);
    *number = value;
    return WEFT_OK;
}

weft_status weft_netpbm_positive(weft_input *input, const char *what, int64_t maximum, int64_t *number,
                                 weft_error *error) {
    weft_status status = weft_netpbm_number(input, what, maximum, number, error);
    if (status == WEFT_OK && *number < 1)
        return weft_input_fail(input, error, "the %s is 0", what);
    return status;
}

weft_status weft_netpbm_read(weft_input *input, size_t count, uint32_t maximum, void *row, weft_error *error) {
    const size_t size = maximum < 256 ? 1 : 2;
    unsigned char *bytes = row;
    uint32_t worst = 0;
    if (weft_input_read(input, row, size * count) < size * count)
        return weft_input_fail(input, error, "truncated");
    if (maximum == 255)
        return WEFT_OK;
    for (size_t i = 0; i < count; i++, bytes += size) {
        uint32_t value = size == 1 ? bytes[0] : (uint32_t)bytes[0] << 8 | bytes[1];
        worst = value > worst ? value : worst;
        if (maximum != 65535)
            value = weft_netpbm_scale(value, maximum);
        if (size == 1) {
            bytes[0] = (unsigned char)value;
        } else {
            uint16_t sample = (uint16_t)value;
            memcpy(bytes, &sample, 2);
        }
    }
    if (worst > maximum)
        return weft_input_fail(input, error, "a sample of %u is above the maximum of %u", worst, maximum);
    return WEFT_OK;
}

weft_status weft_netpbm_begin(weft_netpbm_writer *writer, const weft_image_info *info, const char *header,
                              size_t length, weft_error *error) {
    writer->type = info->format.type;
    writer->count = (size_t)info->width * (size_t)info->format.channels;
    return weft_output_write(writer->coding.output, header, length) ? WEFT_OK
                                                                    : weft_output_fail(writer->coding.output, error);
}

weft_status weft_netpbm_write_row(void *state, const void *row, weft_error *error) {
    const weft_netpbm_writer *writer = state;
    weft_output *output = writer->coding.output;
    size_t count = writer->count;
    const unsigned char *bytes = row;
    if (writer->type == WEFT_U8)
        return weft_output_write(output, row, count) ? WEFT_OK : weft_output_fail(output, error);
    while (count > 0) {
        unsigned char swapped[4096];
        size_t part = count < sizeof swapped / 2 ? count : sizeof swapped / 2;
        for (size_t i = 0; i < part; i++) {
            uint16_t sample;
            memcpy(&sample, bytes + 2 * i, 2);
            swapped[2 * i] = (unsigned char)(sample >> 8);
            swapped[2 * i + 1] = (unsigned char)sample;
        }
        if (!weft_output_write(output, swapped, 2 * part))
            return weft_output_fail(output, error);
        bytes += 2 * part;
        count -= part;
    }
    return WEFT_OK;
}
