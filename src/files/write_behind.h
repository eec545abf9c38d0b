/* SPDX-License-Identifier: MIT
 * A thread that writes rows while those that follow are made. */
#ifndef FILES_WRITE_BEHIND_H
#define FILES_WRITE_BEHIND_H
#include <stddef.h>
#include "weft/plan.h"

struct weft_background;

/* Starts a thread that gives rows of `size` bytes to `sink`, some at a time. *background is NULL, and nothing wrong, where
 * the system gives no thread. */
weft_status weft_background_open(const weft_sink *sink, size_t size, struct weft_background **background, weft_error *error);
/* Takes rows, waiting for room; an error of rows before comes with a later call. */
weft_status weft_background_write(struct weft_background *background, int64_t y, int64_t count, const void *rows,
                                  ptrdiff_t stride, weft_error *error);
/* Waits until all rows have been given, ends the thread and says how it went. */
weft_status weft_background_finish(struct weft_background **background, weft_error *error);
/* Ends the thread; what it had not begun is not written. NULL is allowed. */
void weft_background_close(struct weft_background **background);

#endif
