/* SPDX-License-Identifier: MIT
 * What weft bench compares with: a copy of memory by the same number of threads. */
#ifndef TOOL_COPY_BASELINE_H
#define TOOL_COPY_BASELINE_H
#include <stddef.h>
#include <stdint.h>

struct copier;

/* The threads that this process may run at once. */
int32_t copier_default_threads(void);
/* Threads that wait for copies to do; NULL when there is no memory. Fewer start when the system gives no more. */
struct copier *copier_open(int32_t threads);
void copier_copy(struct copier *copier, void *target, const void *source, size_t size);
/* NULL is allowed. */
void copier_close(struct copier *copier);

#endif
