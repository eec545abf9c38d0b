/* SPDX-License-Identifier: MIT
 * Text as a picture: what a name that begins with WEFT_TEXT_PREFIX has behind that, drawn on nothing. It is read like a file, so
 * that graphs lay it on others as they do pictures. */
#include <string.h>
#include "base/memory.h"
#include "base/text.h"
#include "io/format.h"
#include "io/text/text_layout.h"

enum { LONGEST = 1 << 16, LARGEST = 4000 };

enum { FONT, SIZE, COLOR, OUTLINE, STROKE, ALIGN };
static const weft_file_option reader_options[] = {
    [FONT] = {"font", "a file, or a family that fontconfig knows, as DejaVu Sans:bold", NULL, 1, 0, 0},
    [SIZE] = {"size", "of letters, in pixels", NULL, 1, LARGEST, 48},
    [COLOR] = {"color", "of letters; white where it is not given", NULL, 1, 0, 0},
    [OUTLINE] = {"outline", "the color of a line around letters", NULL, 1, 0, 0},
    [STROKE] = {"stroke", "how wide that is; 0: a twelfth of the size", NULL, 0, LARGEST, 0},
    [ALIGN] = {"align", "where lines lie that are shorter than others", "left center right", 0, 0, WEFT_TEXT_LEFT},
};

typedef struct text_reader {
    weft_coding coding;
    struct weft_text_lines lines;
    double color[4], outline[4];
    char *text;
    unsigned char *planes;
} text_reader;

/* "\n" stands for a new line, which shells make it hard to write. */
static size_t copy_text(char *to, const char *from, size_t length) {
    size_t used = 0;
    for (size_t i = 0; i < length; i++) {
        const bool line = from[i] == '\\' && i + 1 < length && from[i + 1] == 'n';
        to[used++] = line ? '\n' : from[i];
        i += line;
    }
    return used;
}

static weft_status open_reader(void *state, weft_header *header, weft_error *error) {
    text_reader *reader = state;
    weft_coding *coding = &reader->coding;
    const int32_t *values = coding->values;
    const int32_t stroke = values[OUTLINE] == 0 ? 0 : values[STROKE] ? values[STROKE] : 1 + values[SIZE] / 12;
    const unsigned char *bytes;
    size_t size, length;
    weft_status status = weft_input_load(coding->input, &bytes, &size, error);
    for (int i = 0; i < 4; i++)
        reader->color[i] = 1;
    if (status == WEFT_OK)
        status = weft_coding_color(coding, COLOR, reader_options[COLOR].name, reader->color, error);
    if (status == WEFT_OK)
        status = weft_coding_color(coding, OUTLINE, reader_options[OUTLINE].name, reader->outline, error);
    if (status == WEFT_OK && (size == 0 || size > LONGEST))
        status = weft_fail(error, WEFT_ERROR_PARAMETER, "%s: a text has 1 to %d bytes, not %zu", coding->input->name,
                           LONGEST, size);
    if (status != WEFT_OK)
        return status;
    reader->text = weft_allocate(size + 1, 1);
    if (!reader->text)
        return weft_fail_memory(error, size + 1, "text");
    size = copy_text(reader->text, (const char *)bytes, size);
    const char *font = weft_coding_text(coding, FONT, &length);
    status = weft_text_open_font(&reader->lines, font, length, values[SIZE], stroke, error);
    if (status == WEFT_OK)
        status = weft_text_place(&reader->lines, reader->text, size, (enum weft_text_align)values[ALIGN], error);
    header->info = (weft_image_info){.width = reader->lines.width,
                                     .height = reader->lines.height,
                                     .format = {WEFT_U8, 4},
                                     .alpha = WEFT_ALPHA_STRAIGHT};
    header->working = 2 * (uint64_t)reader->lines.width * (uint64_t)reader->lines.height;
    header->whole = true;
    return status;
}

/* Letters over their outlines. */
static void mix(const text_reader *reader, double letter, double line, unsigned char *pixel) {
    const double front = reader->color[3] * letter, back = reader->outline[3] * line * (1 - front), all = front + back;
    for (int i = 0; i < 3; i++) {
        const double value = all > 0 ? (front * reader->color[i] + back * reader->outline[i]) / all : reader->color[i];
        pixel[i] = (unsigned char)(255 * value + 0.5);
    }
    pixel[3] = (unsigned char)(255 * all + 0.5);
}

static weft_status decode(void *state, void *pixels, size_t stride, weft_error *error) {
    text_reader *reader = state;
    struct weft_text_lines *lines = &reader->lines;
    const size_t size = (size_t)lines->width * (size_t)lines->height;
    reader->planes = weft_allocate(2, size);
    if (!reader->planes)
        return weft_fail_memory(error, 2 * size, "text");
    unsigned char *letters = reader->planes, *outlines = reader->planes + size;
    weft_status status = weft_text_cover(lines, false, letters, error);
    if (status == WEFT_OK && lines->stroker)
        status = weft_text_cover(lines, true, outlines, error);
    for (int64_t y = 0; y < lines->height && status == WEFT_OK; y++) {
        unsigned char *row = (unsigned char *)pixels + (size_t)y * stride;
        for (int64_t x = 0; x < lines->width; x++, row += 4) {
            const size_t at = (size_t)(y * lines->width + x);
            mix(reader, letters[at] / 255.0, outlines[at] / 255.0, row);
        }
    }
    return status;
}

static void close_reader(void *state) {
    text_reader *reader = state;
    weft_text_close(&reader->lines);
    weft_free(reader->text);
    weft_free(reader->planes);
}

const weft_codec weft_codec_text = {
    .format = {"text", "", "Text as a picture, in a name as text:Hello[size=64]", true, false, NULL, 0,
               WEFT_FILE_OPTIONS(reader_options), false},
    .reader_size = sizeof(text_reader),
    .open_reader = open_reader,
    .decode = decode,
    .close_reader = close_reader,
};
