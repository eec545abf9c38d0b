/* SPDX-License-Identifier: MIT
 * Launch data of windows. */
#ifndef KERNELS_GPU_WINDOW_LAUNCH_H
#define KERNELS_GPU_WINDOW_LAUNCH_H
#include "kernels/gpu/dialect/launch_types.h"

struct window_launch {
    int columns, rows; /* of a piece of the neighborhood that a tile of shared memory holds at a time */
    int made, means;   /* square_means: columns of the result that a block makes; square_choose and guided_show: the image of
                          what the launch before made */
    int bytes;         /* 1: means are bytes (squares.h) */
    float eps;         /* guided_fit */
    float steps;       /* guided_fit, guided_show: of lines in whole numbers, of 1 */
    float share;       /* guided_fit, guided_show: 1 over the columns of a window */
};
#undef LAUNCH_OF
#define LAUNCH_OF window

#endif
