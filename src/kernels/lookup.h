/* SPDX-License-Identifier: MIT
 * The table of a lookup as rows see it: a whole image in memory. */
#ifndef KERNELS_LOOKUP_H
#define KERNELS_LOOKUP_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "image/half.h"
#include "weft/image.h"

/* Component k of pixel x, y is `type` at plane[k] + y * row_bytes + x * pixel_bytes; red, green, blue, alpha. */
struct weft_table {
    const unsigned char *plane[4]; /* grey is in the first three; without alpha the last is any of them */
    ptrdiff_t row_bytes, pixel_bytes;
    int32_t width, height;
    weft_type type;
    bool alpha;
    bool near; /* an int can count its components from plane[k] */
};

/* A piece of a row of `count` pixels. */
struct weft_lookup_call {
    const void *block;
    const struct weft_table *table;
    const float *in[4]; /* red, green, blue, alpha; grey is in the first three; no alpha is a row of ones */
    float *out[4];      /* all four can be written and overlap no input */
    int32_t count;
};

/* A component of any type, as f32. */
static inline float weft_table_read(const struct weft_table *table, int k, int x, int y) {
    const void *at = table->plane[k] + y * table->row_bytes + x * table->pixel_bytes;
    switch (table->type) {
    case WEFT_U8: return (float)*(const uint8_t *)at * (1.0f / 255.0f);
    case WEFT_U16: return (float)*(const uint16_t *)at * (1.0f / 65535.0f);
    case WEFT_F16: return weft_half_to_float(*(const uint16_t *)at);
    case WEFT_F32: return *(const float *)at;
    case WEFT_F64: break;
    }
    return (float)*(const double *)at;
}

#endif
