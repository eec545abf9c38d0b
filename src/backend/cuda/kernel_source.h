/* SPDX-License-Identifier: MIT
 * The text of one kernel for one launch: what CUDA's compiler is given. */
#ifndef BACKEND_CUDA_KERNEL_SOURCE_H
#define BACKEND_CUDA_KERNEL_SOURCE_H
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

/* Makes the source of a kernel. `row`: its row in the index of kernels. `launch`: what the plan knows of the launch before any
 * run; NULL for a kernel that reads everything from its launch. `path`: its code path (kernels/gpu/dialect/code_path.h). */
weft_status weft_cuda_source_make(const struct gpu_kernel_row *row, const struct gpu_launch *launch, int32_t path,
                                  struct cuda_source *source, weft_error *error);
void weft_cuda_source_clear(struct cuda_source *source);

#endif
