/* SPDX-License-Identifier: MIT
 * weft run: files through a graph into files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "clock.h"
#include "command.h"
#include "graph.h"
#include "inputs.h"
#include "interrupt.h"
#include "message.h"
#include "operands.h"
#include "outputs.h"

/* Everything that one run holds, so that it can be let go in one place. */
struct job {
    struct graph graph;
    struct inputs inputs;
    struct outputs outputs;
    weft_device *device;
    weft_plan *plan;
    struct progress progress;
};

/* Plans the graph for the inputs; `types` are those of the outputs, or NULL. */
static int make_plan(struct job *job, const weft_type *types) {
    weft_plan_options options = {.inputs = job->inputs.infos,
                                 .input_count = job->inputs.count,
                                 .output_types = types,
                                 .output_type_count = types ? job->outputs.count : 0};
    weft_error error;
    weft_plan_destroy(&job->plan);
    if (weft_plan_create(job->device, job->graph.graph, &options, &job->plan, &error) != WEFT_OK)
        return message_library(&error, NULL, &job->graph.text);
    return EXIT_DONE;
}

/* A first plan tells what the graph makes, the files tell what they can hold, and a second plan makes that. */
static int prepare(struct job *job, const struct options *options, const struct operands *operands) {
    weft_error error;
    int status = make_plan(job, NULL);
    if (status != EXIT_DONE)
        return status;
    status = outputs_match(&job->outputs, job->plan, options, operands->outputs, operands->output_count);
    if (status != EXIT_DONE)
        return status;
    bool again = false;
    weft_type *types = calloc((size_t)job->outputs.count + 1, sizeof *types);
    if (!types)
        return message_unable("not enough memory");
    for (int i = 0; i < job->outputs.count; i++) {
        types[i] = job->outputs.list[i].type;
        again = again || (types[i] && types[i] != job->outputs.list[i].made.format.type);
    }
    if (again)
        status = make_plan(job, types);
    free(types);
    if (status == EXIT_DONE && options->explain) {
        char *text = NULL;
        if (weft_plan_print(job->plan, WEFT_PLAN_TEXT, &text, &error) != WEFT_OK)
            return message_library(&error, NULL, &job->graph.text);
        size_t length = strlen(text);
        fprintf(stderr, "%s%s", text, length && text[length - 1] == '\n' ? "" : "\n");
        weft_free(text);
    }
    return status;
}

static void print_duration(double seconds) {
    if (seconds < 1)
        fprintf(stderr, "%.2f ms", seconds * 1e3);
    else
        fprintf(stderr, "%.2f s", seconds);
}

/* The run itself, between reading what cannot be streamed and writing it. */
static int execute(struct job *job, const struct options *options) {
    bool stream = weft_plan_can_stream(job->plan);
    double start = clock_now();
    int status = outputs_open(&job->outputs, job->plan, stream);
    if (status != EXIT_DONE)
        return status;
    if (stream)
        inputs_stream(&job->inputs);
    else if ((status = inputs_read(&job->inputs, &job->progress)) != EXIT_DONE ||
             (status = inputs_finish(&job->inputs)) != EXIT_DONE)
        return status;

    weft_run run = {.inputs = job->inputs.run,
                    .input_count = job->inputs.count,
                    .outputs = job->outputs.run,
                    .output_count = job->outputs.count,
                    .progress = progress_update,
                    .progress_user = &job->progress};
    weft_error error;
    progress_begin(&job->progress, "filtering");
    double begin = clock_now();
    weft_status result = weft_plan_run(job->plan, &run, &error);
    double end = clock_now();
    progress_end(&job->progress);
    if (result != WEFT_OK)
        return message_library(&error, NULL, &job->graph.text);
    if (stream && (status = inputs_finish(&job->inputs)) != EXIT_DONE)
        return status;
    if ((status = outputs_write(&job->outputs, &job->progress)) != EXIT_DONE)
        return status;
    if (interrupt_signal())
        return EXIT_UNABLE;
    status = outputs_finish(&job->outputs, options->json);
    if (status == EXIT_DONE && options->explain) {
        double seconds = end - begin, bytes = (double)weft_plan_bytes(job->plan);
        fputs("run took ", stderr);
        print_duration(seconds);
        fprintf(stderr, ", %.4g MB/s%s; with files ", seconds > 0 ? bytes / seconds / 1e6 : 0,
                stream ? ", reading and writing files as it went" : "");
        print_duration(clock_now() - start);
        putc('\n', stderr);
    }
    return status;
}

static int perform(struct job *job, const struct options *options) {
    struct operands operands;
    weft_error error;
    weft_device_options device = {.threads = options->threads, .log = message_log(options->explain)};
    int status = operands_read(&operands, &job->graph, options);
    if (status != EXIT_DONE)
        return status;
    if ((status = inputs_open(&job->inputs, operands.inputs, operands.input_count, options->pixel_limit)) != EXIT_DONE)
        return status;
    if (weft_device_open(options->device, &device, &job->device, &error) != WEFT_OK)
        return message_library(&error, NULL, NULL);
    if ((status = prepare(job, options, &operands)) != EXIT_DONE)
        return status;
    return execute(job, options);
}

int run_command(const struct options *options) {
    struct job job = {.plan = NULL};
    interrupt_install();
    int status = perform(&job, options);
    progress_end(&job.progress);
    outputs_close(&job.outputs);
    inputs_close(&job.inputs);
    weft_plan_destroy(&job.plan);
    weft_device_close(&job.device);
    graph_close(&job.graph);
    if (status != EXIT_DONE && interrupt_signal()) {
        message_unable("stopped; no file was written");
        return 128 + interrupt_signal();
    }
    return status;
}
