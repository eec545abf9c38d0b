/* SPDX-License-Identifier: MIT
 * How the CPU makes a stencil: a ladder, of which the first that fits is taken. Nothing else chooses. */
#ifndef BACKEND_CPU_CHOOSE_STENCIL_H
#define BACKEND_CPU_CHOOSE_STENCIL_H
#include "base/ladder.h"
#include "weft/image.h"

/* All that the choice depends on. */
struct cpu_stencil_case {
    bool image;       /* it makes an image from one of the same format, which goes nowhere else */
    bool has_fixed;   /* the instruction set sums products of 16 bits */
    weft_type type;   /* of these */
    weft_border border;
    bool sums;        /* weighted sums, or the length of two */
    bool apart;       /* a channel of alpha is copied, others are not */
    bool fits_u16;    /* the weights are few and hold 16 bits well enough */
};

enum cpu_stencil_kernel { CPU_STENCIL_FIXED, CPU_STENCIL_F32 };

const struct weft_rung *weft_cpu_choose_stencil(const struct cpu_stencil_case *stencil);

#endif
