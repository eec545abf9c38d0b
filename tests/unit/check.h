/* SPDX-License-Identifier: MIT
 * The smallest test framework that does: count, say where it failed, sum up. For programs of one source file. */
#ifndef CHECK_H
#define CHECK_H
#include <stdbool.h>
#include <stdio.h>

static int check_passed, check_failed;

/* Counts and, when it failed, reports; gives the condition back, so that a test can stop at a failure. */
static inline bool check_that(bool condition, const char *text, const char *file, int line) {
    if (condition)
        check_passed++;
    else
        check_failed++;
    if (!condition)
        fprintf(stderr, "%s:%d: failed: %s\n", file, line, text);
    return condition;
}

#define CHECK(condition) check_that((condition), #condition, __FILE__, __LINE__)

/* Prints the one line of a test program; the value for main to return. */
static inline int check_done(const char *name) {
    printf("%s: %d passed, %d failed\n", name, check_passed, check_failed);
    return check_failed ? 1 : 0;
}

#endif
