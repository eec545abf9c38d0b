/* SPDX-License-Identifier: MIT
 * The yardstick of weft bench. With OpenMP, as in the library: so the copy runs on the very threads that run graphs,
 * and waking them costs both the same. */
#include "copy.h"
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

int32_t copy_threads(void) {
#ifdef _OPENMP
    return omp_get_num_procs();
#else
    return 1;
#endif
}

void copy_memory(void *target, const void *source, size_t size, int32_t threads) {
    /* Whole pages for each thread, so that no two write to one cache line. */
    size_t part = (size / (size_t)threads + 4095) & ~(size_t)4095;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static, 1)
#endif
    for (int32_t i = 0; i < threads; i++) {
        size_t start = part * (size_t)i;
        if (start < size)
            memcpy((char *)target + start, (const char *)source + start, size - start < part ? size - start : part);
    }
}
