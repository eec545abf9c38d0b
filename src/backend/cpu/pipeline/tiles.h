/* SPDX-License-Identifier: MIT
 * Whole images in tiles: squares of pixels, one behind the other, the tiles of a row of them from left to right. A read down the
 * image or across it then touches few pages of memory; in a file the number of pages decides how long it takes. */
#ifndef CPU_TILES_H
#define CPU_TILES_H
#include "backend/cpu/pipeline/run.h"

struct tiles {
    int shift;        /* a side is 1 << shift pixels */
    size_t row_bytes; /* of a row of one tile, */
    size_t bytes;     /* of a tile: whole pages, */
    size_t across;    /* and of a row of tiles */
    size_t size;      /* of all; SIZE_MAX: more than there can be */
};

/* How an image of so many pixels lies, a pixel being pixel_bytes. */
struct tiles weft_tiles_of(int64_t width, int64_t height, size_t pixel_bytes);

static inline ptrdiff_t weft_tiles_offset(const struct tiles *tiles, size_t pixel_bytes, int64_t x, int64_t y) {
    const int64_t in_tile = ((int64_t)1 << tiles->shift) - 1;
    return (ptrdiff_t)((size_t)(y >> tiles->shift) * tiles->across + (size_t)(x >> tiles->shift) * tiles->bytes +
                       (size_t)(y & in_tile) * tiles->row_bytes + (size_t)(x & in_tile) * pixel_bytes);
}
/* How many pixels from x on, of `count`, lie side by side. */
static inline int64_t weft_tiles_run(const struct tiles *tiles, int64_t x, int64_t count) {
    const int64_t left = ((int64_t)1 << tiles->shift) - (x & (((int64_t)1 << tiles->shift) - 1));
    return left < count ? left : count;
}
/* Puts pixels x .. x + count - 1 of row y where they belong. */
void weft_tiles_put(const struct tiles *tiles, size_t pixel_bytes, unsigned char *image, int64_t x, int64_t y,
                    int64_t count, const void *pixels);

/* tiled_image.c: where the image lies for those who read it anywhere: in tiles, where the run has it so. */
struct pixels weft_whole_tiles(const struct lane *lane, const struct whole *whole, struct tiles *tiles);
/* Offsets of pixels that weft_whole_tiles has given. */
static inline ptrdiff_t weft_pixel_offset(const struct pixels *pixels, int64_t x, int64_t y) {
    if (pixels->tiles)
        return weft_tiles_offset(pixels->tiles, (size_t)pixels->pixel_bytes, x, y);
    return (ptrdiff_t)y * pixels->row_bytes + (ptrdiff_t)x * pixels->pixel_bytes;
}
void weft_pixel_offsets(const struct weft_kernels *kernels, const struct pixels *pixels, const int32_t *x,
                        const int32_t *y, ptrdiff_t *offsets, int count);

/* Whether steps of the plan read input `input`, or where that is -1 the image of `node`, row by row and anywhere. */
void weft_plan_reads(const struct cpu_plan *plan, int32_t input, int32_t node, bool *rows, bool *anywhere);

#endif
