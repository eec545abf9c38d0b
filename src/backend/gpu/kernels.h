/* SPDX-License-Identifier: MIT
 * The index of GPU kernels that the build generates: what each is called, its constants, its code for each API. */
#ifndef BACKEND_GPU_KERNELS_H
#define BACKEND_GPU_KERNELS_H
#include <stdint.h>

#define GPU_KERNEL_CONSTANTS 7

/* A variant: values for the kernel's own constants, in order of their ids from SPECIAL_KERNEL. Vulkan has one module for all
 * variants and takes the values as specialization constants. NULL where a backend was left out.
 *
 * CUDA code comes in two forms: `fatbin` runs any programs, `plain` none (kernels/gpu/program.h), NULL where a kernel has no
 * such form. */
struct gpu_kernel_row {
    const char *name;
    int32_t constant_count;
    int32_t constants[GPU_KERNEL_CONSTANTS + 1];
    int32_t threads_x, threads_y; /* of a block */
    const unsigned char *spirv, *spirv_end;
    const unsigned char *fatbin, *fatbin_end;
    const unsigned char *plain, *plain_end;
};
extern const struct gpu_kernel_row weft_gpu_kernels[]; /* ended by a NULL name; variants of a kernel side by side */

/* Of each filter in registry order: its number as an operation of point programs, -1 for others. */
extern const int32_t weft_gpu_operations[];

#endif
