/* SPDX-License-Identifier: MIT
 * What the library has in it for GPUs, packed (cmake/embed.c): the texts of all kernels, and modules of SPIR-V. */
#ifndef BACKEND_GPU_EMBEDDED_H
#define BACKEND_GPU_EMBEDDED_H
#include <stddef.h>
#include <stdint.h>
#include "weft/weft.h"

#define GPU_EMBEDDED_TEXTS 0 /* the entry of the texts: name, 0, text, 0 and so on */

/* Two numbers by which what is unpacked from an entry is known to be the same as that of another build. */
void weft_gpu_embedded_hash(int32_t entry, uint64_t hash[2]);

/* Unpacks an entry; the caller frees *data with weft_free. */
weft_status weft_gpu_unpack(int32_t entry, unsigned char **data, size_t *size, weft_error *error);

/* Unpacks a module of SPIR-V: *count words, which the caller frees with weft_free. */
weft_status weft_gpu_unpack_module(int32_t entry, uint32_t **words, size_t *count, weft_error *error);

#endif
