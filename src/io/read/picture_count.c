/* SPDX-License-Identifier: MIT
 * Reads over pictures, to count them. */
#include "io/read/picture_count.h"
#include "base/memory.h"
#include "io/format.h"

/* Blanks may stand between pictures that are text. */
static void skip_blanks(weft_input *input) {
    const unsigned char *bytes;
    while (weft_input_peek(input, &bytes, 1) > 0 && (*bytes == ' ' || (*bytes >= '\t' && *bytes <= '\r')))
        weft_input_get(input);
}

static const weft_codec *find_codec(weft_input *input) {
    const unsigned char *bytes;
    const size_t count = weft_input_peek(input, &bytes, WEFT_PROBE_SIZE);
    for (const weft_codec *const *codec = weft_codecs; *codec; codec++)
        if ((*codec)->followed && (*codec)->probe(bytes, count))
            return *codec;
    return NULL;
}

/* False when it ends too early or is beyond a limit. */
static bool read_rows(const weft_codec *codec, void *state, const weft_image_info *info, const weft_read_limits *limits) {
    size_t size;
    unsigned char *row;
    int64_t y = 0;
    if (weft_image_size(info, &size, NULL) != WEFT_OK || info->width > limits->pixels / info->height ||
        weft_row_size(info) > (uint64_t)limits->memory)
        return false;
    row = weft_reallocate(NULL, weft_row_size(info), 1);
    while (row && y < info->height && codec->read(state, row, NULL) == WEFT_OK)
        y++;
    weft_free(row);
    return y == info->height;
}

enum { NONE, CUT, WHOLE };

static int read_over(const weft_codec *codec, weft_coding *coding, const weft_read_limits *limits) {
    weft_header header = {.whole = false};
    if (setjmp(coding->jump) != 0 || codec->open_reader(coding, &header, NULL) != WEFT_OK)
        return NONE;
    return read_rows(codec, coding, &header.info, limits) ? WHOLE : CUT;
}

int64_t weft_count_followers(weft_input *input, const weft_read_limits *limits) {
    const weft_codec *codec;
    int64_t count = 0;
    int found = WHOLE;
    skip_blanks(input);
    while (found == WHOLE && (input->size >= 0 || count < WEFT_MOST_FOLLOWERS) && (codec = find_codec(input)) != NULL) {
        weft_coding *coding = weft_allocate(1, codec->reader_size);
        if (!coding)
            break;
        coding->input = input;
        found = read_over(codec, coding, limits);
        weft_free(coding);
        count += found != NONE;
        skip_blanks(input);
    }
    return count;
}
