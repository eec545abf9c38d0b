/* SPDX-License-Identifier: MIT */
#include "io/jpeg/jpeg_pictures.h"
#include <stdbool.h>
#include <string.h>

enum { COUNT_TAG = 0xB001, ENTRIES_TAG = 0xB002, ENTRY = 16, FIELD = 12 };
/* What a picture is for, in the first four bytes of its entry; the other bits are of other things. */
enum { PURPOSE = 0xffffff, SMALL_COPY = 0x010001, LARGER_COPY = 0x010002 };

struct index {
    const unsigned char *data;
    size_t size;
    bool reversed;
};

/* A number at a place; false when it is not there. */
static bool get(const struct index *index, size_t at, size_t bytes, uint32_t *number) {
    if (at > index->size || index->size - at < bytes)
        return false;
    *number = 0;
    for (size_t i = 0; i < bytes; i++)
        *number |= (uint32_t)index->data[at + i] << 8 * (index->reversed ? bytes - 1 - i : i);
    return true;
}

/* The value of a field of the directory at `at`, which is its place where it is long. */
static bool find(const struct index *index, size_t at, uint32_t wanted, uint32_t *value) {
    uint32_t count, tag;
    if (!get(index, at, 2, &count))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const size_t field = at + 2 + (size_t)i * FIELD;
        if (!get(index, field, 2, &tag))
            return false;
        if (tag == wanted)
            return get(index, field + 8, 4, value);
    }
    return false;
}

int64_t weft_jpeg_count_pictures(const unsigned char *data, size_t size) {
    static const unsigned char signature[4] = "MPF";
    uint32_t directory, count, entries, purpose;
    int64_t pictures = 0;
    if (size < sizeof signature + 8 || memcmp(data, signature, sizeof signature) != 0)
        return 1;
    struct index index = {data + sizeof signature, size - sizeof signature, data[sizeof signature] == 'M'};
    if (!get(&index, 4, 4, &directory) || !find(&index, directory, COUNT_TAG, &count) ||
        !find(&index, directory, ENTRIES_TAG, &entries))
        return 1;
    for (uint32_t i = 0; i < count && get(&index, (size_t)entries + (size_t)i * ENTRY, 4, &purpose); i++)
        pictures += (purpose & PURPOSE) != SMALL_COPY && (purpose & PURPOSE) != LARGER_COPY;
    return pictures > 1 ? pictures : 1;
}
