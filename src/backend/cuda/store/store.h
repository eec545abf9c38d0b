/* SPDX-License-Identifier: MIT
 * Compiled kernels that outlast the process: a folder of the user's, a file for each kernel, and packs, which are such files one
 * after the other, made elsewhere. A damaged one counts as missing. Safe with many processes: a file appears whole. */
#ifndef BACKEND_CUDA_STORE_H
#define BACKEND_CUDA_STORE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "weft/weft.h"

#define STORE_NAME 64
/* What a kernel is found by, and its name, for people. */
struct cuda_key {
    uint64_t hash[2];      /* of its text */
    uint64_t compiler;     /* who made it; what is in a pack may be of any */
    int32_t architecture;
    char name[STORE_NAME]; /* not part of it */
};

struct cuda_store {
    char folder[1024];   /* empty: there is none */
    unsigned char *pack; /* the file that WEFT_KERNEL_PACK names */
    size_t pack_size;
};

/* Finds the folder alone: WEFT_KERNEL_CACHE (`none` for none), XDG_CACHE_HOME/weft/kernels or ~/.cache/weft/kernels. */
void weft_cuda_store_folder(struct cuda_store *store);
/* The same, and reads the pack. A pack that is named and cannot be read is an error. */
weft_status weft_cuda_store_open(struct cuda_store *store, weft_error *error);
void weft_cuda_store_close(struct cuda_store *store);

/* A kernel of the folder; *code is freed with weft_free. */
bool weft_cuda_store_find(const struct cuda_store *store, const struct cuda_key *key, unsigned char **code, size_t *size);
/* The same for the pack: a kernel for the architecture, or for an earlier one of its generation. */
bool weft_cuda_pack_find(const struct cuda_store *store, const struct cuda_key *key, unsigned char **code, size_t *size);
/* Keeps a kernel, if it can. */
void weft_cuda_store_put(const struct cuda_store *store, const struct cuda_key *key, const unsigned char *code, size_t size);
/* A kernel as it is in the folder and in packs, at the end of a file that is open. */
bool weft_cuda_kernel_write(int file, const struct cuda_key *key, const unsigned char *code, size_t size);

/* Calls `each` for the kernels of the folder, and of the pack. */
typedef void cuda_store_each(void *user, const struct cuda_key *key, uint64_t size);
void weft_cuda_store_list(const struct cuda_store *store, cuda_store_each *each, void *user);
void weft_cuda_pack_list(const struct cuda_store *store, cuda_store_each *each, void *user);
/* Removes the folder's kernels; *count is how many there were. */
weft_status weft_cuda_store_clear(const struct cuda_store *store, int64_t *count, weft_error *error);

#endif
