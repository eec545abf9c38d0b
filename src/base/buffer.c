/* SPDX-License-Identifier: MIT */
#include "base/buffer.h"
#include <stdarg.h>
#include <stdio.h>
#include "base/memory.h"

void weft_buffer_print(struct weft_buffer *buffer, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int needed = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (needed < 0 || buffer->failed) {
        buffer->failed = true;
        return;
    }
    size_t total = buffer->length + (size_t)needed + 1;
    if (total > buffer->capacity) {
        size_t capacity = total * 2 > 256 ? total * 2 : 256;
        char *text = weft_reallocate(buffer->text, capacity, 1);
        if (!text) {
            buffer->failed = true;
            return;
        }
        buffer->text = text, buffer->capacity = capacity;
    }
    va_start(arguments, format);
    vsnprintf(buffer->text + buffer->length, buffer->capacity - buffer->length, format, arguments);
    va_end(arguments);
    buffer->length += (size_t)needed;
}

weft_status weft_buffer_take(struct weft_buffer *buffer, const char *what, char **text, weft_error *error) {
    bool whole = buffer->text && !buffer->failed;
    if (!whole) {
        weft_free(buffer->text);
        buffer->text = NULL;
    }
    *text = buffer->text;
    return whole ? WEFT_OK : weft_fail(error, WEFT_ERROR_MEMORY, "out of memory for %s", what);
}
