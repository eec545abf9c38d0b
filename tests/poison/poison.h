/* SPDX-License-Identifier: MIT
 * What memory holds that nobody has written yet, in test programs: f16 and f32 that are no numbers, integers that no filter
 * makes of most pictures. Whatever is made of it shows. */
#ifndef POISON_H
#define POISON_H
#include <stddef.h>
#include <stdint.h>
#if defined __has_include
#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>
#endif
#endif

static inline unsigned char poison_byte(const void *place) { return (uintptr_t)place & 1 ? 0xff : 0xa5; }

static inline void poison_fill(void *memory, size_t size) {
    unsigned char *bytes = memory;
    for (size_t i = 0; i < size; i++)
        bytes[i] = poison_byte(bytes + i);
}

/* For valgrind it is what nobody has written yet, whatever is there. */
static inline void poison_undefine(void *memory, size_t size) {
#ifdef VALGRIND_MAKE_MEM_UNDEFINED
    VALGRIND_MAKE_MEM_UNDEFINED(memory, size);
#endif
    (void)memory, (void)size;
}

#endif
