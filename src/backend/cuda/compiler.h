/* SPDX-License-Identifier: MIT
 * NVRTC, NVIDIA's run-time compiler: where it is, and kernels compiled by it. It is opened when the first kernel needs it. */
#ifndef BACKEND_CUDA_COMPILER_H
#define BACKEND_CUDA_COMPILER_H
#include <pthread.h>
#include <stdbool.h>
#include "backend/cuda/api.h"
#include "backend/cuda/kernel_source.h"

struct cuda_compiler {
    char path[512];    /* of the library; empty: there is none */
    uint64_t identity; /* of the file, another for another version; 0 without one */
    pthread_mutex_t mutex; /* of what follows */
    bool has_mutex;
    void *library; /* NULL: not opened yet */
    int version;   /* 13000 is 13.0 */
    int *architectures; /* that it knows: 75 is 7.5 */
    int architecture_count, least, most;
    unsigned char *texts;
    size_t texts_size;
    const char **names, **headers; /* of the library's texts; two more places are a kernel's own */
    int header_count;
#define NVRTC_FIELD(name, ...) nvrtcResult (*name)(__VA_ARGS__);
    NVRTC_FUNCTIONS(NVRTC_FIELD)
#undef NVRTC_FIELD
};

/* The words for who has no compiler. */
#define CUDA_COMPILER_ADVICE "install NVRTC (pip install nvidia-cuda-nvrtc, or CUDA's toolkit), or set WEFT_NVRTC to it"

/* Looks for the library, which must not be of a later major version of CUDA than the driver's; 0: of any. */
weft_status weft_cuda_compiler_find(struct cuda_compiler *compiler, int driver_version, weft_error *error);
void weft_cuda_compiler_clear(struct cuda_compiler *compiler);

/* Machine code of a kernel for an architecture, or PTX where the compiler does not know one so new; *code is freed with
 * weft_free. Thread-safe. */
weft_status weft_cuda_compile(struct cuda_compiler *compiler, const struct cuda_source *source, int architecture,
                              unsigned char **code, size_t *size, weft_error *error);
/* WEFT_ERROR_UNSUPPORTED where there is no compiler, or it makes no machine code for an architecture. */
weft_status weft_cuda_compiler_knows(struct cuda_compiler *compiler, int architecture, weft_error *error);

#endif
