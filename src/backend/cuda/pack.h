/* SPDX-License-Identifier: MIT
 * A CUDA device that only compiles, without a GPU: plans for it compile their kernels for a pack, and cannot be run. */
#ifndef BACKEND_CUDA_PACK_H
#define BACKEND_CUDA_PACK_H
#include "backend/cuda/cuda.h"

/* A kernel that was compiled. */
struct packed {
    struct packed *next;
    struct cuda_key key;
    unsigned char *code;
    size_t size;
};

struct packer {
    struct gpu_device_base base; /* first */
    int32_t architecture;
    struct cuda_compiler compiler;
    struct cuda_store store;
    bool has_mutex;
    pthread_mutex_t mutex;  /* of what follows */
    struct packed *kernels; /* one list for all plans: they go with the device */
};
static inline struct packer *weft_cuda_packer_of(void *device) { return device; }

extern const struct gpu_driver weft_cuda_packer_driver;
/* The error for a call that would run something. */
weft_status weft_cuda_packer_no_run(weft_error *error);

weft_status weft_cuda_packer_open(int32_t architecture, const weft_device_options *options, weft_device **device,
                                  weft_error *error);
bool weft_cuda_is_packer(const weft_device *device);
/* All kernels of these devices, as a file that appears whole. */
weft_status weft_cuda_packers_write(weft_device *const *devices, int32_t count, const char *path, weft_error *error);

#endif
