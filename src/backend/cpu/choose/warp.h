/* SPDX-License-Identifier: MIT
 * How the CPU makes a warp: a ladder, of which the first that fits is taken. Nothing else chooses. */
#ifndef BACKEND_CPU_CHOOSE_WARP_H
#define BACKEND_CPU_CHOOSE_WARP_H
#include "base/ladder.h"
#include "weft/image.h"

/* All that the choice depends on. */
struct cpu_warp_case {
    bool image;     /* it makes an image from one of the same format, on a grid */
    bool input;     /* it reads an image of the graph, not one that an earlier pass kept */
    weft_type type; /* of the image that it reads */
    weft_border border;
    bool nearest; /* pixels are moved, not mixed */
    bool places;  /* a pixel is a mean over several places */
    bool spread;  /* more than two pixels are mixed along each axis */
    bool steep;   /* rows of the result read columns of the image, and the result has many rows */
};

enum cpu_warp_kernel {
    CPU_WARP_TRANSPOSED,
    CPU_WARP_SPREAD_BYTES,
    CPU_WARP_SPREAD,
    CPU_WARP_MEAN_BYTES,
    CPU_WARP_MEAN,
    CPU_WARP_STEEP,
    CPU_WARP_MOVE,
    CPU_WARP_NEAREST,
    CPU_WARP_BYTES,
    CPU_WARP_MIX
};

const struct weft_rung *weft_cpu_choose_warp(const struct cpu_warp_case *warp);

#endif
