/* SPDX-License-Identifier: MIT
 * Text that grows: printing without counting first. */
#ifndef BASE_BUFFER_H
#define BASE_BUFFER_H
#include <stdbool.h>
#include <stddef.h>
#include "base/status.h"

struct weft_buffer {
    char *text; /* ended by 0; NULL while empty; the caller frees it with weft_free */
    size_t length, capacity;
    bool failed; /* memory ran out: the text is not whole */
};

void weft_buffer_print(struct weft_buffer *buffer, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Gives the text to the caller, who frees it with weft_free. If memory ran out, frees it and fails with an error that names
 * `what` ("the plan's description"). */
weft_status weft_buffer_take(struct weft_buffer *buffer, const char *what, char **text, weft_error *error);

#endif
