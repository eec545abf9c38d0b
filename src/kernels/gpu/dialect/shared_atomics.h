/* SPDX-License-Identifier: MIT
 * Changing an element of shared memory that other threads change too: atomic_add_shared(array[i], n) and
 * atomic_or_shared(array[i], n), n unsigned. */
#ifndef KERNELS_GPU_SHARED_ATOMICS_H
#define KERNELS_GPU_SHARED_ATOMICS_H

#if defined(GLSL)
#define atomic_add_shared(element, n) atomicAdd(element, n)
#define atomic_or_shared(element, n) atomicOr(element, n)
#else
#define atomic_add_shared(element, n) atomicAdd(&(element), n)
#define atomic_or_shared(element, n) atomicOr(&(element), n)
#endif

#endif
