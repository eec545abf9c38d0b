/* SPDX-License-Identifier: MIT */
#include "base/memory.h"
#include <stdlib.h>
#include <string.h>
#include "weft/status.h"

void *weft_allocate(size_t count, size_t size) { return calloc(count ? count : 1, size ? size : 1); }

void *weft_allocate_aligned(size_t size) {
    if (size > SIZE_MAX - 64)
        return NULL;
    size = weft_round_up(size);
    return aligned_alloc(64, size ? size : 64);
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
