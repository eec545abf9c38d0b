/* SPDX-License-Identifier: MIT
 * Launch data of stencils. */
#ifndef KERNELS_GPU_STENCIL_LAUNCH_H
#define KERNELS_GPU_STENCIL_LAUNCH_H
#include "kernels/gpu/dialect/launch_types.h"

struct stencil_launch {
    int channels; /* to filter; the rest (alpha) is copied */
};
#undef LAUNCH_OF
#define LAUNCH_OF stencil

#endif
