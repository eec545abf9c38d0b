/* SPDX-License-Identifier: MIT
 * The index of GPU kernels that the build generates: what each is called, its constants, its code for each API. */
#ifndef BACKEND_GPU_KERNELS_H
#define BACKEND_GPU_KERNELS_H
#include <stdint.h>

#define GPU_KERNEL_CONSTANTS 6 /* one id more is the way's (kernels/gpu/way.h) */

/* A module of SPIR-V, NULL where there is none. */
struct gpu_kernel_module {
    const unsigned char *begin, *end;
};

/* A variant: values for the kernel's own constants, in order of their ids from SPECIAL_KERNEL. Vulkan has one module for all
 * variants and takes the values as specialization constants, unless the kernel is unrolled, whose variants have each its own. NULL
 * where the backend was left out. CUDA has several codes. */
struct gpu_kernel_row {
    const char *name;
    int32_t constant_count;
    int32_t constants[GPU_KERNEL_CONSTANTS + 1];
    int32_t threads_x, threads_y; /* of a block */
    int32_t shared; /* bytes of a block's memory that a launch asks for beside what the code has (SHARED_BY_LAUNCH) */
    struct gpu_kernel_module spirv, spirv_float16; /* the second for devices that compute with half floats, where there is one */
    int32_t first_code, code_count; /* in weft_gpu_codes; the first runs any programs */
};

/* CUDA code of a variant: for any programs, or plain, without any (kernels/gpu/program.h), for any formats or for one of the
 * input and one of the result; or text, to be woven for one program (backend/cuda/weave.h). */
enum gpu_form { GPU_FORM_PROGRAMS, GPU_FORM_PLAIN, GPU_FORM_WOVEN };
struct gpu_kernel_code {
    int32_t form;
    int32_t type, stored, channels; /* the only types that it reads and writes, and how many channels; 0 for any */
    int32_t source;                 /* channels of the image that it reads: others where it takes their luminance */
    const unsigned char *code, *code_end; /* a fatbin, or text that ends in 0; NULL where the backend was left out */
};
extern const struct gpu_kernel_row weft_gpu_kernels[]; /* ended by a NULL name; variants of a kernel side by side */
extern const struct gpu_kernel_code weft_gpu_codes[];
extern const int32_t weft_gpu_code_count;

/* Of each filter in registry order: its number as an operation of point programs, -1 for others. */
extern const int32_t weft_gpu_operations[];

#endif
