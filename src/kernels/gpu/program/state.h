/* SPDX-License-Identifier: MIT
 * What a thread keeps between the pixels that it handles: the registers of its program and its share of reductions. */
#ifndef KERNELS_GPU_STATE_H
#define KERNELS_GPU_STATE_H

#define STATE                                                                                                          \
    vec4 r0, r1, r2, r3;                                                                                               \
    vec4 high0, low0, high1, low1; /* of the two reductions: the extreme, or the sum in two parts */
#if defined(GLSL)
STATE
#define PLACE_AT(x, y, width, height) place(x, y, width, height)
#else
struct thread_state { STATE };
#define PLACE_AT(x, y, width, height) {x, y, width, height}
#endif

#endif
