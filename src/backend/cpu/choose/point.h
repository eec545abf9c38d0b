/* SPDX-License-Identifier: MIT
 * How the CPU runs a program of point filters: a ladder, of which the first that fits is taken. Nothing else chooses.
 */
#ifndef BACKEND_CPU_CHOOSE_POINT_H
#define BACKEND_CPU_CHOOSE_POINT_H
#include "base/ladder.h"
#include "kernels/cpu/kernels.h"
#include "weft/image.h"

/* All that the choice depends on. */
struct cpu_point_case {
    int32_t filters;
    bool apart, affine, binary; /* as in struct program */
    bool packed;                /* its one filter takes pixels of four bytes, and so are all images that it reads */
    weft_type in;               /* of the image that is its first input; 0 where that is none */
    bool in_place;              /* rows of that image are read in place, otherwise they are converted chunk by chunk */
    int32_t in_channels, channels;
    weft_type made; /* of the image that it stores, chunk by chunk; 0 where it makes rows */
    const struct weft_kernels
        *kernels; /* of the instruction set: what it has, and from how many filters on it is faster */
};

enum cpu_point_kernel {
    CPU_POINT_FILTERS,
    CPU_POINT_THRESHOLD_U16,
    CPU_POINT_THRESHOLD_F32,
    CPU_POINT_BYTE_TABLES,
    CPU_POINT_MATRIX,
    CPU_POINT_PACKED,
    CPU_POINT_FLOAT_TABLES
};

const struct weft_rung *weft_cpu_choose_point(const struct cpu_point_case *point);

#endif
