/* SPDX-License-Identifier: MIT
 * Metadata that are made to fit a picture, EXIF, XMP and IPTC, as nobody would write them: cut anywhere, with numbers
 * that are others, and so large that a walk over all of it for each entry would never end. WEFT_SEED=N changes the
 * damage, WEFT_ROUNDS=N how much of it there is. tests/cli/metadata.py has sound ones. */
#include <stdlib.h>
#include <string.h>
#include "check.h"
#include "io/metadata/fit.h"

static uint32_t state = 20240607;
static const weft_fit fit = {.width = 64, .height = 48, .orientation = 1};

static uint32_t draw(void) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

/* Each kind by its number, in memory of its very size, so that a sanitizer sees what goes beyond. */
static size_t run(int kind, const unsigned char *bytes, size_t size) {
    unsigned char *copy = malloc(size + (kind == 1 ? WEFT_XMP_GROWTH : 0) + 1);
    const size_t most = size + (kind == 1 ? WEFT_XMP_GROWTH : 0);
    if (!CHECK(copy != NULL))
        return 0;
    unsigned char *start = copy + (kind == 1 ? 0 : 1); /* the end is where it matters */
    memcpy(start, bytes, size);
    if (kind == 0)
        CHECK(weft_exif_fit(start, &size, &fit, NULL) == WEFT_OK);
    else if (kind == 1)
        weft_xmp_fit(start, &size, &fit);
    else
        weft_iptc_fit(start, &size);
    CHECK(size <= most);
    free(copy);
    return size;
}

static void put(unsigned char *bytes, uint32_t value, int count) {
    for (int i = 0; i < count; i++)
        bytes[i] = (unsigned char)(value >> 8 * i);
}

/* A directory of `count` entries at 8, each of a value of `size` bytes at `place`. */
static void make_entries(unsigned char *bytes, uint32_t count, uint32_t size, uint32_t place) {
    memcpy(bytes, "II*\0\x08\0\0\0", 8);
    put(bytes + 8, count, 2);
    for (uint32_t i = 0; i < count; i++) {
        unsigned char *entry = bytes + 10 + 12 * i;
        put(entry, 40000 + i, 2);
        put(entry + 2, 7, 2);
        put(entry + 4, size, 4);
        put(entry + 8, place, 4);
    }
}

static void damage(int kind, const unsigned char *bytes, size_t size) {
    const char *rounds = getenv("WEFT_ROUNDS");
    const long count = rounds ? strtol(rounds, NULL, 10) : 20000;
    unsigned char *copy = malloc(size);
    for (size_t length = 0; length <= size; length++)
        run(kind, bytes, length);
    for (long i = 0; copy && i < count; i++) {
        memcpy(copy, bytes, size);
        for (uint32_t flips = draw() % 8 + 1; flips > 0; flips--)
            copy[draw() % size] = draw() % 4 ? (unsigned char)(draw() % 64) : (unsigned char)draw();
        run(kind, copy, draw() % 4 ? size : draw() % size);
    }
    free(copy);
}

static void test_damage(void) {
    unsigned char exif[160] = {0};
    static const unsigned char xmp[] =
        "<a:b tiff:Orientation=\"6\" exif:PixelXDimension='12'><x:Thumbnails>q</x:Thumbnails><x:Thumbnails/>"
        "<exif:PixelYDimension>5</exif:PixelYDimension></a:b>";
    static const unsigned char iptc[] = "\x1c\1\x5a\0\3\x1b%G\x1c\2\x78\0\4text\x1c\2\xca\0\3pic\x1c\7\x0a\0\1q";
    make_entries(exif, 5, 6, 80);
    put(exif + 10, 256, 2);
    put(exif + 22, 34665, 2); /* a camera's directory, which points to another */
    put(exif + 24, 4, 2);
    put(exif + 26, 1, 4);
    put(exif + 30, 100, 4);
    put(exif + 46, 34853, 2);
    put(exif + 70, 130, 4); /* a directory behind */
    put(exif + 100, 2, 2);
    put(exif + 102, 40965, 2);
    put(exif + 104, 4, 2);
    put(exif + 106, 1, 4);
    put(exif + 110, 130, 4);
    put(exif + 114, 40962, 2);
    put(exif + 116, 3, 2);
    damage(0, exif, sizeof exif);
    damage(1, xmp, sizeof xmp - 1);
    damage(2, iptc, sizeof iptc - 1);
    CHECK(run(0, exif, sizeof exif) > 0);
    CHECK(run(2, iptc, sizeof iptc - 1) == 8 + 9);
}

/* 60000 entries that all have the same 16 MB, and text of nothing but thumbnails or numbers. */
static void test_patience(void) {
    const size_t size = 16 << 20;
    unsigned char *bytes = calloc(size, 1);
    if (!CHECK(bytes != NULL))
        return;
    make_entries(bytes, 60000, (uint32_t)size - 720016, 720016);
    run(0, bytes, size);
    for (int form = 0; form < 3; form++) {
        const char *const texts[] = {"<xmp:Thumbnails>x</xmp:Thumbnails>", "exif:PixelXDimension=\"1\" ",
                                     "<xmp:Thumbnails "};
        for (size_t at = 0, length = strlen(texts[form]); at < size; at += length)
            memcpy(bytes + at, texts[form], size - at < length ? size - at : length);
        run(1, bytes, size);
    }
    free(bytes);
}

int main(void) {
    const char *seed = getenv("WEFT_SEED");
    state = seed ? (uint32_t)strtoul(seed, NULL, 10) | 1 : state;
    test_damage();
    test_patience();
    return check_done("file_fit");
}
