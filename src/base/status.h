/* SPDX-License-Identifier: MIT
 * Filling in errors. */
#ifndef BASE_STATUS_H
#define BASE_STATUS_H
#include <stddef.h>
#include "weft/status.h"

/* Writes a message into `error` (which may be NULL), clears its names and places, and returns `status`. */
weft_status weft_fail(weft_error *error, weft_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The usual message for an allocation of `size` bytes for `what` that failed. */
weft_status weft_fail_memory(weft_error *error, size_t size, const char *what);

/* Adds the place to an error that is already filled in; NULL keeps a name, and error may be NULL. */
void weft_error_at(weft_error *error, int32_t node, const char *filter, const char *parameter);

#endif
