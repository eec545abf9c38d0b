/* SPDX-License-Identifier: MIT
 * All backends, in the order in which tests try them. */
#include "backend/backend.h"

extern const struct weft_backend weft_backend_null, weft_backend_reference, weft_backend_cpu;
#ifdef WEFT_HAVE_CUDA
extern const struct weft_backend weft_backend_cuda;
#endif
#ifdef WEFT_HAVE_VULKAN
extern const struct weft_backend weft_backend_vulkan;
#endif

const struct weft_backend *const weft_backends[] = {
    &weft_backend_null, &weft_backend_reference, &weft_backend_cpu,
#ifdef WEFT_HAVE_CUDA
    &weft_backend_cuda,
#endif
#ifdef WEFT_HAVE_VULKAN
    &weft_backend_vulkan,
#endif
    NULL};
