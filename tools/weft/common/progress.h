/* SPDX-License-Identifier: MIT
 * A bar on the terminal for work that takes long enough to wonder about. */
#ifndef TOOL_PROGRESS_H
#define TOOL_PROGRESS_H
#include <stdbool.h>

struct progress {
    const char *label; /* what is going on: "reading" */
    double start;      /* when that began */
    double drawn;      /* when the bar was last drawn */
    bool terminal;     /* standard error is one */
    bool visible;      /* a bar is on it now */
    bool quiet;        /* another bar stands for this work */
};

/* Begins a step of the work; ends the one before. A zeroed progress is ready for it. */
void progress_begin(struct progress *progress, const char *label);
/* The shape of weft_run's callback: draws when it is time to, and returns false when the user wants to stop. */
bool progress_update(void *user, double done);
/* Wipes the bar away. Must come before any message. */
void progress_end(struct progress *progress);

#endif
