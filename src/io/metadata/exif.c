/* SPDX-License-Identifier: MIT
 * Reading EXIF from TIFF files. libtiff knows the directories of EXIF too, but only the tags that its version has heard of. */
#include "io/metadata/exif_layout.h"
#include <string.h>
#include "base/memory.h"

enum {
    TAG_X_RESOLUTION = 282,
    TAG_Y_RESOLUTION = 283,
    TAG_RESOLUTION_UNIT = 296,
    TAG_XMP = 700,
    TAG_IPTC = 33723,
    TYPE_TEXT = 2,
    MOST_ENTRIES = 1000,      /* of a directory */
    LARGEST_VALUES = 16 << 20 /* of all; a file may claim any */
};
static const uint64_t nowhere = UINT64_MAX;

/* Tags of the main directory that are read: description, make, model, software, date, artist, computer, copyright, resolution. */
static const uint16_t told[] = {270, 271, 272,  TAG_X_RESOLUTION, TAG_Y_RESOLUTION, TAG_RESOLUTION_UNIT, 305, 306,
                                315, 316, 33432};

static const struct {
    uint16_t tag;
    enum weft_exif_directory directory, child;
} pointers[] = {
    {34665, EXIF_MAIN, EXIF_CAMERA}, {34853, EXIF_MAIN, EXIF_PLACE}, {40965, EXIF_CAMERA, EXIF_INTEROPERABILITY}};

/* Where bytes come from, a file or memory, and how numbers lie in it. */
struct source {
    weft_input *input;
    const unsigned char *bytes;
    uint64_t size;
    bool reversed; /* the other byte order than this machine's */
    bool big;      /* BigTIFF: counts and offsets of 8 bytes */
};

/* Bytes of an element of each type, and of the numbers that it is made of; 0 for types that no EXIF has. */
static size_t element_size(uint16_t type) {
    static const unsigned char sizes[] = {0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4};
    return type < sizeof sizes ? sizes[type] : 0;
}
static size_t number_size(uint16_t type) { return type == 5 || type == 10 ? 4 : element_size(type); }

static void reverse(unsigned char *bytes, size_t size, size_t number) {
    for (size_t at = 0; at + number <= size; at += number)
        for (size_t i = 0; i < number / 2; i++) {
            const unsigned char byte = bytes[at + i];
            bytes[at + i] = bytes[at + number - 1 - i];
            bytes[at + number - 1 - i] = byte;
        }
}

static bool fetch(const struct source *source, uint64_t offset, void *to, size_t size) {
    if (offset > source->size || size > source->size - offset)
        return false;
    if (source->input)
        return weft_input_read_at(source->input, (int64_t)offset, to, size);
    memcpy(to, source->bytes + offset, size);
    return true;
}

/* A number of 2, 4 or 8 bytes. */
static uint64_t number_at(const struct source *source, const unsigned char *bytes, size_t size) {
    unsigned char copy[8];
    uint16_t two;
    uint32_t four = 0;
    uint64_t eight = 0;
    memcpy(copy, bytes, size);
    if (source->reversed)
        reverse(copy, size, size);
    memcpy(&two, copy, sizeof two);
    memcpy(&four, copy, size >= 4 ? sizeof four : 0);
    memcpy(&eight, copy, size >= 8 ? sizeof eight : 0);
    return size == 2 ? two : size == 4 ? four : eight;
}

/* Finds the byte order, and where the main directory lies: nowhere when this is no TIFF file. */
static uint64_t find_main(struct source *source) {
    unsigned char header[16] = {0};
    uint64_t version;
    if (!fetch(source, 0, header, EXIF_HEADER) || (memcmp(header, "II", 2) != 0 && memcmp(header, "MM", 2) != 0))
        return nowhere;
    source->reversed = (header[0] == 'M') != weft_big_endian();
    version = number_at(source, header + 2, 2);
    source->big = version == 43;
    if (source->big && fetch(source, 0, header, sizeof header))
        return number_at(source, header + 8, 8);
    return version == 42 ? number_at(source, header + 4, 4) : nowhere;
}

/* Room for `more` elements behind `count` of them; the same array, or NULL. */
static void *room_for(void *array, size_t count, size_t more, size_t size, size_t *capacity) {
    size_t wanted;
    void *grown = array;
    if (!weft_add(count, more, &wanted))
        return NULL;
    if (wanted > *capacity || !array) {
        const size_t enough = wanted > SIZE_MAX / 2 ? wanted : 2 * wanted + 16;
        grown = weft_reallocate(array, enough, size);
        *capacity = grown ? enough : *capacity;
    }
    return grown;
}

/* Adds an entry whose value is fetched from `offset`; one that lies elsewhere than in the file is left out, and one too
 * many. */
static weft_status add_entry(weft_exif *exif, const struct source *source, weft_exif_entry entry, uint64_t offset,
                             weft_error *error) {
    weft_exif_entry *entries;
    unsigned char *values;
    if (entry.size > LARGEST_VALUES - exif->value_size)
        return WEFT_OK;
    entries = room_for(exif->entries, exif->entry_count, 1, sizeof *entries, &exif->entry_capacity);
    if (!entries)
        return weft_fail_memory(error, sizeof *entries, "EXIF");
    exif->entries = entries;
    values = room_for(exif->values, exif->value_size, entry.size, 1, &exif->value_capacity);
    if (!values)
        return weft_fail_memory(error, entry.size, "EXIF");
    exif->values = values;
    if (!fetch(source, offset, values + exif->value_size, entry.size))
        return WEFT_OK;
    const bool apart = entry.directory == EXIF_MAIN && (entry.tag == TAG_XMP || entry.tag == TAG_IPTC);
    if (source->reversed && !apart)
        reverse(values + exif->value_size, entry.size, number_size(entry.type));
    entry.at = exif->value_size;
    exif->value_size += entry.size;
    if (apart) {
        *(entry.tag == TAG_XMP ? &exif->xmp : &exif->iptc) = entry;
        return WEFT_OK;
    }
    entries[exif->entry_count++] = entry;
    return WEFT_OK;
}

static enum weft_exif_directory child_of(enum weft_exif_directory directory, uint16_t tag) {
    for (size_t i = 0; i < sizeof pointers / sizeof *pointers; i++)
        if (pointers[i].tag == tag && pointers[i].directory == directory)
            return pointers[i].child;
    return EXIF_MAIN;
}

static bool is_told(uint16_t tag) {
    if (tag == TAG_XMP || tag == TAG_IPTC)
        return true;
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        if (told[i] == tag)
            return true;
    return false;
}

size_t weft_exif_count(const weft_exif *exif, enum weft_exif_directory directory) {
    size_t count = 0;
    for (size_t i = 0; i < exif->entry_count; i++)
        count += exif->entries[i].directory == directory;
    return count;
}

/* Each directory is read once, so none of them can point to itself. */
static weft_status read_directory(weft_exif *exif, const struct source *source, uint64_t offset,
                                  enum weft_exif_directory directory, weft_error *error) {
    const size_t word = source->big ? 8 : 4, length = 4 + 2 * word;
    unsigned char bytes[20];
    uint64_t count;
    weft_status status = WEFT_OK;
    if (exif->found[directory] || !fetch(source, offset, bytes, source->big ? 8 : 2))
        return WEFT_OK;
    exif->found[directory] = true;
    count = number_at(source, bytes, source->big ? 8 : 2);
    offset += source->big ? 8 : 2;
    for (uint64_t i = 0; status == WEFT_OK && i < count && i < MOST_ENTRIES; i++, offset += length) {
        if (!fetch(source, offset, bytes, length))
            return WEFT_OK;
        const uint64_t elements = number_at(source, bytes + 4, word);
        weft_exif_entry entry = {.directory = directory,
                                 .tag = (uint16_t)number_at(source, bytes, 2),
                                 .type = (uint16_t)number_at(source, bytes + 2, 2)};
        entry.child = child_of(directory, entry.tag);
        if (entry.child != EXIF_MAIN) {
            const bool wide = source->big && (entry.type == EXIF_TYPE_LONG_8 || entry.type == EXIF_TYPE_DIRECTORY_8);
            if (!wide && entry.type != EXIF_TYPE_LONG && entry.type != EXIF_TYPE_DIRECTORY)
                continue;
            const uint64_t place = number_at(source, bytes + 4 + word, wide ? 8 : 4);
            const bool known = exif->found[entry.child];
            status = read_directory(exif, source, place, entry.child, error);
            if (status == WEFT_OK && !known && weft_exif_count(exif, entry.child) > 0)
                status = add_entry(exif, source, entry, 0, error);
            continue;
        }
        const size_t size = element_size(entry.type);
        if (size == 0 || elements > LARGEST_VALUES / size || (directory == EXIF_MAIN && !is_told(entry.tag)))
            continue;
        entry.count = (uint32_t)elements;
        entry.size = (size_t)elements * size;
        status = add_entry(exif, source, entry,
                           entry.size <= word ? offset + 4 + word : number_at(source, bytes + 4 + word, word), error);
    }
    return status;
}

static weft_status read_all(weft_exif *exif, struct source *source, weft_error *error) {
    const uint64_t place = find_main(source);
    return place == nowhere ? WEFT_OK : read_directory(exif, source, place, EXIF_MAIN, error);
}

weft_status weft_exif_read(weft_exif *exif, const void *bytes, size_t size, weft_error *error) {
    struct source source = {.bytes = bytes, .size = size};
    return read_all(exif, &source, error);
}

weft_status weft_exif_read_tiff(weft_exif *exif, weft_input *input, weft_error *error) {
    struct source source = {.input = input, .size = (uint64_t)(input->size > 0 ? input->size : 0)};
    return read_all(exif, &source, error);
}

void weft_exif_clear(weft_exif *exif) {
    weft_free(exif->entries);
    weft_free(exif->values);
    *exif = (weft_exif){.entries = NULL};
}

const void *weft_exif_xmp(const weft_exif *exif, size_t *size) {
    *size = exif->xmp.size;
    return *size > 0 ? exif->values + exif->xmp.at : NULL;
}

/* Some programs write it as numbers of 4 bytes in the other order. */
const void *weft_exif_iptc(const weft_exif *exif, size_t *size) {
    const unsigned char mark = 0x1C;
    unsigned char *bytes;
    *size = exif->iptc.size;
    if (*size == 0)
        return NULL;
    bytes = exif->values + exif->iptc.at;
    if (*size >= 4 && bytes[0] != mark && bytes[3] == mark)
        reverse(bytes, *size, 4);
    return bytes;
}

const char *weft_exif_text(const weft_exif *exif, const weft_exif_entry *entry) {
    const char *text = (const char *)exif->values + entry->at;
    return entry->type == TYPE_TEXT && entry->size > 0 && !text[entry->size - 1] ? text : NULL;
}
