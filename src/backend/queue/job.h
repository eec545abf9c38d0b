/* SPDX-License-Identifier: MIT
 * A job of a queue: a run or a copy, with copies of all lists that the caller gave. */
#ifndef BACKEND_QUEUE_JOB_H
#define BACKEND_QUEUE_JOB_H
#include "backend/run.h"

struct job {
    struct job *next;
    const weft_plan *plan; /* NULL: a copy */
    weft_run run;          /* its lists are the job's own */
    weft_image from, to;
    bool by_device;  /* only the device's own memory is touched */
    void *workspace; /* of a run under way that brought none */
};

/* A job for this run, which holds the plan, the parameters and the state; NULL without memory. */
struct job *weft_job_of_run(const weft_plan *plan, const weft_run *run);
/* NULL is allowed. */
void weft_job_free(struct job *job);

#endif
