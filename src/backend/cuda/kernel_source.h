/* SPDX-License-Identifier: MIT
 * The text of one kernel for one launch: what CUDA's compiler is given. */
#ifndef BACKEND_CUDA_KERNEL_SOURCE_H
#define BACKEND_CUDA_KERNEL_SOURCE_H
#include "backend/gpu/device/kernels.h"
#include "backend/gpu/driver.h"
#include "weft/weft.h"

struct cuda_source {
    const struct gpu_kernel_row *row;
    char *text;       /* defines the kernel's constants and form, and includes the kernel */
    char *known;      /* known.h: what the launch says that no run changes */
    char *operations; /* text of point_operations.h: code for each point filter that is used */
    uint64_t hash[2]; /* of these and of all texts that the library has in it */
};

/* Makes the source of a kernel. `row`: its row in the index of kernels. `wanted`: what the plan knows before any run. */
weft_status weft_cuda_source_make(const struct gpu_kernel_row *row, const struct gpu_wanted *wanted, struct cuda_source *source,
                                  weft_error *error);
void weft_cuda_source_clear(struct cuda_source *source);

#endif
