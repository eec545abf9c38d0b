/* SPDX-License-Identifier: MIT
 * Resolutions, for files that have no place for one but in EXIF. */
#include "io/metadata/resolution.h"
#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "io/metadata/exif.h"

enum { TAG_X = 282, TAG_Y = 283, TAG_UNIT = 296, TYPE_SHORT = 3, TYPE_RATIONAL = 5, INCHES = 2, CENTIMETERS = 3 };
/* A resolution that is not a whole number is kept in thousandths. */
static const double finest = 1000;

/* The quotient of an entry's two numbers; 0 when it is none. */
static double quotient(const weft_exif *exif, const weft_exif_entry *entry) {
    uint32_t numbers[2];
    if (entry->type != TYPE_RATIONAL || entry->size != sizeof numbers)
        return 0;
    memcpy(numbers, exif->values + entry->at, sizeof numbers);
    return numbers[1] > 0 ? (double)numbers[0] / (double)numbers[1] : 0;
}

weft_status weft_resolution_find(weft_metadata *metadata, weft_error *error) {
    weft_exif exif = {.entries = NULL};
    double x = 0, y = 0, inches = 1;
    weft_status status = weft_exif_read(&exif, metadata->exif, metadata->exif_size, error);
    for (size_t i = 0; status == WEFT_OK && i < exif.entry_count; i++) {
        const weft_exif_entry *entry = &exif.entries[i];
        uint16_t unit = INCHES;
        if (entry->directory != EXIF_MAIN)
            continue;
        if (entry->tag == TAG_X)
            x = quotient(&exif, entry);
        if (entry->tag == TAG_Y)
            y = quotient(&exif, entry);
        if (entry->tag == TAG_UNIT && entry->type == TYPE_SHORT && entry->size == sizeof unit)
            memcpy(&unit, exif.values + entry->at, sizeof unit);
        if (entry->tag == TAG_UNIT)
            inches = unit == INCHES ? 1 : unit == CENTIMETERS ? 2.54 : 0;
    }
    if (x > 0 && y > 0 && inches > 0) {
        metadata->x_resolution = x * inches;
        metadata->y_resolution = y * inches;
    }
    weft_exif_clear(&exif);
    return status;
}

static void set_rational(uint32_t numbers[2], double value) {
    const double whole = nearbyint(value);
    const bool is_whole = whole == value || value * finest > UINT32_MAX;
    numbers[0] = (uint32_t)(is_whole ? whole : nearbyint(value * finest));
    numbers[1] = (uint32_t)(is_whole ? 1 : finest);
}

weft_status weft_resolution_write(const weft_metadata *metadata, unsigned char **exif, size_t *size,
                                  weft_error *error) {
    struct {
        uint32_t x[2], y[2];
        uint16_t unit;
    } values = {.unit = INCHES};
    weft_exif_entry entries[] = {
        {.tag = TAG_X, .type = TYPE_RATIONAL, .count = 1, .at = 0, .size = sizeof values.x},
        {.tag = TAG_Y, .type = TYPE_RATIONAL, .count = 1, .at = 8, .size = sizeof values.y},
        {.tag = TAG_UNIT, .type = TYPE_SHORT, .count = 1, .at = 16, .size = sizeof values.unit}};
    const weft_exif alone = {
        .entries = entries, .entry_count = 3, .values = (unsigned char *)&values, .value_size = sizeof values};
    *exif = NULL;
    *size = 0;
    if (!(metadata->x_resolution > 0 && metadata->y_resolution > 0 && metadata->x_resolution <= UINT32_MAX &&
          metadata->y_resolution <= UINT32_MAX))
        return WEFT_OK;
    set_rational(values.x, metadata->x_resolution);
    set_rational(values.y, metadata->y_resolution);
    return weft_exif_write_alone(&alone, exif, size, error);
}
