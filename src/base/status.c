/* SPDX-License-Identifier: MIT */
#include "base/status.h"
#include <stdarg.h>
#include <stdio.h>

weft_status weft_fail(weft_error *error, weft_status status, const char *format, ...) {
    if (error) {
        va_list arguments;
        *error = (weft_error){.status = status, .node = -1, .offset = -1};
        va_start(arguments, format);
        vsnprintf(error->message, sizeof error->message, format, arguments);
        va_end(arguments);
    }
    return status;
}

weft_status weft_fail_memory(weft_error *error, size_t size, const char *what) {
    return weft_fail(error, WEFT_ERROR_MEMORY, "out of memory: %zu bytes for %s", size, what);
}

void weft_error_at(weft_error *error, int32_t node, const char *filter, const char *parameter) {
    if (!error)
        return;
    error->node = node;
    if (filter)
        snprintf(error->filter, sizeof error->filter, "%s", filter);
    if (parameter)
        snprintf(error->parameter, sizeof error->parameter, "%s", parameter);
}

const char *weft_status_name(weft_status status) {
    static const char *const names[] = {"ok",   "argument",    "graph",  "parameter", "format",  "memory",
                                        "file", "unsupported", "device", "cancelled", "internal"};
    return (size_t)status < sizeof names / sizeof *names ? names[status] : "unknown";
}

const char *weft_version(void) { return WEFT_VERSION; }
