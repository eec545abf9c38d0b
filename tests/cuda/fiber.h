/* SPDX-License-Identifier: MIT
 * Fibers: stacks that one thread switches between. */
#ifndef CUDA_FIBER_H
#define CUDA_FIBER_H

#define FIBERS 1024

/* Runs fiber i until it yields or `body` returns, which must not happen: it yields when it is done and is then resumed
 * with new work. `body` is the same for all fibers. */
void emulated_fiber_resume(int i, void (*body)(int i));
/* From within fiber i: back to the one who resumed it. */
void emulated_fiber_yield(int i);

#endif
