/* SPDX-License-Identifier: MIT
 * A plan run in several manners, that must all give the very same pixels. */
#ifndef HARNESS_JOB_H
#define HARNESS_JOB_H
#include "harness.h"

enum { JOB_WIDTH = 150, JOB_HEIGHT = 90 };

/* A plan with pictures to run it on. */
struct job {
    weft_plan *plan;
    struct picture inputs[HARNESS_IMAGES];
    int32_t outputs;
};

struct manner {
    bool workspace; /* given by the caller */
    bool streamed;  /* images come and go row by row */
    const weft_parameters *parameters;
};

/* Takes over the plan, which may be NULL: false then. Closing is always allowed. */
bool job_open(struct job *job, weft_plan *plan, uint64_t seed);
void job_close(struct job *job);
/* Runs into new pictures, tightly packed; they are to be destroyed in any case. */
bool job_run(const struct job *job, const struct manner *manner, struct picture *outputs, weft_error *error);

void pictures_destroy(struct picture *pictures);
bool pictures_same(const struct picture *a, const struct picture *b, int32_t count);
/* Counts a check, and says what failed. */
void job_count(struct harness *harness, bool passed, const char *what, const char *graph, const char *why);

void try_parameters(struct harness *harness); /* parameters.c */

#endif
