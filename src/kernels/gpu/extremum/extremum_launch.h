/* SPDX-License-Identifier: MIT
 * Launch data of extrema over rectangles. */
#ifndef KERNELS_GPU_EXTREMUM_LAUNCH_H
#define KERNELS_GPU_EXTREMUM_LAUNCH_H
#include "kernels/gpu/dialect/launch_types.h"

struct extremum_launch {
    /* extremum: columns that a block reads on each side of what it makes, a multiple of 4, at least radius_x;
     * extremum_bytes and extremum_walk: bytes of a row, a multiple of 4 */
    int halo;
    int made; /* extremum_bytes and extremum_walk: bytes of a row that a block makes, whole words and pixels */
    int maximum; /* 1: the largest, 0: the smallest; kernels with a constant MAXIMUM know it */
    int down; /* extremum_line: 1: along y, 0: along x */
    /* extremum_line: what a pixel of the input stands for; at most one side of the window and the pixel itself */
    int span;
    int before; /* extremum_line: the window begins so many pixels before */
    int behind; /* and ends so many after */
    int constant; /* extremum_line: 1: border=constant counts, where the window leaves the image */
};
#undef LAUNCH_OF
#define LAUNCH_OF extremum

#endif
