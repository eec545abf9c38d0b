/* SPDX-License-Identifier: MIT
 * A thread that writes rows while those that follow are made. */
#ifndef FILES_BEHIND_H
#define FILES_BEHIND_H
#include <stddef.h>
#include "weft/plan.h"

struct weft_behind;

/* Starts a thread that gives rows of `size` bytes to `sink`, some at a time. *behind is NULL, and nothing wrong, where
 * the system gives no thread. */
weft_status weft_behind_open(const weft_sink *sink, size_t size, struct weft_behind **behind, weft_error *error);
/* Takes rows, waiting for room; an error of rows before comes with a later call. */
weft_status weft_behind_write(struct weft_behind *behind, int64_t y, int64_t count, const void *rows, ptrdiff_t stride,
                              weft_error *error);
/* Waits until all rows have been given, ends the thread and says how it went. */
weft_status weft_behind_finish(struct weft_behind **behind, weft_error *error);
/* Ends the thread; what it had not begun is not written. NULL is allowed. */
void weft_behind_close(struct weft_behind **behind);

#endif
