/* SPDX-License-Identifier: MIT
 * Kernels in their CUDA form, run by the processor, one block after the other: a test double of a GPU. */
#ifndef CUDA_EMULATED_H
#define CUDA_EMULATED_H
#include <stddef.h>
#include <stdint.h>
#include "kernels/gpu/dialect/launch.h"

/* What a compiled kernel has in it (nvrtc.c). */
struct emulated_code {
    void (*entry)(const struct gpu_launch *launch); /* one thread */
    char *shared, *shared_end;                      /* the block's memory */
};
/* The code that the stand-in for NVRTC gives is this, the kernel's name and the library's path, a line each. */
#define EMULATED_MAGIC "weft: emulated kernel\n"

/* Runs a grid. A block's threads run in turns from barrier to barrier, in an order that changes from block to block, so
 * that a missing barrier shows. Says what is wrong and aborts when threads of a block do not meet at the same barrier.
 * Not thread-safe. */
void emulated_run(const struct emulated_code *code, const uint32_t blocks[3], const uint32_t threads[3],
                  const struct gpu_launch *launch);

/* How often a program pinned memory. */
__attribute__((visibility("default"))) extern int emulated_pinned;

/* Says what a program did wrong, and aborts. */
void emulated_fault(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

#endif
