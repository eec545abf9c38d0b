/* SPDX-License-Identifier: MIT
 * Copies from device memory to shared memory that go on while a thread works, for CUDA from compute capability 8.0 on. A thread
 * sees what it asked for itself; others see it after a barrier too.
 *
 *   copy_ahead(to, from, bytes)   4, 8 or 16 bytes, both places on multiples of it; `to` is an element of shared memory
 *   copy_near(to, from, bytes)    the same by way of the multiprocessor's cache: of what its other warps read too
 *   copy_some_ahead(to, from, bytes, there)   the same, of which only the first `there` are; others become 0
 *   COPIES_END                    what was asked for since the last one is one group
 *   COPIES_WAIT(n)                until all groups but the newest n are there; n is a constant */
#ifndef KERNELS_GPU_ASYNC_COPY_H
#define KERNELS_GPU_ASYNC_COPY_H
#include "kernels/gpu/dialect/kernel.h"

#if defined(__CUDA_ARCH__)
FN void copy_ahead(INOUT(uint) to, address from, int bytes) {
    unsigned place = unsigned(__cvta_generic_to_shared(&to));
    if (bytes == 16)
        asm volatile("cp.async.cg.shared.global.L2::256B [%0], [%1], 16;" : : "r"(place), "l"(from) : "memory");
    else if (bytes == 8)
        asm volatile("cp.async.ca.shared.global.L2::256B [%0], [%1], 8;" : : "r"(place), "l"(from) : "memory");
    else
        asm volatile("cp.async.ca.shared.global.L2::256B [%0], [%1], 4;" : : "r"(place), "l"(from) : "memory");
}
FN void copy_near(INOUT(uint) to, address from, int bytes) {
    unsigned place = unsigned(__cvta_generic_to_shared(&to));
    if (bytes == 16)
        asm volatile("cp.async.ca.shared.global.L2::256B [%0], [%1], 16;" : : "r"(place), "l"(from) : "memory");
    else
        copy_ahead(to, from, bytes);
}
FN void copy_some_ahead(INOUT(uint) to, address from, int bytes, int there) {
    unsigned place = unsigned(__cvta_generic_to_shared(&to));
    if (bytes == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" : : "r"(place), "l"(from), "r"(there) : "memory");
    else if (bytes == 8)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;" : : "r"(place), "l"(from), "r"(there) : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" : : "r"(place), "l"(from), "r"(there) : "memory");
}
#define COPIES_END asm volatile("cp.async.commit_group;" : : : "memory")
#define COPIES_WAIT(n) asm volatile("cp.async.wait_group %0;" : : "n"(n) : "memory")
#else
FN void copy_ahead(INOUT(uint) to, address from, int bytes) {
    for (int i = 0; i < bytes / 4; i++)
        (&to)[i] = read_u32(from, i);
}
FN void copy_near(INOUT(uint) to, address from, int bytes) { copy_ahead(to, from, bytes); }
FN void copy_some_ahead(INOUT(uint) to, address from, int bytes, int there) {
    for (int i = 0; i < bytes / 4; i++)
        (&to)[i] = 0u;
    for (int i = 0; i < there; i++)
        (&to)[i / 4] |= read_u8(from, i) << (8 * (i % 4));
}
#define COPIES_END ((void)0)
#define COPIES_WAIT(n) ((void)0)
#endif

#endif
