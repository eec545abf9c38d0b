/* SPDX-License-Identifier: MIT
 * Files through a graph into files, once: the words of a command for weft_filter_files, and its answers for people. */
#ifndef TOOL_JOB_H
#define TOOL_JOB_H
#include "graph.h"
#include "common/json.h"
#include "common/progress.h"
#include "run/paths.h"

/* The job has its options, graph, device, memory, threads and report. Returns EXIT_DONE, or another exit status after a message. */
struct job {
    const struct options *options;
    const struct graph *graph;
    weft_device *device;
    weft_sequence *sequence; /* of which this is a frame, or NULL */
    uint64_t memory; /* bytes that it may take */
    int32_t threads; /* that it may have for each file */
    struct reporting report;
    struct progress progress;

    /* What its functions keep while it runs. */
    weft_files_input *inputs;
    weft_files_output *outputs;
    char **words; /* names and options of both, parted */
    struct paths folders; /* that were made */
    int input_count, output_count, word_count;
    int status; /* of a message that has been printed; EXIT_DONE for none */
    weft_files_step step;
    bool stepped, streams;
    int printed, to_print; /* outputs of numbers on standard output */
    struct json list;      /* of them */
    double start, begin, end;
    uint64_t bytes;
};

int job_run(struct job *job, char **inputs, int input_count, const char *const *outputs, int output_count);

#endif
