/* SPDX-License-Identifier: MIT
 * Whole images in memory, as steps see them at run time: the graph's inputs, and images that an earlier stage left in the
 * workspace (planar, a plane after the other). */
#ifndef CPU_WHOLE_IMAGE_H
#define CPU_WHOLE_IMAGE_H
#include "backend/cpu/pipeline/pipeline.h"

struct whole {
    int32_t input;      /* of the graph, or -1 */
    int32_t node;       /* of the typed graph: kept by an earlier stage, or -1 */
    weft_image_info info;
};

/* Where the components lie: component k of pixel x, y is `type` at plane[k] + y * row_bytes + x * pixel_bytes. */
struct pixels {
    const unsigned char *plane[4];
    ptrdiff_t row_bytes, pixel_bytes;
    weft_type type;
    int32_t channels;
    int64_t first, count; /* rows that are in memory */
    const struct tiles *tiles; /* NULL; else where they lie instead (tiles.h) */
};
/* A global filter of a stage: made whole before the stage is walked. */
struct global {
    int32_t node;
    struct whole whole, second; /* its inputs */
};

struct pixels weft_whole_pixels(const struct lane *lane, const struct whole *whole);

#endif
