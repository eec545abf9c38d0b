/* SPDX-License-Identifier: MIT
 * Making and freeing a queue's jobs. */
#include "backend/queue/job.h"
#include <string.h>
#include "backend/state.h"
#include "base/memory.h"

void weft_job_free(struct job *job) {
    if (!job)
        return;
    weft_free((void *)(uintptr_t)job->run.inputs);
    weft_free((void *)(uintptr_t)job->run.outputs);
    weft_free((void *)(uintptr_t)job->run.wait);
    weft_free((void *)(uintptr_t)job->run.signal);
    weft_free(job->workspace);
    if (job->plan)
        weft_plan_leave(job->plan);
    weft_parameters_leave(job->run.parameters);
    weft_state_leave(job->run.state);
    weft_free(job);
}

/* Copies a list into *copy; false without memory. */
static bool copy_list(const void *list, int32_t count, size_t size, const void **copy) {
    void *memory = weft_allocate((size_t)count, size);
    *copy = memory;
    if (memory && count > 0)
        memcpy(memory, list, (size_t)count * size);
    return memory != NULL;
}

struct job *weft_job_of_run(const weft_plan *plan, const weft_run *run) {
    struct job *job = weft_allocate(1, sizeof *job);
    const void *inputs = NULL, *outputs = NULL, *wait = NULL, *signal = NULL;
    if (!job)
        return NULL;
    job->plan = plan;
    weft_plan_hold(plan);
    bool complete = copy_list(run->inputs, run->input_count, sizeof *run->inputs, &inputs);
    complete = copy_list(run->outputs, run->output_count, sizeof *run->outputs, &outputs) && complete;
    complete = copy_list(run->wait, run->wait_count, sizeof *run->wait, &wait) && complete;
    complete = copy_list(run->signal, run->signal_count, sizeof *run->signal, &signal) && complete;
    job->run = *run;
    weft_parameters_hold(run->parameters);
    weft_state_hold(run->state);
    job->run.inputs = inputs;
    job->run.outputs = outputs;
    job->run.wait = wait;
    job->run.signal = signal;
    if (!complete) {
        weft_job_free(job);
        return NULL;
    }
    return job;
}
