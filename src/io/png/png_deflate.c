/* SPDX-License-Identifier: MIT
 * Pieces of a deflate stream by libdeflate, which makes whole streams alone. The last block of each says that it is the last: zlib,
 * reading block by block, tells where it begins, and the bit that says so is taken back. A block without bytes behind it ends at a
 * whole byte. */
#include "io/png/png_deflate.h"
#include <libdeflate.h>
#include <string.h>
#include <zlib.h>
#include "base/memory.h"

enum { NO_HEAD = -15, SCRATCH = 65536, AT_BLOCK = 128, AFTER_LAST = 64, SPARE_BITS = 7, END = 5 };

/* libdeflate's level for each of the option's. */
static const int levels[WEFT_DEFLATE_LEVELS] = {0, 1, 2, 3, 4, 5, 6, 8, 10, 12};

struct weft_deflate {
    struct libdeflate_compressor *compressor;
    z_stream reader;
    unsigned char scratch[SCRATCH]; /* what the reader writes; it is not used */
};

static voidpf get(voidpf user, uInt count, uInt size) {
    (void)user;
    return weft_allocate(count, size);
}
static void let_go(voidpf user, voidpf memory) {
    (void)user;
    weft_free(memory);
}

weft_deflate *weft_deflate_create(int level) {
    weft_deflate *deflate = weft_allocate(1, sizeof *deflate);
    if (!deflate)
        return NULL;
    deflate->reader = (z_stream){.zalloc = get, .zfree = let_go};
    deflate->compressor = libdeflate_alloc_compressor(levels[level]);
    if (!deflate->compressor || inflateInit2(&deflate->reader, NO_HEAD) != Z_OK)
        weft_deflate_destroy(&deflate);
    return deflate;
}

void weft_deflate_destroy(weft_deflate **deflate) {
    if (!*deflate)
        return;
    libdeflate_free_compressor((*deflate)->compressor);
    inflateEnd(&(*deflate)->reader);
    weft_free(*deflate);
    *deflate = NULL;
}

size_t weft_deflate_bound(size_t size) { return libdeflate_deflate_compress_bound(NULL, size) + END; }

/* Finds the bits at which the last block of a stream begins and ends. */
static bool find_last(weft_deflate *deflate, const unsigned char *stream, size_t size, size_t *begin, size_t *end) {
    z_stream *reader = &deflate->reader;
    *begin = 0;
    if (size > UINT32_MAX || inflateReset(reader) != Z_OK)
        return false;
    reader->next_in = (Bytef *)stream;
    reader->avail_in = (uInt)size;
    for (;;) {
        reader->next_out = deflate->scratch;
        reader->avail_out = SCRATCH;
        if (inflate(reader, Z_BLOCK) != Z_OK)
            return false;
        if (!(reader->data_type & AT_BLOCK))
            continue;
        *end = (size_t)(reader->next_in - stream) * 8 - (size_t)(reader->data_type & SPARE_BITS);
        if (reader->data_type & AFTER_LAST)
            return true;
        *begin = *end;
    }
}

size_t weft_deflate_piece(weft_deflate *deflate, const unsigned char *bytes, size_t size, bool last,
                          unsigned char *target) {
    static const unsigned char empty[] = {0, 0, 0xFF, 0xFF};
    size_t made = libdeflate_deflate_compress(deflate->compressor, bytes, size, target, weft_deflate_bound(size) - END);
    size_t begin, end;
    if (made == 0 || last)
        return made;
    if (!find_last(deflate, target, made, &begin, &end))
        return 0;
    target[begin / 8] &= (unsigned char)~(1u << begin % 8);
    made = (end + 3 + 7) / 8; /* the empty block begins with three bits of 0 */
    if (made > (end + 7) / 8)
        target[made - 1] = 0;
    memcpy(target + made, empty, sizeof empty);
    return made + sizeof empty;
}
