/* SPDX-License-Identifier: MIT
 * Ladders: a table of what may be chosen, of which the first that fits is taken. */
#ifndef BASE_LADDER_H
#define BASE_LADDER_H
#include <stdbool.h>
#include <stdint.h>

struct weft_rung {
    int32_t choice;
    const char *what; /* names to search for in src/kernels; weft_body: the code of the filter itself */
    const char *when; /* in words; weft plan --explain prints it */
    bool (*fits)(const void *facts);
};

/* For the last rung: it fits every case. */
static inline bool weft_always_fits(const void *facts) {
    (void)facts;
    return true;
}

static inline const struct weft_rung *weft_first_that_fits(const struct weft_rung *rungs, const void *facts) {
    while (!rungs->fits(facts))
        rungs++;
    return rungs;
}

#endif
