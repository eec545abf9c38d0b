/* SPDX-License-Identifier: MIT
 * CUBE: tables of colors as text (Adobe's Cube LUT Specification 1.0), as images of f32x3. Three dimensions of n
 * colors make an image n wide and n * n high: red runs along x, green n * blue + green counts the rows, which is the
 * order of the file. One dimension makes a row. A domain other than 0 .. 1 follows as one more row, whose first pixel
 * is the lowest color and whose second the highest; its others are 0. That is how lut3d takes its tables. */
#include <stdio.h>
#include <string.h>
#include "base/text.h"
#include "io/format.h"

#define LARGEST 3.4e38 /* that a float holds, nearly */
enum { LINE = 256, LARGEST_CUBE = 256, LARGEST_CURVES = 65536 };

typedef struct cube_reader {
    weft_coding coding;
    int64_t line;    /* the number of the one in `text` */
    char text[LINE]; /* it, without the blanks around it */
    size_t length;
    bool pending;         /* it is a color that has not been taken */
    int64_t size, colors; /* of each side; in all */
    int64_t taken;
    bool curves, has_domain;
    float low[3], high[3];
} cube_reader;

static bool is_blank(int byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

static weft_status fail_line(cube_reader *reader, weft_error *error, const char *what) {
    char quote[WEFT_QUOTE_SIZE];
    return weft_input_fail(reader->coding.input, error, "line %lld, '%s', %s", (long long)reader->line,
                           weft_text_quote(quote, reader->text, reader->length), what);
}

/* The next line that says something, 0 long at the end of the file. Comments may be of any length. */
static weft_status next_line(cube_reader *reader, weft_error *error) {
    int byte = 0;
    reader->length = 0;
    while (reader->length == 0 && byte >= 0) {
        bool comment = false, full = false;
        reader->line++;
        while ((byte = weft_input_get(reader->coding.input)) >= 0 && byte != '\n') {
            comment = comment || (reader->length == 0 && byte == '#');
            full = full || reader->length == LINE;
            if (!comment && !full && (reader->length > 0 || !is_blank(byte)))
                reader->text[reader->length++] = (char)byte;
        }
        while (reader->length > 0 && is_blank(reader->text[reader->length - 1]))
            reader->length--;
        if (full)
            return fail_line(reader, error, "is too long for a table of colors");
    }
    return reader->coding.input->failure ? weft_input_fail(reader->coding.input, error, "unreadable") : WEFT_OK;
}

/* Takes the next word of the line, from *at on; 0 long when there is none. */
static size_t next_word(const cube_reader *reader, size_t *at, const char **word) {
    size_t length = 0;
    while (*at < reader->length && is_blank(reader->text[*at]))
        ++*at;
    *word = reader->text + *at;
    while (*at < reader->length && !is_blank(reader->text[*at]))
        ++*at, length++;
    return length;
}

/* What is left of the line as exactly `count` numbers. */
static bool read_numbers(const cube_reader *reader, size_t at, int count, float *numbers) {
    const char *word;
    size_t length;
    int found = 0;
    while ((length = next_word(reader, &at, &word)) > 0) {
        double value;
        if (found == count || weft_text_number(word, length, &value) != WEFT_NUMBER_GOOD || value > LARGEST ||
            value < -LARGEST)
            return false;
        numbers[found++] = (float)value;
    }
    return found == count;
}

static bool is_word(const char *word, size_t length, const char *name) {
    return length == strlen(name) && memcmp(word, name, length) == 0;
}

static weft_status read_size(cube_reader *reader, size_t at, bool curves, weft_error *error) {
    const int64_t largest = curves ? LARGEST_CURVES : LARGEST_CUBE;
    float number;
    if (reader->size > 0)
        return fail_line(reader, error, "is a second size; a file has one table, of one or of three dimensions");
    if (!read_numbers(reader, at, 1, &number) || number < 2 || number > (float)largest ||
        number != (float)(int64_t)number)
        return fail_line(reader, error,
                         curves ? "is no size: a whole number from 2 to 65536"
                                : "is no size: a whole number from 2 to 256");
    reader->size = (int64_t)number;
    reader->curves = curves;
    return WEFT_OK;
}

/* A line before the colors: a keyword and what it says. */
static weft_status read_keyword(cube_reader *reader, weft_error *error) {
    const char *word;
    size_t at = 0, length = next_word(reader, &at, &word);
    bool low = is_word(word, length, "DOMAIN_MIN"), high = is_word(word, length, "DOMAIN_MAX");
    bool range = is_word(word, length, "LUT_1D_INPUT_RANGE") || is_word(word, length, "LUT_3D_INPUT_RANGE");
    float ends[2];
    if (is_word(word, length, "TITLE"))
        return WEFT_OK;
    if (is_word(word, length, "LUT_1D_SIZE") || is_word(word, length, "LUT_3D_SIZE"))
        return read_size(reader, at, word[4] == '1', error);
    if (low || high)
        return read_numbers(reader, at, 3, low ? reader->low : reader->high)
                   ? WEFT_OK
                   : fail_line(reader, error, "needs three numbers, of red, green and blue");
    if (!range)
        return fail_line(reader, error, "is neither a color nor a keyword of .cube files that weft knows");
    if (!read_numbers(reader, at, 2, ends))
        return fail_line(reader, error, "needs two numbers, the lowest and the highest");
    for (int k = 0; k < 3; k++)
        reader->low[k] = ends[0], reader->high[k] = ends[1];
    return WEFT_OK;
}

static weft_status read_header(cube_reader *reader, weft_error *error) {
    weft_status status = next_line(reader, error);
    while (status == WEFT_OK && reader->length > 0 && !strchr("+-.0123456789", reader->text[0])) {
        status = read_keyword(reader, error);
        if (status == WEFT_OK)
            status = next_line(reader, error);
    }
    if (status != WEFT_OK)
        return status;
    if (reader->size == 0)
        return reader->length > 0
                   ? fail_line(reader, error, "comes before the size: LUT_3D_SIZE or LUT_1D_SIZE")
                   : weft_input_fail(reader->coding.input, error, "no LUT_3D_SIZE or LUT_1D_SIZE is in it");
    reader->pending = reader->length > 0;
    reader->colors = reader->curves ? reader->size : reader->size * reader->size * reader->size;
    for (int k = 0; k < 3; k++) {
        reader->has_domain = reader->has_domain || reader->low[k] != 0 || reader->high[k] != 1;
        if (!(reader->low[k] < reader->high[k]))
            return weft_input_fail(reader->coding.input, error,
                                   "the domain of %s ends where it begins or before, at %g",
                                   k == 0   ? "red"
                                   : k == 1 ? "green"
                                            : "blue",
                                   (double)reader->high[k]);
    }
    return WEFT_OK;
}

/* The first words that such files have; before them there may be comments, blanks, and the mark of UTF-8. */
static bool probe(const unsigned char *bytes, size_t count) {
    static const char *const words[] = {"TITLE", "LUT_1D_", "LUT_3D_", "DOMAIN_M"};
    size_t at = count >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (at < count && is_blank(bytes[at]))
        at++;
    if (at + 1 < count && bytes[at] == '#' && bytes[at + 1] != '?')
        return true;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (count - at >= strlen(words[i]) && memcmp(bytes + at, words[i], strlen(words[i])) == 0)
            return true;
    return false;
}

static weft_status open_reader(void *state, weft_header *header, weft_error *error) {
    const unsigned char *bytes;
    cube_reader *reader = state;
    weft_input *input = reader->coding.input;
    for (int k = 0; k < 3; k++)
        reader->high[k] = 1;
    if (weft_input_peek(input, &bytes, 3) >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0)
        for (int i = 0; i < 3; i++)
            weft_input_get(input);
    weft_status status = read_header(reader, error);
    header->info.width = reader->size;
    header->info.height = (reader->curves ? 1 : reader->size * reader->size) + reader->has_domain;
    header->info.format = (weft_format){WEFT_F32, 3};
    return status;
}

static weft_status read_row(void *state, void *row, weft_error *error) {
    cube_reader *reader = state;
    const size_t size = 3 * sizeof(float);
    unsigned char *out = row;
    if (reader->taken == reader->colors) {
        memset(row, 0, (size_t)reader->size * size);
        memcpy(out, reader->low, size);
        memcpy(out + size, reader->high, size);
        return WEFT_OK;
    }
    for (int64_t x = 0; x < reader->size; x++, reader->taken++) {
        float color[3];
        weft_status status = reader->pending ? WEFT_OK : next_line(reader, error);
        if (status != WEFT_OK)
            return status;
        reader->pending = false;
        if (reader->length == 0)
            return weft_input_fail(reader->coding.input, error, "truncated, %lld of %lld colors are there",
                                   (long long)reader->taken, (long long)reader->colors);
        if (!read_numbers(reader, 0, 3, color))
            return fail_line(reader, error, "is no color: three numbers");
        memcpy(out + (size_t)x * size, color, size);
    }
    return WEFT_OK;
}

static weft_status finish_reader(void *state, weft_error *error) {
    cube_reader *reader = state;
    weft_status status = next_line(reader, error);
    if (status == WEFT_OK && reader->length > 0)
        return fail_line(reader, error, "follows the last color");
    return status;
}

/* Tables without a domain of their own: it would have to be known before the first color. */
static weft_status accepts(const char *word, weft_image_info *nearest, weft_error *error) {
    int64_t n = nearest->width;
    (void)word;
    nearest->format = (weft_format){WEFT_F32, 3};
    nearest->alpha = WEFT_ALPHA_NONE;
    if (n >= 2 && n <= (nearest->height == 1 ? LARGEST_CURVES : LARGEST_CUBE) &&
        (nearest->height == 1 || nearest->height == n * n))
        return WEFT_OK;
    return weft_fail(error, WEFT_ERROR_FORMAT,
                     "a .cube file holds tables of n x n*n colors, n up to 256, or of n x 1, not %lldx%lld; "
                     "identity_table makes one",
                     (long long)n, (long long)nearest->height);
}

typedef struct cube_writer {
    weft_coding coding;
    int64_t size;
} cube_writer;

static weft_status open_writer(void *state, const weft_writing *writing, weft_error *error) {
    const weft_image_info *info = &writing->info;
    char header[64];
    int length = snprintf(header, sizeof header, "# made by weft\nLUT_%dD_SIZE %lld\n", info->height == 1 ? 1 : 3,
                          (long long)info->width);
    cube_writer *writer = state;
    writer->size = info->width;
    return weft_output_write(writer->coding.output, header, (size_t)length)
               ? WEFT_OK
               : weft_output_fail(writer->coding.output, error);
}

/* What is no number, or is none that a reader takes, becomes the nearest that is. */
static double writable(float v) {
    return !(v == v) ? 0 : (double)v > LARGEST ? LARGEST : (double)v < -LARGEST ? -LARGEST : (double)v;
}

static weft_status write_row(void *state, const void *row, weft_error *error) {
    cube_writer *writer = state;
    for (int64_t x = 0; x < writer->size; x++) {
        char line[128];
        float color[3];
        size_t length = 0;
        memcpy(color, (const unsigned char *)row + (size_t)x * sizeof color, sizeof color);
        for (int k = 0; k < 3; k++) {
            length += (size_t)weft_text_print_number(line + length, sizeof line - length, writable(color[k]), true);
            line[length++] = k < 2 ? ' ' : '\n';
        }
        if (!weft_output_write(writer->coding.output, line, length))
            return weft_output_fail(writer->coding.output, error);
    }
    return WEFT_OK;
}

const weft_codec weft_codec_cube = {
    .format = {"cube", "cube", "Cube LUT: tables of colors as text, of one and three dimensions", true, true, NULL, 0,
               NULL, 0, false},
    .probe = probe,
    .reader_size = sizeof(cube_reader),
    .open_reader = open_reader,
    .read = read_row,
    .finish_reader = finish_reader,
    .largest_side = WEFT_LARGEST_SIDE,
    .accepts = accepts,
    .writer_size = sizeof(cube_writer),
    .open_writer = open_writer,
    .write = write_row,
};
