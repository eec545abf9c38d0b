/* SPDX-License-Identifier: MIT */
#define _DEFAULT_SOURCE /* madvise */
#include "base/memory.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "weft/status.h"

/* Memory of at least this size is put into huge pages, if the system does so on request: one entry of the processor's page
 * table, and one page fault at the first access, in place of 512. */
#define LARGE ((size_t)4 << 20)
#define HUGE_PAGE ((size_t)2 << 20)

void *weft_allocate(size_t count, size_t size) { return calloc(count ? count : 1, size ? size : 1); }

void *weft_allocate_aligned(size_t size) {
    if (size > SIZE_MAX - HUGE_PAGE)
        return NULL;
    if (size < LARGE)
        return aligned_alloc(64, size ? weft_round_up(size) : 64);
    void *memory = aligned_alloc(HUGE_PAGE, (size + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE);
#ifdef MADV_HUGEPAGE
    if (memory)
        (void)madvise(memory, size, MADV_HUGEPAGE); /* where the system does not know the request, ordinary pages do as well */
#endif
    return memory;
}

void *weft_reallocate(void *memory, size_t count, size_t size) {
    size_t total;
    if (!weft_multiply(count, size, &total))
        return NULL;
    return realloc(memory, total ? total : 1);
}

char *weft_duplicate_text(const char *text, size_t length) {
    char *copy = length < SIZE_MAX ? weft_allocate(length + 1, 1) : NULL;
    if (copy)
        memcpy(copy, text, length);
    return copy;
}

void weft_free(void *memory) { free(memory); }
