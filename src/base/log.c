/* SPDX-License-Identifier: MIT */
#include "base/log.h"
#include <stdarg.h>
#include <stdio.h>

void weft_log_print(const weft_log *log, weft_log_level level, const char *format, ...) {
    char message[512];
    va_list arguments;
    if (!log->write || level < log->level)
        return;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    log->write(log->user, level, message);
}
