/* SPDX-License-Identifier: MIT
 * Which code path of its GPU kernel a stencil takes: a ladder, of which the first that fits is taken. Nothing else chooses. */
#ifndef BACKEND_GPU_CHOOSE_STENCIL_H
#define BACKEND_GPU_CHOOSE_STENCIL_H
#include "base/ladder.h"

/* All that the choice depends on. */
struct gpu_stencil_case {
    int32_t radius;
    bool apart;       /* the body sees one channel at a time */
    bool linear;      /* weighted sums, whose weights allow whole numbers, or a length of two */
    bool length;      /* that */
    bool alone;       /* nothing is done beside but to store the result */
    bool luminance;   /* but for taking the luminance of what is read */
    bool loads;       /* more is done with what is read */
    int32_t type, source;    /* TYPE_* and channels of the image that is read */
    int32_t channels;        /* that the body sees */
    int32_t stored, stored_channels; /* of the image that is written */
    int32_t width;
    bool few_registers;      /* of the device: its compiler keeps only small arrays in registers */
};

/* The choices are STENCIL_* of kernels/gpu/dialect/code_path.h. */
const struct weft_rung *weft_gpu_choose_stencil(const struct gpu_stencil_case *stencil);

#endif
