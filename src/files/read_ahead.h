/* SPDX-License-Identifier: MIT
 * A thread that reads rows before they are asked for. */
#ifndef FILES_READ_AHEAD_H
#define FILES_READ_AHEAD_H
#include <stddef.h>
#include "weft/plan.h"

struct weft_ahead;

/* What its blocks take for rows of `size` bytes. */
size_t weft_ahead_bytes(size_t size);

/* Starts a thread that takes the rows 0 .. height - 1 of `size` bytes from `source`, some at a time, and reads no more
 * than what fits into its blocks. *ahead is NULL, and nothing wrong, where the system gives no thread. */
weft_status weft_ahead_open(const weft_source *source, size_t size, int64_t height, struct weft_ahead **ahead,
                            weft_error *error);
/* Gives the next rows, waiting for them. An error of the source comes where it had it. */
weft_status weft_ahead_read(struct weft_ahead *ahead, int64_t count, void *rows, ptrdiff_t stride, weft_error *error);
/* Ends the thread as soon as it has read the block that it is at. NULL is allowed. */
void weft_ahead_close(struct weft_ahead **ahead);

#endif
