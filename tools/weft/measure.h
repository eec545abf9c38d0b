/* SPDX-License-Identifier: MIT
 * Timing a plan on images that caches cannot hold, turn by turn with a copy of the same bytes. */
#ifndef TOOL_MEASURE_H
#define TOOL_MEASURE_H
#include "message.h"

struct measured {
    double median, minimum, copy; /* seconds; `copy` is the median of the copies */
    int runs, sets;               /* runs timed, sets of images taken in turn */
};

/* Returns EXIT_DONE, or another exit status after a message. `graph` is for the places in messages. */
int measure(struct measured *measured, const weft_plan *plan, int32_t threads, double seconds,
            const struct graph_text *graph);

#endif
