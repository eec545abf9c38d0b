/* SPDX-License-Identifier: MIT
 * How the CPU makes rows of bytes coarser, and coarse rows bytes, as wide gaussians do: two ladders, of which the first
 * rung that fits is taken. Nothing else chooses. */
#ifndef BACKEND_CPU_CHOOSE_MULTIRATE_H
#define BACKEND_CPU_CHOOSE_MULTIRATE_H
#include "base/ladder.h"
#include "kernels/cpu/kernels.h"
#include "weft/image.h"

/* All that the choice depends on, for an image that is read and coarse rows that are made. */
struct cpu_decimate_case {
    const struct weft_kernels *kernels; /* of the instruction set: what it has */
    weft_type type;                     /* of the image */
    weft_border border;
    int64_t step; /* pixels from output to output, which all have the same weights; 0 where they do not */
    int32_t taps; /* weights of an output */
    bool rounds;  /* they are whole numbers of 16 bits within the bound */
    bool inside;  /* some of what is read lies in the image */
    int64_t pad;  /* pixels that are read beyond an edge at most */
};

/* The same for coarse rows that are read and an image that is made. */
struct cpu_interpolate_case {
    const struct weft_kernels *kernels;
    weft_type type;
    weft_border border;
    bool planes;    /* the coarse rows are of f32, and of as many channels */
    int64_t pixels; /* of a coarse row */
    int32_t step;   /* outputs after which the same weights come, a coarse pixel further; 0 where there is no such */
    int32_t taps;
    bool rounds;
    int32_t span; /* components of a coarse row that 16 of the result begin in */
};

enum cpu_decimate_kernel { CPU_DECIMATE_U16, CPU_DECIMATE_BYTES, CPU_DECIMATE_RESAMPLE };
enum cpu_interpolate_kernel { CPU_INTERPOLATE_PHASES, CPU_INTERPOLATE_PERIODS, CPU_INTERPOLATE_RESAMPLE };

#define CPU_DECIMATE_TAPS 1024  /* at most */
#define CPU_INTERPOLATE_TAPS 64 /* the same */

const struct weft_rung *weft_cpu_choose_decimate(const struct cpu_decimate_case *decimate);
const struct weft_rung *weft_cpu_choose_interpolate(const struct cpu_interpolate_case *interpolate);

#endif
