/* SPDX-License-Identifier: MIT
 * XMP is XML of a few well-known names, as text of ASCII or UTF-8. It is not parsed: the elements and numbers that have
 * to change are looked for by name, and XMP that still seems to hold a picture afterwards is dropped. */
#include <stdio.h>
#include <string.h>
#include "io/metadata/fit.h"

/* More of one name are of no sound file, and each takes its time. */
enum { MOST = 16 };

/* The first place of `text` from `at` on; `size` when there is none. */
static size_t find(const unsigned char *bytes, size_t size, size_t at, const char *text) {
    const size_t length = strlen(text);
    for (; at + length <= size; at++)
        if (memcmp(bytes + at, text, length) == 0)
            return at;
    return size;
}

static void cut(unsigned char *bytes, size_t *size, size_t from, size_t to) {
    memmove(bytes + from, bytes + to, *size - to);
    *size -= to - from;
}

static bool is_name(unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

/* Cuts the elements <prefix:Thumbnails>; false when one has no end. */
static bool cut_thumbnails(unsigned char *bytes, size_t *size) {
    static const char word[] = ":Thumbnails";
    int count = 0;
    for (size_t at = find(bytes, *size, 0, word); at < *size; at = find(bytes, *size, at, word)) {
        size_t start = at, end = at + sizeof word - 1;
        char close[64];
        while (start > 0 && is_name(bytes[start - 1]))
            start--;
        if (start == 0 || bytes[start - 1] != '<' || (end < *size && is_name(bytes[end]))) {
            at = end;
            continue;
        }
        if (at - start > 40 || ++count > MOST)
            return false;
        snprintf(close, sizeof close, "</%.*s%s>", (int)(at - start), (const char *)bytes + start, word);
        end = find(bytes, *size, end, close);
        if (end == *size)
            return false;
        cut(bytes, size, start - 1, end + strlen(close));
        at = start - 1;
    }
    return true;
}

/* Sets the number behind a name, be it an attribute's or an element's, wherever it stands as long as there is room. */
static void set_number(unsigned char *bytes, size_t *size, size_t room, const char *name, int64_t value) {
    char digits[24];
    int count = 0;
    const size_t length = (size_t)snprintf(digits, sizeof digits, "%lld", (long long)value);
    for (size_t at = find(bytes, *size, 0, name); at < *size; at = find(bytes, *size, at, name)) {
        size_t from = at + strlen(name), to;
        at = from;
        while (from < *size && strchr(" \t\r\n=\"'>", bytes[from]) && bytes[from])
            from++;
        for (to = from; to < *size && bytes[to] >= '0' && bytes[to] <= '9';)
            to++;
        if (to == from || from == at || *size - (to - from) + length > room || ++count > MOST)
            continue;
        memmove(bytes + from + length, bytes + to, *size - to);
        memcpy(bytes + from, digits, length);
        *size = *size - (to - from) + length;
    }
}

void weft_xmp_fit(unsigned char *bytes, size_t *size, const weft_fit *fit) {
    const size_t room = *size + WEFT_XMP_GROWTH;
    const bool text = *size > 0 && !memchr(bytes, 0, *size); /* UTF-16 has zeros */
    /* Base64 of a JPEG file begins like that. */
    if (!text || !cut_thumbnails(bytes, size) || find(bytes, *size, 0, "GImg:image") < *size ||
        find(bytes, *size, 0, "/9j/") < *size || (fit->no_place && find(bytes, *size, 0, "GPS") < *size)) {
        *size = 0;
        return;
    }
    set_number(bytes, size, room, "tiff:Orientation", fit->orientation);
    set_number(bytes, size, room, "tiff:ImageWidth", fit->width);
    set_number(bytes, size, room, "tiff:ImageLength", fit->height);
    set_number(bytes, size, room, "exif:PixelXDimension", fit->width);
    set_number(bytes, size, room, "exif:PixelYDimension", fit->height);
}
