/* SPDX-License-Identifier: MIT
 * Writing EXIF into TIFF files and by itself. */
#include "io/metadata/exif_layout.h"
#include <string.h>
#include "base/memory.h"

/* Directories that are being written one behind the other. */
struct block {
    const weft_exif *exif;
    unsigned char *bytes;
    size_t used;
    uint64_t offset; /* in the file */
    bool big;
};

static void put(unsigned char *to, uint64_t value, size_t size) {
    const uint16_t two = (uint16_t)value;
    const uint32_t four = (uint32_t)value;
    memcpy(to, size == 2 ? (const void *)&two : size == 4 ? (const void *)&four : (const void *)&value, size);
}

/* Bytes before the entries, of each, and behind them. */
static size_t directory_size(size_t count, bool big) { return big ? 8 + 20 * count + 8 : 2 + 12 * count + 4; }

/* Returns where in the file the directory begins. */
static uint64_t put_directory(struct block *block, enum weft_exif_directory directory) {
    const weft_exif *exif = block->exif;
    const size_t word = block->big ? 8 : 4, count = weft_exif_count(exif, directory), start = block->used;
    unsigned char *to = block->bytes + start;
    put(to, count, block->big ? 8 : 2);
    to += block->big ? 8 : 2;
    block->used += directory_size(count, block->big);
    for (size_t i = 0; i < exif->entry_count; i++) {
        const weft_exif_entry *entry = &exif->entries[i];
        if (entry->directory != directory)
            continue;
        put(to, entry->tag, 2);
        block->used += block->used % 2; /* values begin at even places */
        if (entry->child != EXIF_MAIN) {
            put(to + 2, block->big ? EXIF_TYPE_DIRECTORY_8 : EXIF_TYPE_LONG, 2);
            put(to + 4, 1, word);
            put(to + 4 + word, put_directory(block, entry->child), word);
        } else {
            put(to + 2, entry->type, 2);
            put(to + 4, entry->count, word);
            memcpy(entry->size <= word ? to + 4 + word : block->bytes + block->used, exif->values + entry->at,
                   entry->size);
            if (entry->size > word) {
                put(to + 4 + word, block->offset + block->used, word);
                block->used += entry->size;
            }
        }
        to += 4 + 2 * word;
    }
    return block->offset + start;
}

weft_status weft_exif_write(const weft_exif *exif, enum weft_exif_directory directory, uint64_t offset, bool big,
                            unsigned char **bytes, size_t *size, weft_error *error) {
    size_t most = EXIF_DIRECTORIES * directory_size(0, big) + exif->entry_count * (directory_size(1, big) + 1);
    *bytes = NULL;
    *size = 0;
    if (weft_exif_count(exif, directory) == 0)
        return WEFT_OK;
    *bytes = weft_add(most, exif->value_size, &most) ? weft_allocate(most, 1) : NULL;
    if (!*bytes)
        return weft_fail_memory(error, most, "EXIF");
    struct block block = {exif, *bytes, 0, offset, big};
    put_directory(&block, directory);
    *size = block.used;
    return WEFT_OK;
}

weft_status weft_exif_write_alone(const weft_exif *exif, unsigned char **block, size_t *size, weft_error *error) {
    unsigned char *directories = NULL;
    weft_status status = weft_exif_write(exif, EXIF_MAIN, EXIF_HEADER, false, &directories, size, error);
    *block = NULL;
    if (status != WEFT_OK || *size == 0)
        return status;
    *block = weft_allocate(EXIF_HEADER + *size, 1);
    if (*block) {
        memcpy(*block, weft_big_endian() ? "MM\0*" : "II*\0", 4);
        put(*block + 4, EXIF_HEADER, 4);
        memcpy(*block + EXIF_HEADER, directories, *size);
        *size += EXIF_HEADER;
    } else {
        status = weft_fail_memory(error, EXIF_HEADER + *size, "EXIF");
    }
    weft_free(directories);
    return status;
}
