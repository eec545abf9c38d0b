/* SPDX-License-Identifier: MIT
 * Rows of a PNG into the stream of its pixels, in strips that several threads filter and compress at once. How the rows
 * are cut follows from their size alone, so the bytes are the same whatever the number of threads. */
#ifndef IO_PNG_STRIPS_H
#define IO_PNG_STRIPS_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/status.h"

typedef struct weft_png_strips weft_png_strips;

/* What takes the stream, in order; it may leave by a jump. */
typedef void weft_png_sink(void *user, const unsigned char *bytes, size_t size);

typedef struct weft_png_form {
    size_t row, step; /* bytes of a row, and of a pixel */
    int64_t height;
    int level;       /* of deflate */
    bool turned;     /* pairs of bytes are to be turned round: numbers of 16 bits in the order of this machine */
    int32_t threads; /* 0: one per core */
} weft_png_form;

weft_status weft_png_strips_open(const weft_png_form *form, weft_png_sink *sink, void *user, weft_png_strips **strips,
                                 weft_error *error);
/* Takes the next row; the last one ends the stream. False when compressing fails. */
bool weft_png_strips_add(weft_png_strips *strips, const void *row);
void weft_png_strips_close(weft_png_strips **strips);

#endif
