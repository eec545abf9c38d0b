/* SPDX-License-Identifier: MIT
 * Libraries that are opened when they are needed: what is not there is said by name. */
#include <string.h>
#include "base/library.h"
#include "check.h"

struct mathematics {
    double (*cos)(double);
    double (*fabs)(double);
};

int main(void) {
    const struct weft_library_function functions[] = {{"cos", offsetof(struct mathematics, cos)},
                                                      {"fabs", offsetof(struct mathematics, fabs)},
                                                      {"weft_has_no_such_function", 0}};
    struct mathematics found = {0};
    CHECK(weft_library_open("libweft-has-no-such-library.so.7") == NULL);
    CHECK(strstr(weft_library_reason(), "libweft-has-no-such-library.so.7") != NULL);
    CHECK(weft_library_loaded("libweft-has-no-such-library.so.7") == NULL);
    weft_library_close(NULL);
    void *library = weft_library_open("libm.so.6");
    if (library) { /* another C library calls it otherwise */
        CHECK(weft_library_find_all(library, functions, 2, &found) == NULL);
        CHECK(found.cos(0) == 1 && found.fabs(-2) == 2);
        const char *missing = weft_library_find_all(library, functions, 3, &found);
        CHECK(missing && strcmp(missing, "weft_has_no_such_function") == 0);
        weft_library_close(library);
        CHECK((library = weft_library_loaded("libm.so.6")) != NULL); /* the program has it too */
        weft_library_close(library);
    }
    return check_done("library");
}
