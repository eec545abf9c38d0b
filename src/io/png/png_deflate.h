/* SPDX-License-Identifier: MIT
 * Pieces of one deflate stream (RFC 1951), which threads make side by side. */
#ifndef IO_PNG_DEFLATE_H
#define IO_PNG_DEFLATE_H
#include <stdbool.h>
#include <stddef.h>

enum { WEFT_DEFLATE_LEVELS = 10 };

/* What a thread works with. Level 0 only stores, 9 tries hardest. NULL when there is no memory. */
typedef struct weft_deflate weft_deflate;
weft_deflate *weft_deflate_create(int level);
void weft_deflate_destroy(weft_deflate **deflate);
/* At most how many bytes become of so many. */
size_t weft_deflate_bound(size_t size);
/* Makes of `size` bytes the next piece of a stream and returns its size, 0 when a library fails. It ends at a whole byte; `last`
 * ends the stream. Pieces do not depend on one another. */
size_t weft_deflate_piece(weft_deflate *deflate, const unsigned char *bytes, size_t size, bool last,
                          unsigned char *target);

#endif
