/* SPDX-License-Identifier: MIT
 * The one place where the library gets memory, and arithmetic on sizes that cannot wrap around. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* `count` times `size` bytes, zeroed; NULL when there are none or the product does not fit. */
void *weft_allocate(size_t count, size_t size);
/* The same, aligned to 64 bytes and not zeroed; freed like the rest. */
void *weft_allocate_aligned(size_t size);
/* Grows an array to `count` elements; NULL when there is no memory, the old array then stays. New bytes are not zeroed. */
void *weft_reallocate(void *memory, size_t count, size_t size);
/* A copy of `length` bytes of text, with a 0 after them. */
char *weft_duplicate_text(const char *text, size_t length);
void weft_free(void *memory);

/* *result = a * b or a + b; false when that does not fit. */
static inline bool weft_multiply(size_t a, size_t b, size_t *result) { return !__builtin_mul_overflow(a, b, result); }
static inline bool weft_add(size_t a, size_t b, size_t *result) { return !__builtin_add_overflow(a, b, result); }

/* `size` rounded up to a whole number of 64-byte cache lines. The caller has checked that it is far from SIZE_MAX. */
static inline size_t weft_round_up(size_t size) { return (size + 63) & ~(size_t)63; }

#endif
