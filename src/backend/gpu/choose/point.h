/* SPDX-License-Identifier: MIT
 * Which GPU kernel runs a program of point filters by itself: a ladder, of which the first that fits is taken. Nothing else
 * chooses. */
#ifndef BACKEND_GPU_CHOOSE_POINT_H
#define BACKEND_GPU_CHOOSE_POINT_H
#include "base/ladder.h"

/* All that the choice depends on. */
struct gpu_point_case {
    int32_t filters;  /* of the program */
    bool one_image;   /* it reads one image and writes one, of as many channels, and makes no other and no number */
    bool bytes;       /* both are of bytes */
    bool apart;       /* no component sees another, nor where the pixel is */
    bool moves;       /* it only stores pixels as they are, those of one earlier frame among them; all images are of one format */
};

enum gpu_point_kernel { GPU_POINT_MOVES, GPU_POINT_BYTES, GPU_POINT_ANY };

const struct weft_rung *weft_gpu_choose_point(const struct gpu_point_case *point);

#endif
