/* SPDX-License-Identifier: MIT
 * How many pages a TIFF file has, and where. Its directories are walked over here, for libtiff would read all of each. */
#include <stdlib.h>
#include <string.h>
#include "io/tiff/tiff_reader.h"

enum { HEADER = 16, KIND_TAG = 254, OLD_KIND_TAG = 255, REDUCED = 1, MASK = 4, OLD_REDUCED = 2, MOST_PAGES = 1 << 20 };

struct walk {
    weft_input *input;
    bool reversed, big; /* big: BigTIFF, numbers of 8 bytes */
};

/* A number at a place of the file; false when it is not there. */
static bool get(const struct walk *walk, int64_t at, size_t size, uint64_t *number) {
    unsigned char bytes[8];
    if (at < 0 || at > walk->input->size - (int64_t)size || !weft_input_read_at(walk->input, at, bytes, size))
        return false;
    *number = 0;
    for (size_t i = 0; i < size; i++)
        *number |= (uint64_t)bytes[i] << 8 * (walk->reversed ? size - 1 - i : i);
    return true;
}

/* Whether the directory is of a page and not of a smaller copy or a mask of one; its first entries say so. *next is
 * where the next one lies, 0 for none. False when it is not all there. */
static bool read_directory(const struct walk *walk, int64_t at, bool *page, int64_t *next) {
    const size_t word = walk->big ? 8 : 2, entry = walk->big ? 20 : 12, link = walk->big ? 8 : 4;
    uint64_t count, tag, type, kind, place;
    if (!get(walk, at, word, &count) || count > UINT16_MAX)
        return false;
    at += (int64_t)word;
    *page = true;
    for (uint64_t i = 0; i < count && i < 2; i++) {
        const int64_t here = at + (int64_t)(i * entry);
        if (!get(walk, here, 2, &tag) || !get(walk, here + 2, 2, &type) ||
            !get(walk, here + (walk->big ? 12 : 8), type == TIFF_SHORT ? 2 : 4, &kind))
            return false;
        if ((tag == KIND_TAG && (kind & (REDUCED | MASK))) || (tag == OLD_KIND_TAG && kind == OLD_REDUCED))
            *page = false;
    }
    if (!get(walk, at + (int64_t)(count * entry), link, &place) || place > INT64_MAX)
        return false;
    *next = (int64_t)place;
    return true;
}

/* Counts pages as far as the wanted one, whose directory's place goes to *found; 0 for all. */
static int64_t walk_pages(weft_input *input, int64_t wanted, int64_t *found) {
    struct walk walk = {.input = input};
    unsigned char header[4];
    uint64_t place = 0;
    int64_t pages = 0, at, mark = 0, next;
    bool page;
    if (input->size < HEADER || !weft_input_read_at(input, 0, header, sizeof header))
        return 1;
    walk.reversed = header[0] == 'M';
    walk.big = header[walk.reversed ? 3 : 2] == 43;
    if (!get(&walk, walk.big ? 8 : 4, walk.big ? 8 : 4, &place) || place > INT64_MAX)
        return 1;
    at = (int64_t)place;
    /* A mark that is moved at every power of two is met again in any ring. */
    for (int64_t steps = 1; at != 0 && at != mark && steps < MOST_PAGES; steps++) {
        if ((steps & (steps - 1)) == 0)
            mark = at;
        if (!read_directory(&walk, at, &page, &next))
            break;
        pages += page;
        if (page && pages == wanted) {
            *found = at;
            break;
        }
        at = next;
    }
    input->sought = -1;
    return pages > 1 ? pages : 1;
}

int64_t weft_tiff_count_pages(weft_input *input) { return walk_pages(input, 0, NULL); }

int64_t weft_tiff_find_page(weft_input *input, int64_t page) {
    int64_t place = 0;
    walk_pages(input, page, &place);
    return place;
}

int64_t weft_tiff_count_stack(const weft_input *input, const char *description, uint64_t first, uint64_t size) {
    const char *line = strncmp(description, "ImageJ=", 7) == 0 ? strstr(description, "\nimages=") : NULL;
    const long long images = line ? strtoll(line + strlen("\nimages="), NULL, 10) : 1;
    const uint64_t length = input->size > 0 ? (uint64_t)input->size : 0;
    if (images < 2 || size == 0 || first > length || (length - first) / size < (uint64_t)images)
        return 1;
    return images;
}
