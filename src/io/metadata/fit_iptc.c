/* SPDX-License-Identifier: MIT
 * IPTC-IIM is a row of data sets: a mark, a record, a number and a length. Records 1 and 2 describe; data sets 200 to
 * 202 of record 2 are a preview, and the records behind it a whole object. */
#include <string.h>
#include "io/metadata/fit.h"

enum { MARK = 0x1C, HEAD = 5, DESCRIPTION = 2, PREVIEW_FIRST = 200, PREVIEW_LAST = 202 };

void weft_iptc_fit(unsigned char *bytes, size_t *size) {
    size_t at = 0, kept = 0;
    /* A length of more than 15 bits says how many bytes the length has: of previews, never of text. */
    while (*size - at >= HEAD && bytes[at] == MARK && !(bytes[at + 3] & 0x80)) {
        const size_t length = HEAD + ((size_t)bytes[at + 3] << 8 | bytes[at + 4]);
        const bool preview = bytes[at + 2] >= PREVIEW_FIRST && bytes[at + 2] <= PREVIEW_LAST;
        if (length > *size - at)
            break;
        if (bytes[at + 1] < DESCRIPTION || (bytes[at + 1] == DESCRIPTION && !preview)) {
            memmove(bytes + kept, bytes + at, length);
            kept += length;
        }
        at += length;
    }
    *size = kept;
}
