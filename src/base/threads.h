/* SPDX-License-Identifier: MIT
 * A pool of threads that several callers may use at once. */
#ifndef BASE_THREADS_H
#define BASE_THREADS_H
#include <stdint.h>
#include "weft/status.h"

struct weft_pool;

/* Threads that this process may run at once. */
int32_t weft_thread_count(void);

/* A pool in which a caller and up to threads - 1 helpers work: as many of them as the system gives. */
weft_status weft_pool_create(int32_t threads, struct weft_pool **pool, weft_error *error);
/* In the child of a fork it only frees memory. */
void weft_pool_destroy(struct weft_pool **pool);
/* How many threads work in it, the caller's included. */
int32_t weft_pool_threads(const struct weft_pool *pool);

/* Calls task(user, lane, i) once for every i in [0, count) and returns when all are done. lane, in [0, threads of the
 * pool), is used by one thread at a time within this call; the calling thread is lane 0. Allocates nothing. */
void weft_pool_run(struct weft_pool *pool, int32_t count, void (*task)(void *user, int32_t lane, int32_t i), void *user);
/* The same; while the calling thread has nothing left to do but wait for the helpers, it calls waiting(user) every 20 ms. */
void weft_pool_run_watched(struct weft_pool *pool, int32_t count, void (*task)(void *user, int32_t lane, int32_t i),
                           void (*waiting)(void *user), void *user);

#endif
