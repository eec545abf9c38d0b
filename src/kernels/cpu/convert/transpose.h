/* SPDX-License-Identifier: MIT
 * A block of an image, transposed: pixel x, y of it is at in + x * across + y * down, and goes to
 * out + x * size + y * out_bytes; 4 bytes behind the rows there are written too. */
#ifndef KERNELS_TRANSPOSE_H
#define KERNELS_TRANSPOSE_H
#include <stddef.h>

struct weft_transposed_block {
    const unsigned char *in;
    ptrdiff_t across, down;
    unsigned char *out;
    ptrdiff_t out_bytes;
    int size, columns, rows;
};

#endif
