/* SPDX-License-Identifier: MIT
 * Libraries that are opened when they are needed. */
#include "base/library.h"
#include <dlfcn.h>
#include <string.h>

void *weft_library_open(const char *name) { return dlopen(name, RTLD_NOW | RTLD_NODELETE); }

bool weft_library_find(void *library, const char *name, void *function, size_t size) {
    void *found = dlsym(library, name);
    memcpy(function, &found, size); /* C has no cast from objects to functions */
    return found != NULL;
}
