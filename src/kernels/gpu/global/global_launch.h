/* SPDX-License-Identifier: MIT
 * Launch data of the passes of global filters. */
#ifndef KERNELS_GPU_GLOBAL_LAUNCH_H
#define KERNELS_GPU_GLOBAL_LAUNCH_H
#include "kernels/gpu/dialect/launch_types.h"

struct global_launch {
    int image;     /* labels, distances or counts: what the pass writes, or of label_end reads besides image 0 */
    int seedless;  /* connect_begin: 1 without seeds */
    int mask;      /* reconstruct_begin: the image under which the other grows */
    int width;     /* reconstruct_*: of the image, whose rows of state are longer (reconstruct.h) */
    int odd_round; /* reconstruct_*: 1 in every other round */
    int word;      /* connect_join: which word of the parameter block says whether pixels have 4 neighbors */
};
#undef LAUNCH_OF
#define LAUNCH_OF global

#endif
