/* SPDX-License-Identifier: MIT
 * The table of one instruction set, filled room by room. */
#include "kernels/cpu/isa/isa.h"
#include "kernels/cpu/kernels.h"

#define ROOMS(ROOM)                                                                                                    \
    ROOM(convert) ROOM(convolve) ROOM(convolve_fixed) ROOM(extremum) ROOM(box) ROOM(box_few) ROOM(box_scan) ROOM(rank) \
    ROOM(move) ROOM(bytes) ROOM(matrix) ROOM(double) ROOM(halve) ROOM(halve_tent) ROOM(transpose) ROOM(resample)       \
    ROOM(resample_fixed) ROOM(multirate) ROOM(warp) ROOM(warp_bytes) ROOM(warp_spread) ROOM(patches) \
    ROOM(reduce)
#define ROOM(name) void KERNEL(weft_fill_##name)(struct weft_kernels *kernels);
ROOMS(ROOM)
#undef ROOM

void KERNEL(weft_fill_kernels)(struct weft_kernels *kernels);
void KERNEL(weft_fill_kernels)(struct weft_kernels *kernels) {
#define ROOM(name) KERNEL(weft_fill_##name)(kernels);
    ROOMS(ROOM)
#undef ROOM
}
