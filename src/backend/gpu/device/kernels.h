/* SPDX-License-Identifier: MIT
 * The index of GPU kernels that the build generates: what each is called, its constants, its code or text for each API. */
#ifndef BACKEND_GPU_KERNELS_H
#define BACKEND_GPU_KERNELS_H
#include <stdbool.h>
#include <stdint.h>

#define GPU_KERNEL_CONSTANTS 6 /* one id more is the code path's (kernels/gpu/dialect/code_path.h) */

/* A variant: values for the kernel's own constants, in order of their ids from SPECIAL_KERNEL. Vulkan has one module for all
 * variants and takes the values as specialization constants, unless the kernel is unrolled, whose variants have each its own.
 * CUDA compiles the text when a plan asks for it, and defines the constants by their names. */
struct gpu_kernel_row {
    const char *name;
    int32_t constant_count;
    int32_t constants[GPU_KERNEL_CONSTANTS + 1];
    const char *constant_names;   /* separated by blanks */
    int32_t threads_x, threads_y; /* of a block */
    int32_t shared; /* bytes of shared memory that a launch asks for beside what the code has (SHARED_BY_LAUNCH) */
    const char *text;     /* C: what makes the kernel, from the embedded texts; NULL where CUDA does not have it */
    int32_t capability;   /* of a CUDA device, at least: 80 is 8.0 */
    bool has_plain_form;  /* its text knows PLAIN_FORM (kernels/gpu/program/program.h) as something that others define */
    int32_t spirv, spirv_float16; /* embedded modules (backend/gpu/device/embedded.h), 0 for none; the second is for devices that
                                     compute with half floats */
};
extern const struct gpu_kernel_row weft_gpu_kernels[]; /* ended by a NULL name; variants of a kernel side by side */

/* For each filter in registry order: its number as an operation of point programs; -1 if it is none. */
extern const int32_t weft_gpu_operations[];

/* One operation, by its number: the name of its function, and the C text that defines it with the embedded texts. `role` is not
 * NULL where kernels also call it as OPERATION_role (kernels/gpu/program/conversions.h): then every program includes it. */
struct gpu_operation {
    const char *function, *text, *role;
};
extern const struct gpu_operation weft_gpu_operation_texts[];
extern const int32_t weft_gpu_operation_count;
/* The embedded module of Vulkan that has point_operation, which its kernels only name (backend/vulkan/spirv/spirv_link.c). */
extern const int32_t weft_gpu_operation_module;

#endif
