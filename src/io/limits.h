/* SPDX-License-Identifier: MIT
 * What a reader takes of a file unless it is told otherwise: one of a few kilobytes may claim any size. */
#ifndef IO_LIMITS_H
#define IO_LIMITS_H
#include <stdint.h>

#define WEFT_PIXEL_LIMIT (INT64_C(1) << 30)
/* Bytes for pixels that wait in memory, and for what a library needs beside them to make them. */
#define WEFT_MEMORY_LIMIT (INT64_C(1) << 31)

typedef struct weft_read_limits {
    int64_t pixels; /* of a picture */
    int64_t memory; /* bytes */
} weft_read_limits;

#endif
