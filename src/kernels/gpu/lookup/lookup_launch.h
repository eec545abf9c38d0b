/* SPDX-License-Identifier: MIT
 * Launch data of lookups. */
#ifndef KERNELS_GPU_LOOKUP_LAUNCH_H
#define KERNELS_GPU_LOOKUP_LAUNCH_H
#include "kernels/gpu/dialect/launch_types.h"

struct lookup_launch {
    int table; /* the image that is the table */
};
#undef LAUNCH_OF
#define LAUNCH_OF lookup

#endif
