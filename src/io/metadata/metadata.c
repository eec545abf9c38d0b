/* SPDX-License-Identifier: MIT
 * What files hold beside pixels. EXIF is a small TIFF file; only its orientation is looked for, and nothing in it is
 * believed. */
#include "io/metadata/metadata.h"
#include <string.h>
#include "base/memory.h"
#include "base/status.h"

enum { TAG_ORIENTATION = 274, TYPE_SHORT = 3, ENTRY_SIZE = 12 };

static weft_status set(const void **field, size_t *field_size, const void *bytes, size_t size, weft_error *error) {
    void *copy = size > 0 ? weft_reallocate(NULL, size, 1) : NULL;
    if (size == 0)
        return WEFT_OK;
    if (!copy)
        return weft_fail_memory(error, size, "metadata");
    memcpy(copy, bytes, size);
    weft_free((void *)*field);
    *field = copy;
    *field_size = size;
    return WEFT_OK;
}

weft_status weft_metadata_set_profile(weft_metadata *metadata, const void *bytes, size_t size, weft_error *error) {
    return set(&metadata->profile, &metadata->profile_size, bytes, size, error);
}

weft_status weft_metadata_set_exif(weft_metadata *metadata, const void *bytes, size_t size, weft_error *error) {
    static const char prefix[] = "Exif\0";
    const unsigned char *from = bytes;
    if (size > sizeof prefix && memcmp(from, prefix, sizeof prefix) == 0)
        from += sizeof prefix, size -= sizeof prefix;
    return set(&metadata->exif, &metadata->exif_size, from, size, error);
}

weft_status weft_metadata_set_xmp(weft_metadata *metadata, const void *bytes, size_t size, weft_error *error) {
    return set(&metadata->xmp, &metadata->xmp_size, bytes, size, error);
}

weft_status weft_metadata_set_iptc(weft_metadata *metadata, const void *bytes, size_t size, weft_error *error) {
    return set(&metadata->iptc, &metadata->iptc_size, bytes, size, error);
}

void weft_metadata_free(weft_metadata *metadata) {
    weft_free((void *)metadata->profile);
    weft_free((void *)metadata->exif);
    weft_free((void *)metadata->xmp);
    weft_free((void *)metadata->iptc);
    *metadata = (weft_metadata){.profile = NULL};
}

static uint32_t number(const unsigned char *bytes, int count, bool big) {
    uint32_t value = 0;
    for (int i = 0; i < count; i++)
        value |= (uint32_t)bytes[i] << 8 * (big ? count - 1 - i : i);
    return value;
}

/* Where the orientation stands, 2 bytes; NULL when there is none. */
static const unsigned char *find_orientation(const void *exif, size_t size, bool *big) {
    const unsigned char *bytes = exif;
    size_t at;
    if (size < 8 || (memcmp(bytes, "II*\0", 4) != 0 && memcmp(bytes, "MM\0*", 4) != 0))
        return NULL;
    *big = bytes[0] == 'M';
    at = number(bytes + 4, 4, *big);
    if (at > size - 2)
        return NULL;
    for (uint32_t left = number(bytes + at, 2, *big); left > 0; left--, at += ENTRY_SIZE) {
        const unsigned char *entry = bytes + at + 2;
        if (size - at < 2 + ENTRY_SIZE)
            return NULL;
        if (number(entry, 2, *big) == TAG_ORIENTATION && number(entry + 2, 2, *big) == TYPE_SHORT)
            return entry + 8;
    }
    return NULL;
}

int weft_exif_orientation(const void *exif, size_t size) {
    bool big = false;
    const unsigned char *place = find_orientation(exif, size, &big);
    uint32_t orientation = place ? number(place, 2, big) : 1;
    return orientation >= 1 && orientation <= 8 ? (int)orientation : 1;
}

void weft_exif_set_upright(void *exif, size_t size) {
    bool big = false;
    const unsigned char *place = find_orientation(exif, size, &big);
    if (place) {
        unsigned char *bytes = (unsigned char *)exif + (place - (const unsigned char *)exif);
        bytes[big ? 0 : 1] = 0;
        bytes[big ? 1 : 0] = 1;
    }
}

bool weft_profile_fits(const void *profile, size_t size, int32_t channels) {
    if (size < 128)
        return false;
    const char *space = (const char *)profile + 16; /* the color space of its device side */
    return memcmp(space, channels < 3 ? "GRAY" : "RGB ", 4) == 0;
}

void weft_upright_row(const unsigned char *pixels, size_t stride, const weft_image_info *stored, int orientation,
                      int64_t y, void *row) {
    const size_t size = weft_format_size(stored->format);
    const bool turned = orientation >= 5; /* rows become columns */
    /* Whether the stored pixels that make the row are in reverse order, and whether their line is counted from the end. */
    const bool backwards = turned ? orientation == 6 || orientation == 7 : orientation == 2 || orientation == 3;
    const bool from_end = turned ? orientation == 7 || orientation == 8 : orientation == 3 || orientation == 4;
    const int64_t count = turned ? stored->height : stored->width;
    const int64_t lines = turned ? stored->width : stored->height;
    const size_t line = (size_t)(from_end ? lines - 1 - y : y);
    const ptrdiff_t step = (ptrdiff_t)(turned ? stride : size);
    const unsigned char *from = pixels + line * (turned ? size : stride);
    unsigned char *to = row;
    if (backwards)
        from += (count - 1) * step;
    for (int64_t x = 0; x < count; x++, to += size)
        memcpy(to, from + x * (backwards ? -step : step), size);
}
