/* SPDX-License-Identifier: MIT
 * Memory for the images of weft bench. */
#define _DEFAULT_SOURCE /* madvise */
#include "bench/image_memory.h"
#include <stdlib.h>
#include <stdint.h>
#include <sys/mman.h>

/* Images from this size on lie in huge pages where the system has them, as the library's own memory does. NumPy's memory does so
 * too, in which the images of the libraries lie that weft is compared with. */
#define LARGE ((size_t)4 << 20)
#define HUGE_PAGE ((size_t)2 << 20)

bool images_huge(size_t size) { return size >= LARGE; }

void *images_memory(size_t size, size_t count) {
    size_t page = images_huge(size) ? HUGE_PAGE : 64, total = size * count;
    if (count > 0 && size > (SIZE_MAX - HUGE_PAGE) / count)
        return NULL;
    void *memory = aligned_alloc(page, total ? (total + page - 1) / page * page : page);
#ifdef MADV_HUGEPAGE
    if (memory && page == HUGE_PAGE)
        (void)madvise(memory, total, MADV_HUGEPAGE);
#endif
    return memory;
}

void *image_memory(size_t size) { return images_memory(size, 1); }
