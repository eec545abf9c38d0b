/* SPDX-License-Identifier: MIT
 * Libraries that are opened when they are needed. */
#include "base/library.h"
#include <dlfcn.h>
#include <string.h>

#ifdef RTLD_NODELETE
#define STAY RTLD_NODELETE
#else
#define STAY 0
#endif

void *weft_library_open(const char *name) { return dlopen(name, RTLD_NOW | RTLD_LOCAL | STAY); }

void *weft_library_loaded(const char *name) { return dlopen(name, RTLD_LAZY | RTLD_NOLOAD | STAY); }

const char *weft_library_reason(void) {
    const char *reason = dlerror();
    return reason ? reason : "unknown reason";
}

void weft_library_close(void *library) {
    if (library)
        dlclose(library);
}

bool weft_library_find(void *library, const char *name, void *function, size_t size) {
    void *found = dlsym(library, name);
    memcpy(function, &found, size); /* C has no cast from objects to functions */
    return found != NULL;
}

const char *weft_library_find_all(void *library, const struct weft_library_function *functions, size_t count,
                                  void *into) {
    for (size_t i = 0; i < count; i++)
        if (!weft_library_find(library, functions[i].name, (unsigned char *)into + functions[i].offset, sizeof(void *)))
            return functions[i].name;
    return NULL;
}
