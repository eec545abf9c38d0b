/* SPDX-License-Identifier: MIT
 * Kernels of CUDA: what is kept of those that plans compiled, and packs of them for machines without a compiler. See
 * docs/cuda.md. */
#ifndef WEFT_KERNELS_H
#define WEFT_KERNELS_H
#include <stddef.h>
#include "weft/device.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum weft_kernel_place {
    WEFT_KERNEL_EMBEDDED, /* the library has it: text for CUDA, SPIR-V for Vulkan */
    WEFT_KERNEL_CACHED,   /* compiled, in the user's folder */
    WEFT_KERNEL_PACKED    /* compiled, in the pack that WEFT_KERNEL_PACK names */
} weft_kernel_place;

typedef struct weft_kernel_info {
    weft_kernel_place place;
    const char *backend;  /* "cuda", "vulkan" */
    const char *name;
    int32_t architecture; /* of compiled ones: 90 is compute capability 9.0 */
    uint64_t size;        /* of compiled ones: bytes of code */
} weft_kernel_info;

/* Called for a kernel; what `info` points at is there during the call. */
typedef void weft_kernels_each(void *user, const weft_kernel_info *info);
/* Calls `each` for every kernel, with `user`. A pack that is named and cannot be read is an error. */
WEFT_API weft_status weft_kernels_list(weft_kernels_each *each, void *user, weft_error *error);
/* The user's folder, empty where there is none: WEFT_KERNEL_CACHE (`none` for none), XDG_CACHE_HOME/weft/kernels or
 * ~/.cache/weft/kernels. `path` has room for `size` bytes; a path that does not fit is an error. */
WEFT_API weft_status weft_kernels_folder(char *path, size_t size, weft_error *error);
/* Removes the compiled kernels of the user's folder; *removed, which may be NULL, is how many there were. */
WEFT_API weft_status weft_kernels_clear(int64_t *removed, weft_error *error);

/* Opens a device that is not there: plans for it compile kernels for GPUs of one architecture (90: compute capability 9.0), which
 * needs NVRTC and no GPU, and cannot be run. WEFT_ERROR_UNSUPPORTED without NVRTC, or where it does not know the architecture. */
WEFT_API weft_status weft_kernels_device(int32_t architecture, const weft_device_options *options, weft_device **device,
                                         weft_error *error);
/* Writes all kernels that such devices compiled to one file, a pack, which appears whole or not at all. */
WEFT_API weft_status weft_kernels_pack(weft_device *const *devices, int32_t count, const char *path, weft_error *error);

#ifdef __cplusplus
}
#endif
#endif
