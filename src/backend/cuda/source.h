/* SPDX-License-Identifier: MIT
 * The text of one kernel for one launch: what CUDA's compiler is given. */
#ifndef BACKEND_CUDA_SOURCE_H
#define BACKEND_CUDA_SOURCE_H
#include "backend/gpu/device/kernels.h"
#include "kernels/gpu/dialect/launch.h"
#include "weft/weft.h"

struct cuda_source {
    const struct gpu_kernel_row *row;
    char *text;       /* defines the kernel's constants and form, and includes the kernel */
    char *known;      /* known.h: what the launch says that no run changes */
    char *operations; /* text of point_operations.h: code for each point filter that is used */
    uint64_t hash[2]; /* of these and of all texts that the library has in it */
};

/* Of a row of the index, and a launch as the plan knows it before its runs; NULL for a kernel that finds everything in its
 * launch. `path`: of the kernel (kernels/gpu/dialect/code_path.h). */
weft_status weft_cuda_source_make(const struct gpu_kernel_row *row, const struct gpu_launch *launch, int32_t path,
                                  struct cuda_source *source, weft_error *error);
void weft_cuda_source_clear(struct cuda_source *source);

#endif
