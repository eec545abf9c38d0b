/* SPDX-License-Identifier: MIT
 * The passes of kernels of separable filters, each in its file; `taps`: the weights of both axes. */
#ifndef BACKEND_GPU_LOWER_CONVOLVE_H
#define BACKEND_GPU_LOWER_CONVOLVE_H
#include "backend/gpu/choose/convolve.h"
#include "backend/gpu/pass/pass.h"

/* Returns the form of `convolve_bytes` that can run the filter; 0 where none can or the device has no int8 tensor cores. */
int32_t weft_gpu_find_slabs(const struct gpu_builder *builder, const struct gpu_node_context *context,
                            const struct weft_taps *taps);
weft_status weft_gpu_add_convolve_bytes(struct gpu_builder *builder, const struct gpu_node_context *context, int32_t slabs,
                                        const struct weft_taps *taps, weft_error *error);

weft_status weft_gpu_add_convolve_matrix(struct gpu_builder *builder, const struct gpu_node_context *context,
                                         const struct gpu_convolve_case *convolve, const struct weft_taps *taps, weft_error *error);
weft_status weft_gpu_add_convolve_line_matrix(struct gpu_builder *builder, const struct gpu_node_context *context,
                                              const struct gpu_convolve_case *convolve, const struct weft_taps *taps,
                                              weft_error *error);
weft_status weft_gpu_add_convolve_cooperative(struct gpu_builder *builder, const struct gpu_node_context *context,
                                              const struct gpu_convolve_case *convolve, const struct weft_taps *taps,
                                              weft_error *error);

#endif
