/* SPDX-License-Identifier: MIT
 * What the kernel of byte tables takes. */
#ifndef KERNELS_BYTES_H
#define KERNELS_BYTES_H
#include <stdbool.h>
#include <stdint.h>

/* What each byte of a pixel's components becomes. */
struct weft_byte_tables {
    uint8_t to[4][256]; /* of each component */
    int32_t channels;   /* components of a pixel; 1 where all tables are the same, too */
};

/* What float each byte of one component becomes. */
struct weft_float_table {
    float to[256];
    uint8_t part[4][256]; /* the bytes of these, as memory holds them */
};

/* A threshold: what values from `from` on become, and what those below become; NaN becomes one of both. */
struct weft_f32_threshold {
    float from, below, above;
    bool nan_above;
};
#endif
