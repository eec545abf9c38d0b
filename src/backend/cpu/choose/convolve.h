/* SPDX-License-Identifier: MIT
 * How the CPU makes a separable filter, and whether one that has a cheaper form for wide windows takes that: two ladders, of
 * which the first rung that fits is taken. Nothing else chooses. */
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
    bool image;     /* it makes an image from one of the same format, which goes nowhere else */
    bool has_fixed; /* the instruction set sums products of 16 bits */
    bool whole;     /* its weights are whole numbers within the bound */
    bool near;      /* its input is rows of an image, or a point program over them: it costs little to compute rows ahead */
};

/* The same for a filter that may also be made on a coarse grid. */
struct cpu_coarse_case {
    weft_type type;
    weft_border border;
    int32_t radius;  /* the larger of both axes */
    bool image;      /* as above */
    bool plain;      /* no alpha, and not in linear light */
    bool has_fixed;
    bool decimates;  /* the instruction set makes coarse grids from bytes, and bytes from them */
};

/* The largest radius along y for which rows of one channel stay u16 and are converted for every output row, instead of being
 * converted to f32 once. gaussian=R/3:radius=R on u16x1 at 3840x2160, one thread, takes 0.67, 0.77 and 0.87 of the time for
 * radius 1, 2 and 4; three channels gain nothing. */
#define CPU_CONVOLVE_U16_RADIUS 4

/* The largest radius for which direct sums of bytes are faster than coarse grids; the second: than coarse grids where the
 * instruction set downsamples from bytes and upsamples to bytes. Sigma 4 to 6 takes 0.6 of what its form on coarse grids does,
 * sigma 8 twice as long (u8x1 and u8x3, 3840x2160, one thread of x86-64-v4; of x86-64-v3 sigma 4.4 0.87, sigma 5.3 1.3 times as
 * long). */
#define CPU_CONVOLVE_DIRECT_RADIUS 27
#define CPU_CONVOLVE_DIRECT_BESIDE_BYTES 23

enum cpu_convolve_kernel { CPU_CONVOLVE_FIXED, CPU_CONVOLVE_U16, CPU_CONVOLVE_F32_FOUR, CPU_CONVOLVE_F32 };
enum cpu_coarse_choice { CPU_COARSE_DIRECT, CPU_COARSE_GRID };

const struct weft_rung *weft_cpu_choose_convolve(const struct cpu_convolve_case *convolve);
const struct weft_rung *weft_cpu_choose_coarse(const struct cpu_coarse_case *coarse);

/* True where pixels outside are copies of image pixels: not for constant, which may be a fraction, nor shrink, which divides. */
bool weft_cpu_border_repeats(weft_border border);

#endif
