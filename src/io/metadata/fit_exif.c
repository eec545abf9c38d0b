/* SPDX-License-Identifier: MIT
 * EXIF is a TIFF file without pixels: directories of entries, which point to values and to further directories. The
 * main one is followed by one of a thumbnail. Directories are compacted where they stand; a map of the bytes that they
 * use tells what to wipe. */
#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "io/metadata/fit.h"

enum { HEADER = 8, ENTRY = 12, TYPE_BYTE = 1, TYPE_SHORT = 3, TYPE_LONG = 4, TYPE_UNDEFINED = 7, TYPE_DIRECTORY = 13 };
enum { TAG_DESCRIPTION = 270, TAG_CAMERA = 34665, TAG_PLACE = 34853, TAG_INTEROPERABILITY = 40965 };

enum directory { MAIN, CAMERA, PLACE, INTEROPERABILITY, DIRECTORIES };

/* Tags of the main directory that are left out: where pixels lie, other pictures, and Adobe's block, which has a thumbnail. XMP
 * and IPTC are carried apart from EXIF. */
static const uint16_t pictures[] = {273, 279, 288, 289, 322, 323, 324, 325,   330,   347,
                                    512, 513, 514, 519, 520, 521, 700, 20507, 33723, 34377};

static const struct {
    uint16_t tag;
    bool across; /* a width */
    enum directory directory;
} sizes[] = {{256, true, MAIN}, {257, false, MAIN}, {40962, true, CAMERA}, {40963, false, CAMERA}};

struct edit {
    unsigned char *bytes, *used; /* used: a mark for each byte */
    size_t size, left; /* left: bytes of values that may still come, since none of a sound file lie over one another */
    bool big;
    bool found[DIRECTORIES]; /* each is read once, so none can point to itself */
    const weft_fit *fit;
};

static uint32_t get(const struct edit *edit, size_t at, size_t count) {
    uint32_t value = 0;
    for (size_t i = 0; i < count; i++)
        value |= (uint32_t)edit->bytes[at + i] << 8 * (edit->big ? count - 1 - i : i);
    return value;
}

static void put(struct edit *edit, size_t at, uint32_t value, size_t count) {
    for (size_t i = 0; i < count; i++)
        edit->bytes[at + i] = (unsigned char)(value >> 8 * (edit->big ? count - 1 - i : i));
}

static bool inside(const struct edit *edit, size_t at, size_t count) {
    return at <= edit->size && count <= edit->size - at;
}

static void mark(struct edit *edit, size_t at, size_t count) { memset(edit->used + at, 1, count); }

/* Bytes of an element; 0 for types that there are none of. */
static size_t element_size(uint32_t type) {
    static const unsigned char known[] = {0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4};
    const uint32_t utf8 = 129;
    return type < sizeof known ? known[type] : type == utf8;
}

static bool begins(const unsigned char *value, size_t size, const char *text) {
    return size >= strlen(text) && memcmp(value, text, strlen(text)) == 0;
}

static bool has(const unsigned char *value, size_t size, const char *text) {
    for (size_t at = 0; at + strlen(text) <= size; at++)
        if (begins(value + at, size - at, text))
            return true;
    return false;
}

/* What ImageJ, OME and tifffile say of the pixels beside it. */
static bool describes_a_shape(const unsigned char *value, size_t size) {
    return begins(value, size, "ImageJ=") || has(value, size, "<OME") || begins(value, size, "{\"shape\"");
}

static bool keep_directory(struct edit *edit, size_t at, enum directory directory);

static bool keep_child(struct edit *edit, size_t at, enum directory child) {
    const uint32_t type = get(edit, at + 2, 2);
    return (type == TYPE_LONG || type == TYPE_DIRECTORY) && get(edit, at + 4, 4) == 1 &&
           keep_directory(edit, get(edit, at + 8, 4), child);
}

/* The value of the entry at `at`, size bytes; false when it lies elsewhere. */
static bool find_value(const struct edit *edit, size_t at, size_t *place, size_t *size) {
    const size_t element = element_size(get(edit, at + 2, 2)), count = get(edit, at + 4, 4);
    if (element == 0 || !weft_multiply(element, count, size))
        return false;
    *place = *size <= 4 ? at + 8 : get(edit, at + 8, 4);
    return inside(edit, *place, *size) && *size <= edit->left;
}

static void set_size(struct edit *edit, size_t at, int64_t value) {
    const bool narrow = get(edit, at + 2, 2) == TYPE_SHORT && value <= UINT16_MAX;
    put(edit, at + 2, narrow ? TYPE_SHORT : TYPE_LONG, 2);
    put(edit, at + 4, 1, 4);
    put(edit, at + 8, 0, 4);
    put(edit, at + 8, (uint32_t)value, narrow ? 2 : 4);
}

/* Whether an entry stays; then it says what is true, and its value is marked. */
static bool keep_entry(struct edit *edit, size_t at, enum directory directory) {
    const uint32_t tag = get(edit, at, 2), type = get(edit, at + 2, 2);
    size_t place, size;
    for (size_t i = 0; directory == MAIN && i < sizeof pictures / sizeof *pictures; i++)
        if (pictures[i] == tag)
            return false;
    if (directory == MAIN && tag == TAG_CAMERA)
        return keep_child(edit, at, CAMERA);
    if (directory == MAIN && tag == TAG_PLACE)
        return !edit->fit->no_place && keep_child(edit, at, PLACE);
    if (directory == CAMERA && tag == TAG_INTEROPERABILITY)
        return keep_child(edit, at, INTEROPERABILITY);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (sizes[i].tag == tag && sizes[i].directory == directory) {
            set_size(edit, at, sizes[i].across ? edit->fit->width : edit->fit->height);
            return true;
        }
    if (!find_value(edit, at, &place, &size))
        return false;
    edit->left -= size;
    if (directory == MAIN && tag == TAG_DESCRIPTION && describes_a_shape(edit->bytes + place, size))
        return false;
    /* Makers' notes, and who knows what else, may hold a JPEG file. */
    if ((type == TYPE_BYTE || type == TYPE_UNDEFINED) && has(edit->bytes + place, size, "\xff\xd8\xff"))
        return false;
    mark(edit, place, size);
    return true;
}

/* Whether there is such a directory and anything in it; no other follows it then. */
static bool keep_directory(struct edit *edit, size_t start, enum directory directory) {
    size_t count, kept = 0;
    if (edit->found[directory] || start < HEADER || !inside(edit, start, 2))
        return false;
    edit->found[directory] = true;
    count = get(edit, start, 2);
    for (size_t i = 0, at = start + 2; i < count && inside(edit, at, ENTRY); i++, at += ENTRY)
        if (keep_entry(edit, at, directory)) {
            memmove(edit->bytes + start + 2 + kept * ENTRY, edit->bytes + at, ENTRY);
            kept++;
        }
    put(edit, start, (uint32_t)kept, 2);
    mark(edit, start, 2 + kept * ENTRY);
    if (inside(edit, start + 2 + kept * ENTRY, 4)) {
        put(edit, start + 2 + kept * ENTRY, 0, 4);
        mark(edit, start + 2 + kept * ENTRY, 4);
    }
    return kept > 0;
}

weft_status weft_exif_fit(unsigned char *bytes, size_t *size, const weft_fit *fit, weft_error *error) {
    struct edit edit = {.bytes = bytes, .size = *size, .left = *size, .fit = fit};
    size_t end = 0;
    bool kept;
    if (*size < HEADER || (memcmp(bytes, "II*\0", 4) != 0 && memcmp(bytes, "MM\0*", 4) != 0)) {
        *size = 0;
        return WEFT_OK;
    }
    edit.big = bytes[0] == 'M';
    edit.used = weft_allocate(*size, 1);
    if (!edit.used)
        return weft_fail_memory(error, *size, "EXIF");
    mark(&edit, 0, HEADER);
    kept = keep_directory(&edit, get(&edit, 4, 4), MAIN);
    for (size_t at = 0; at < *size; at++) {
        bytes[at] = edit.used[at] ? bytes[at] : 0;
        end = edit.used[at] ? at + 1 : end;
    }
    weft_free(edit.used);
    *size = kept ? end : 0;
    return WEFT_OK;
}
