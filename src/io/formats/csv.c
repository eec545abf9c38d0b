/* SPDX-License-Identifier: MIT
 * CSV: the pixels of one channel that are not 0, a line x,y,value each, from the top down and from left to right, under
 * a line of these names. For images of which few pixels matter: corners, maxima, masks.
 *
 * Values are fractions of full scale with 6 digits: f32 has a seventh, in which devices may differ. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/text.h"
#include "io/format.h"

enum { DIGITS = 6, LINE = 96 };

typedef struct csv_writer {
    weft_coding coding;
    int64_t width, next;
} csv_writer;

static weft_status accepts(const char *word, weft_image_info *nearest, weft_error *error) {
    if (nearest->format.channels - (nearest->alpha != WEFT_ALPHA_NONE) != 1)
        return weft_fail(
            error, WEFT_ERROR_FORMAT,
            "a %s file lists pixels of one channel, not of %d: end the graph with a filter that makes gray", word,
            (int)nearest->format.channels);
    nearest->format = (weft_format){WEFT_F32, 1};
    nearest->alpha = WEFT_ALPHA_NONE;
    return WEFT_OK;
}

static weft_status open_writer(void *state, const weft_writing *writing, weft_error *error) {
    const weft_image_info *info = &writing->info;
    static const char names[] = "x,y,value\n";
    csv_writer *writer = state;
    writer->width = info->width;
    return weft_output_write(writer->coding.output, names, sizeof names - 1)
               ? WEFT_OK
               : weft_output_fail(writer->coding.output, error);
}

static double rounded(double value) {
    double size = pow(10, DIGITS - 1 - floor(log10(fabs(value))));
    return size < (double)INFINITY ? nearbyint(value * size) / size : value;
}

static weft_status write_row(void *state, const void *row, weft_error *error) {
    csv_writer *writer = state;
    for (int64_t x = 0; x < writer->width; x++) {
        float value;
        char line[LINE];
        memcpy(&value, (const char *)row + (size_t)x * sizeof value, sizeof value);
        if (value == 0 || !isfinite(value))
            continue;
        int used = snprintf(line, sizeof line, "%lld,%lld,", (long long)x, (long long)writer->next);
        used += weft_text_print_number(line + used, sizeof line - (size_t)used - 1, rounded((double)value), false);
        line[used++] = '\n';
        if (!weft_output_write(writer->coding.output, line, (size_t)used))
            return weft_output_fail(writer->coding.output, error);
    }
    writer->next++;
    return WEFT_OK;
}

const weft_codec weft_codec_csv = {
    .format = {"csv", "csv", "The pixels of one channel that are not 0, a line x,y,value each", false, true, NULL, 0,
               NULL, 0, false},
    .largest_side = WEFT_LARGEST_SIDE,
    .accepts = accepts,
    .writer_size = sizeof(csv_writer),
    .open_writer = open_writer,
    .write = write_row,
};
