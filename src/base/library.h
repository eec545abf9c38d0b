/* SPDX-License-Identifier: MIT
 * Libraries that are opened when they are needed: programs that do not need them start without them. */
#ifndef BASE_LIBRARY_H
#define BASE_LIBRARY_H
#include <stdbool.h>
#include <stddef.h>

/* NULL where it is not installed. It stays in memory when it is closed: loading one may take longer than what it is
 * loaded for, and drivers leave threads, handlers and destructors behind, whose code must stay where it is. */
void *weft_library_open(const char *name);
/* The same for a library that is in memory already; NULL where it is not. */
void *weft_library_loaded(const char *name);
/* Why one could not be opened. */
const char *weft_library_reason(void);
/* NULL is no library. */
void weft_library_close(void *library);

/* Writes the address of the function of that name to `function`, of `size` bytes; false where there is none. */
bool weft_library_find(void *library, const char *name, void *function, size_t size);

/* A function of a library, and where in a struct its address goes. */
struct weft_library_function {
    const char *name;
    size_t offset;
};
/* The first of these that the library does not have; NULL where it has all, and their addresses are in the struct
 * `into`. */
const char *weft_library_find_all(void *library, const struct weft_library_function *functions, size_t count,
                                  void *into);

#endif
