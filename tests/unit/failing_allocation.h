/* SPDX-License-Identifier: MIT
 * The library's allocations, which the linker sends through here: one fails whenever fails(), of the test that includes this,
 * says so. */
#ifndef FAILING_ALLOCATION_H
#define FAILING_ALLOCATION_H
#include <stddef.h>

void *__real_weft_allocate(size_t count, size_t size);
void *__real_weft_allocate_aligned(size_t size);
void *__real_weft_reallocate(void *memory, size_t count, size_t size);
char *__real_weft_duplicate_text(const char *text, size_t length);
void *__wrap_weft_allocate(size_t count, size_t size);
void *__wrap_weft_allocate_aligned(size_t size);
void *__wrap_weft_reallocate(void *memory, size_t count, size_t size);
char *__wrap_weft_duplicate_text(const char *text, size_t length);

void *__wrap_weft_allocate(size_t count, size_t size) { return fails() ? NULL : __real_weft_allocate(count, size); }
void *__wrap_weft_allocate_aligned(size_t size) { return fails() ? NULL : __real_weft_allocate_aligned(size); }
void *__wrap_weft_reallocate(void *memory, size_t count, size_t size) {
    return fails() ? NULL : __real_weft_reallocate(memory, count, size);
}
char *__wrap_weft_duplicate_text(const char *text, size_t length) {
    return fails() ? NULL : __real_weft_duplicate_text(text, length);
}

#endif
