/* SPDX-License-Identifier: MIT
 * What global filters share: rows of their input, and the one that has a file of its own. */
#ifndef CPU_GLOBAL_H
#define CPU_GLOBAL_H
#include "backend/cpu/pipeline/run.h"
#include "backend/cpu/pipeline/whole_image.h"

#define GLOBAL_CHUNK 1024

/* The first plane of pixels x .. x + count of row y, as f32: `room`, or where they lie. */
const float *weft_global_load(const struct lane *lane, const struct pixels *pixels, int64_t x, int64_t y, int count,
                              float (*room)[GLOBAL_CHUNK]);

/* distance.c; bytes of a lane that it takes for rows of such a width. */
void weft_global_distance(struct cpu_run *run, const struct global *global);
size_t weft_distance_bytes(int64_t width);
/* reconstruct.c */
void weft_global_reconstruct(struct cpu_run *run, const struct global *global);
size_t weft_reconstruct_bytes(void);
/* global.c: bytes of a lane that a global filter takes for an image of such a width. */
size_t weft_global_lane_bytes(const struct weft_filter *filter, int64_t width);

#endif
