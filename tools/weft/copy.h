/* SPDX-License-Identifier: MIT
 * The yardstick of weft bench: a copy of memory by the same number of threads. */
#ifndef TOOL_COPY_H
#define TOOL_COPY_H
#include <stddef.h>
#include <stdint.h>

/* The threads that a copy can use: those that this process may run on. */
int32_t copy_threads(void);
/* Copies by up to `threads` threads. */
void copy_memory(void *target, const void *source, size_t size, int32_t threads);

#endif
