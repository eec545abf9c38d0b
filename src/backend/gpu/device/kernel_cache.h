/* SPDX-License-Identifier: MIT
 * Kernels that are made for a program: a device has those in use, and keeps those that were used last, since plans come
 * and go. What a driver makes begins with struct gpu_made. Callers hold a lock of their own. */
#ifndef BACKEND_GPU_KERNEL_CACHE_H
#define BACKEND_GPU_KERNEL_CACHE_H
#include <stdbool.h>
#include <stdint.h>
#include "kernels/gpu/dialect/launch.h"

#define GPU_KERNEL_SLOTS 256
#define GPU_KERNELS_KEPT 64 /* that no plan uses, at most */

struct gpu_made {
    int32_t code;                /* of what it was made, a number of the driver's, */
    int32_t values[SPECIALS];    /* and for what */
    int32_t users;
    struct gpu_made *next;          /* in its slot */
    struct gpu_made *older, *newer; /* of those without users, by when they lost the last one */
};

/* Begins as zeros. */
struct gpu_kernel_cache {
    struct gpu_made *slots[GPU_KERNEL_SLOTS];
    struct gpu_made *oldest, *newest;
    int32_t kept, count; /* without users; all */
};

/* The kernel of this code and these values, one user more; NULL when there is none. */
struct gpu_made *weft_gpu_cache_use(struct gpu_kernel_cache *cache, int32_t code, const int32_t *values);
/* Takes a new one, whose code, values and first user are set. There must be no other like it. */
void weft_gpu_cache_add(struct gpu_kernel_cache *cache, struct gpu_made *made);
/* One user less. Returns one that is too many, now the caller's to destroy, or NULL. */
struct gpu_made *weft_gpu_cache_release(struct gpu_kernel_cache *cache, struct gpu_made *made);
/* Takes any one out, to be destroyed; NULL when there are no more. */
struct gpu_made *weft_gpu_cache_take(struct gpu_kernel_cache *cache);

#endif
