/* SPDX-License-Identifier: MIT
 * Launch data of medians. */
#ifndef KERNELS_GPU_RANK_LAUNCH_H
#define KERNELS_GPU_RANK_LAUNCH_H
#include "kernels/gpu/dialect/launch_types.h"

struct rank_launch {
    /* rank: 1: along this axis the window is as long as the image or longer, and is gone through once */
    int whole_x, whole_y;
    int plane; /* rank_digits: columns of a channel of the spread image, which rank_pad makes */
    int own_image; /* rank_digits: the image that it alone writes and reads */
    int rows; /* rank_digits: of a block, a multiple of a group */
};
#undef LAUNCH_OF
#define LAUNCH_OF rank

#endif
