/* SPDX-License-Identifier: MIT
 * Where NVRTC is on this machine. */
#ifndef BACKEND_CUDA_FIND_NVRTC_H
#define BACKEND_CUDA_FIND_NVRTC_H
#include <stddef.h>
#include <stdint.h>

/* The library's path, empty where there is none, and a number that another file has not. `most`: the latest major version that
 * will do, 0 for any. The environment variable WEFT_NVRTC, a file or its folder, goes before all places; as `none` it says that
 * there is none. */
void weft_cuda_find_compiler(int most, char *path, size_t size, uint64_t *identity);

#endif
