/* SPDX-License-Identifier: MIT
 * Libraries that are opened when they are needed: programs that do not need them start without them. */
#ifndef BASE_LIBRARY_H
#define BASE_LIBRARY_H
#include <stdbool.h>
#include <stddef.h>

/* NULL where it is not installed. To be closed by dlclose; it stays loaded, for bringing one in may take longer than
 * what it is brought in for. */
void *weft_library_open(const char *name);
/* Writes the address of the function of that name to `function`, of `size` bytes; false where there is none. */
bool weft_library_find(void *library, const char *name, void *function, size_t size);

#endif
