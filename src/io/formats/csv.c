/* SPDX-License-Identifier: MIT
 * CSV: the pixels of one channel that are not 0, a line x,y,value each, from the top down and from left to right, under
 * a line of these names. For images of which few pixels matter: corners, maxima, masks.
 *
 * Values are fractions of full scale with 6 digits: f32 has a seventh, in which devices may differ. What is read is drawn: such
 * tables as points, and lines that begin with point, line or rectangle. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/memory.h"
#include "base/text.h"
#include "io/format.h"
#include "io/formats/csv_shapes.h"

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

enum { COLOR, WIDTH, SIZE, FILLED, COLUMNS, ROWS, LARGEST = 4096, FARTHEST = 1 << 17 };
static const weft_file_option reader_options[] = {
    [COLOR] = {"color", "of shapes that say none; red where it is not given", NULL, 1, 0, 0},
    [WIDTH] = {"width", "of lines, in pixels; of rectangles they lie inside", NULL, 1, LARGEST, 2},
    [SIZE] = {"size", "of points, from side to side", NULL, 1, LARGEST, 7},
    [FILLED] = {"filled", "rectangles have all their pixels", "off on", 0, 0, 0},
    [COLUMNS] = {"columns", "of the picture; 0: as far as shapes reach", NULL, 0, FARTHEST, 0},
    [ROWS] = {"rows", "of the picture; 0: as far as shapes reach", NULL, 0, FARTHEST, 0},
};

typedef struct csv_reader {
    weft_coding coding;
    struct weft_shapes shapes;
    int64_t width, height;
} csv_reader;

static bool probe(const unsigned char *bytes, size_t count) {
    static const char *const starts[] = {"point,", "line,", "rectangle,", "x,y\n", "x,y\r", "x,y,"};
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (count >= strlen(starts[i]) && memcmp(bytes, starts[i], strlen(starts[i])) == 0)
            return true;
    return false;
}

static weft_status open_reader(void *state, weft_header *header, weft_error *error) {
    csv_reader *reader = state;
    weft_coding *coding = &reader->coding;
    const unsigned char *bytes;
    size_t size;
    weft_status status = weft_input_load(coding->input, &bytes, &size, error);
    reader->shapes.width = coding->values[WIDTH];
    reader->shapes.size = coding->values[SIZE];
    reader->shapes.filled = coding->values[FILLED];
    double color[4] = {1, 0, 0, 1}; /* red */
    if (status == WEFT_OK)
        status = weft_coding_color(coding, COLOR, reader_options[COLOR].name, color, error);
    for (int i = 0; i < 4; i++)
        reader->shapes.color[i] = (unsigned char)(255 * color[i] + 0.5);
    if (status == WEFT_OK)
        status = weft_shapes_read(&reader->shapes, (const char *)bytes, size, coding->input->name, error);
    if (status != WEFT_OK)
        return status;
    weft_shapes_measure(&reader->shapes, &reader->width, &reader->height);
    reader->width = coding->values[COLUMNS] ? coding->values[COLUMNS] : reader->width;
    reader->height = coding->values[ROWS] ? coding->values[ROWS] : reader->height;
    header->info = (weft_image_info){
        .width = reader->width, .height = reader->height, .format = {WEFT_U8, 4}, .alpha = WEFT_ALPHA_STRAIGHT};
    header->whole = true;
    return WEFT_OK;
}

static weft_status decode(void *state, void *pixels, size_t stride, weft_error *error) {
    const csv_reader *reader = state;
    (void)error;
    weft_shapes_draw(&reader->shapes, pixels, stride, reader->width, reader->height);
    return WEFT_OK;
}

static void close_reader(void *state) {
    csv_reader *reader = state;
    weft_free(reader->shapes.list);
}

const weft_codec weft_codec_csv = {
    .format = {"csv", "csv", "Written: the pixels of one channel that are not 0, a line x,y,value each. Read: shapes, drawn",
               true, true, NULL, 0, WEFT_FILE_OPTIONS(reader_options), false},
    .probe = probe,
    .reader_size = sizeof(csv_reader),
    .open_reader = open_reader,
    .decode = decode,
    .close_reader = close_reader,
    .largest_side = WEFT_LARGEST_SIDE,
    .accepts = accepts,
    .writer_size = sizeof(csv_writer),
    .open_writer = open_writer,
    .write = write_row,
};
