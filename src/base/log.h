/* SPDX-License-Identifier: MIT */
#ifndef BASE_LOG_H
#define BASE_LOG_H
#include "weft/log.h"

/* Formats a message of at most 511 bytes and hands it to the log, if it wants messages of that level. */
void weft_log_print(const weft_log *log, weft_log_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
