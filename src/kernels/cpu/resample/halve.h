/* SPDX-License-Identifier: MIT
 * What a row at half the size is made of by bilinear interpolation. */
#ifndef KERNELS_HALVE_H
#define KERNELS_HALVE_H
#include <stdbool.h>

struct weft_tent {
    const void *rows[4]; /* from the pixel that the first output begins with; the first and the last are NULL outside */
    const void *next[2]; /* those that the row after it will be the first to read, or NULL: asked for meanwhile */
    int channels;
    bool first, last; /* the row begins, and ends, with the image: of the four pixels one is missing there */
};

#endif
