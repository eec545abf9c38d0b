/* SPDX-License-Identifier: MIT
 * Pieces of a deflate stream by zlib. What filters of PNG leave of photographs hardly repeats: runs and short codes do for it. Of
 * drawings whole rows repeat. Which of both a piece is, samples of it tell. */
#include "io/png/png_deflate.h"
#include <string.h>
#include <zlib.h>
#include "base/memory.h"

enum { WINDOW_BITS = -15, MEMORY = 9, SAMPLES = 4, SAMPLE = 8192 }; /* no head of zlib's; the largest tables */

/* zlib's level for each level of the option: of filtered rows its own 6 makes files hardly smaller than 5 in much more time. */
static const int levels[WEFT_DEFLATE_LEVELS] = {0, 1, 2, 3, 4, 4, 5, 6, 8, 9};

struct weft_deflate {
    z_stream repeats, runs;
    unsigned char *spare; /* what becomes of a sample of SAMPLE bytes, at most `room` bytes */
    size_t room;
};

static voidpf get(voidpf user, uInt count, uInt size) {
    (void)user;
    return weft_allocate(count, size);
}
static void let_go(voidpf user, voidpf memory) {
    (void)user;
    weft_free(memory);
}

static bool begin(z_stream *stream, int level, int strategy) {
    *stream = (z_stream){.zalloc = get, .zfree = let_go};
    return deflateInit2(stream, level, Z_DEFLATED, WINDOW_BITS, MEMORY, strategy) == Z_OK;
}

weft_deflate *weft_deflate_create(int level) {
    weft_deflate *deflate = weft_allocate(1, sizeof *deflate);
    if (!deflate)
        return NULL;
    deflate->room = weft_deflate_bound(SAMPLE);
    bool good = begin(&deflate->repeats, levels[level], Z_DEFAULT_STRATEGY);
    if (good && level > 0) {
        deflate->spare = weft_reallocate(NULL, deflate->room, 1);
        good = deflate->spare && begin(&deflate->runs, 1, Z_RLE);
    }
    if (!good)
        weft_deflate_destroy(&deflate);
    return deflate;
}

void weft_deflate_destroy(weft_deflate **deflate) {
    if (!*deflate)
        return;
    deflateEnd(&(*deflate)->repeats);
    deflateEnd(&(*deflate)->runs);
    weft_free((*deflate)->spare);
    weft_free(*deflate);
    *deflate = NULL;
}

/* As deflateBound says of all settings, and the end of a piece. */
size_t weft_deflate_bound(size_t size) { return size + size / 8 + size / 64 + 64; }

static size_t compress_by(z_stream *stream, const unsigned char *bytes, size_t before, size_t size, bool last,
                          unsigned char *target, size_t room) {
    deflateReset(stream);
    if (before > 0)
        deflateSetDictionary(stream, bytes - before, (uInt)before);
    stream->next_out = target;
    size_t left = room;
    do {
        const uInt part = size < 1u << 30 ? (uInt)size : 1u << 30, space = left < 1u << 30 ? (uInt)left : 1u << 30;
        stream->next_in = (Bytef *)bytes;
        stream->avail_in = part;
        stream->avail_out = space;
        deflate(stream, part < size ? Z_NO_FLUSH : last ? Z_FINISH : Z_SYNC_FLUSH);
        bytes += part - stream->avail_in;
        size -= part - stream->avail_in;
        left -= space - stream->avail_out;
    } while (size > 0);
    return room - left;
}

/* Whether samples of a piece become smaller by runs alone. */
static bool has_runs_alone(weft_deflate *deflate, const unsigned char *bytes, size_t size) {
    const size_t sample = size / SAMPLES < SAMPLE ? size / SAMPLES : SAMPLE, room = deflate->room;
    size_t runs = 0, repeats = 0;
    for (size_t i = 0; i < SAMPLES; i++) {
        const unsigned char *at = bytes + size / SAMPLES * i;
        runs += compress_by(&deflate->runs, at, 0, sample, true, deflate->spare, room);
        repeats += compress_by(&deflate->repeats, at, 0, sample, true, deflate->spare, room);
    }
    return runs < repeats;
}

size_t weft_deflate_piece(weft_deflate *deflate, const unsigned char *bytes, size_t before, size_t size, bool last,
                          unsigned char *target) {
    z_stream *stream = deflate->spare && has_runs_alone(deflate, bytes, size) ? &deflate->runs : &deflate->repeats;
    return compress_by(stream, bytes, before, size, last, target, weft_deflate_bound(size));
}
