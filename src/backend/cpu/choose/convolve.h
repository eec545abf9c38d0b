/* SPDX-License-Identifier: MIT
 * How the CPU makes a separable filter: a ladder, of which the first that fits is taken. Nothing else chooses. */
#ifndef BACKEND_CPU_CHOOSE_CONVOLVE_H
#define BACKEND_CPU_CHOOSE_CONVOLVE_H
#include "base/ladder.h"
#include "weft/image.h"

/* All that the choice depends on. */
struct cpu_convolve_case {
    weft_type type; /* of the image or of the rows that it reads */
    int32_t channels;
    weft_border border;
    int32_t radius_y;
    bool whole; /* it makes an image of bytes from one, and its weights are whole numbers within the bound */
};

/* The largest radius along y for which rows of one channel stay u16 and are converted for every output row, instead of being
 * converted to f32 once. gaussian=R/3:radius=R on u16x1 at 3840x2160, one thread, takes 0.67, 0.77 and 0.87 of the time for
 * radius 1, 2 and 4; three channels gain nothing. */
#define CPU_CONVOLVE_U16_RADIUS 4

enum cpu_convolve_kernel { CPU_CONVOLVE_FIXED, CPU_CONVOLVE_U16, CPU_CONVOLVE_F32 };

const struct weft_rung *weft_cpu_choose_convolve(const struct cpu_convolve_case *convolve);

/* True where pixels outside are copies of image pixels: not for constant, which may be a fraction, nor shrink, which divides. */
bool weft_cpu_border_repeats(weft_border border);

#endif
