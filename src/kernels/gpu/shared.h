/* SPDX-License-Identifier: MIT
 * Adding to an element of shared memory that other threads add to: atomic_add_shared(array[i], n), n unsigned. */
#ifndef KERNELS_GPU_SHARED_H
#define KERNELS_GPU_SHARED_H

#if defined(GLSL)
#define atomic_add_shared(element, n) atomicAdd(element, n)
#else
#define atomic_add_shared(element, n) atomicAdd(&(element), n)
#endif

#endif
