/* SPDX-License-Identifier: MIT
 * Files through a graph into files, once. */
#ifndef TOOL_JOB_H
#define TOOL_JOB_H
#include "graph.h"
#include "inputs.h"
#include "outputs.h"

/* Everything that one run holds, so that it can be let go in one place. */
struct job {
    const struct options *options;
    const struct graph *graph;
    weft_device *device;
    struct reporting report;
    struct inputs inputs;
    struct outputs outputs;
    weft_plan *plan;
    struct progress progress;
};

/* Opens the inputs. The job has its options, graph and report; both functions return EXIT_DONE, or another exit status
 * after a message, and the job is to be closed in any case. */
int job_open(struct job *job, char **inputs, int count);
/* Plans, runs and writes. The job now has its device, too. */
int job_run(struct job *job, const char *const *outputs, int count);
void job_close(struct job *job);

#endif
