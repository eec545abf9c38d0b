/* SPDX-License-Identifier: MIT
 * A file with a compiled kernel: a head and the code. A pack is many of them one after the other. */
#ifndef BACKEND_CUDA_KERNEL_FILE_H
#define BACKEND_CUDA_KERNEL_FILE_H
#include "backend/cuda/store/store.h"

#define KERNEL_FILE_LARGEST ((size_t)64 << 20) /* bytes of one kernel */

/* Fields in the machine's own order: files go with the library that wrote them, and others are not taken. */
struct kernel_head {
    char magic[16];
    uint64_t hash[2], compiler, size, sum;
    int32_t architecture, version;
    char name[STORE_NAME];
};

/* Whether these bytes begin with a whole kernel; reads its head. */
bool weft_kernel_file_is_whole(const unsigned char *data, size_t size, struct kernel_head *head);
/* Whether it is the kernel with this key. */
bool weft_kernel_file_is_of(const struct kernel_head *head, const struct cuda_key *key);
struct cuda_key weft_kernel_file_key(const struct kernel_head *head);

#endif
