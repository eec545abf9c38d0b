/* SPDX-License-Identifier: MIT
 * Which GPU kernel a separable filter gets: a ladder of kernels, of which the first that fits is taken. Nothing else chooses. */
#ifndef BACKEND_GPU_CHOOSE_CONVOLVE_H
#define BACKEND_GPU_CHOOSE_CONVOLVE_H
#include "base/ladder.h"

/* All that the choice depends on. */
struct gpu_convolve_case {
    int32_t radius_x, radius_y;
    bool identity_x, identity_y; /* the axis changes nothing */
    int32_t channels;
    bool box;         /* its weights are alike */
    bool means;       /* weights of both axes are none below 0 and sum to 1 */
    int32_t type;     /* TYPE_* of the image that is read and of the one that is written, where nothing more is done than to
                         multiply by alpha and to divide by it; otherwise 0 */
    bool direct;      /* nor that */
    bool border_fits; /* what stands outside is a number of every type, and times itself the same */
    int32_t slabs;    /* the form of `convolve_bytes` whose reach leaves out little enough; 0: none, or not of bytes */
    /* of the device: tensor cores for floats; in Vulkan matrices that subgroups multiply together */
    bool has_mma_floats, has_mma_cooperative;
};

enum gpu_convolve_kernel {
    GPU_CONVOLVE_NOTHING,
    GPU_CONVOLVE_BYTES,
    GPU_CONVOLVE_COOPERATIVE,
    GPU_CONVOLVE_MATRIX,
    GPU_CONVOLVE_LINE_MATRIX,
    GPU_CONVOLVE_SEPARABLE,
    GPU_CONVOLVE_LINES
};

const struct weft_rung *weft_gpu_choose_convolve(const struct gpu_convolve_case *convolve);

/* The radius of the form of `separable` that takes filters of these radii, 0 without. */
int32_t weft_gpu_separable_radius(int64_t x, int64_t y);

/* The forms of `convolve_bytes`: the least whose reach leaves out no more of the weights than may be, in steps of a byte; 0
 * without. `weight` has 2 radius + 1. And the least whose reach is so far. */
int32_t weft_gpu_convolve_bytes_slabs(const double *weight, int32_t radius);
int32_t weft_gpu_convolve_bytes_slabs_of(int64_t radius);

/* The forms of `convolve_matrix`, each for radii to its reach. */
struct gpu_convolve_matrix_form {
    int32_t type, reach, least;
};
const struct gpu_convolve_matrix_form *weft_gpu_convolve_matrix_form(const struct gpu_convolve_case *convolve);

/* The forms of `convolve_line_matrix`, each for radii to 32 and to 64: what is between the axes, the channels, whether it
 * multiplies by alpha where that is asked for, and the least radius. */
struct gpu_convolve_line_form {
    int32_t type, between, channels;
    bool converts;
    int32_t least;
};
const struct gpu_convolve_line_form *weft_gpu_convolve_line_form(const struct gpu_convolve_case *convolve);

/* The forms of `convolve_cooperative`, of one channel and of four, each for radii to 32 and to 64, of bytes to 16 too: what is
 * between the axes, and the least radius of each number of channels. */
struct gpu_convolve_cooperative_form {
    int32_t type, between, least_of_one, least_of_four;
};
const struct gpu_convolve_cooperative_form *weft_gpu_convolve_cooperative_form(const struct gpu_convolve_case *convolve);

#endif
