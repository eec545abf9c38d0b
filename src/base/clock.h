/* SPDX-License-Identifier: MIT
 * A monotonic clock, to measure how long something takes. */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H
#include <time.h>

static inline double weft_seconds(void) {
    struct timespec time = {0};
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

#endif
