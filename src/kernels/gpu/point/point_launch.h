/* SPDX-License-Identifier: MIT
 * Launch data of copies of rows of bytes (copy.gpu). */
#ifndef KERNELS_GPU_POINT_LAUNCH_H
#define KERNELS_GPU_POINT_LAUNCH_H
#include "kernels/gpu/dialect/launch_types.h"

struct point_launch {
    int pieces;  /* of 16 bytes of a row, the last one perhaps not whole */
    int rest;    /* bytes of a row modulo 16, 0 for none left over */
    int aligned; /* 1 when all addresses and pitches are multiples of 16 */
};
#undef LAUNCH_OF
#define LAUNCH_OF point

#endif
