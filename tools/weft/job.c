/* SPDX-License-Identifier: MIT
 * Files through a graph into files, once. */
#include "job.h"
#include <stdlib.h>
#include <string.h>
#include "clock.h"
#include "interrupt.h"
#include "paths.h"

/* Plans the graph for the inputs; `types` are those of the outputs, or NULL. */
static int make_plan(struct job *job, const weft_type *types) {
    weft_plan_options options = {.inputs = job->inputs.infos,
                                 .input_count = job->inputs.count,
                                 .output_types = types,
                                 .output_type_count = types ? job->outputs.count : 0};
    weft_error error;
    weft_plan_destroy(&job->plan);
    if (weft_plan_create(job->device, job->graph->graph, &options, &job->plan, &error) != WEFT_OK)
        return report_library(&job->report, &error, NULL, &job->graph->text);
    return EXIT_DONE;
}

/* A first plan tells what the graph makes, the files tell what they can hold, and a second plan makes that. */
static int prepare(struct job *job, const char *const *paths, int count) {
    const struct options *options = job->options;
    weft_error error;
    int status = make_plan(job, NULL);
    if (status != EXIT_DONE)
        return status;
    status = outputs_match(&job->outputs, &job->report, job->plan, options, paths, count);
    if (status != EXIT_DONE)
        return status;
    if (job->inputs.count > 0)
        job->outputs.writing.metadata = weft_reader_metadata(job->inputs.readers[0]);
    bool again = false;
    weft_type *types = calloc((size_t)job->outputs.count + 1, sizeof *types);
    if (!types)
        return report_unable(&job->report, "not enough memory");
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
            return report_library(&job->report, &error, NULL, &job->graph->text);
        size_t length = strlen(text);
        fprintf(stderr, "%s%s", text, length && text[length - 1] == '\n' ? "" : "\n");
        weft_free(text);
    }
    return status;
}

/* A file of many pictures is not replaced by one of them. Asked again when all is read, for some say so only then. */
static int check_replaced(const struct job *job) {
    for (int i = 0; i < job->inputs.count; i++)
        for (int k = 0; k < job->outputs.count; k++) {
            dev_t device, other_device;
            ino_t number, other_number;
            long long pictures = (long long)weft_reader_pictures(job->inputs.readers[i]);
            const char *input = job->inputs.paths[i], *output = job->outputs.list[k].path;
            if (pictures > 1 && path_is_file(input, &device, &number) &&
                path_is_file(output, &other_device, &other_number) && device == other_device && number == other_number)
                return report_usage(&job->report,
                                    "'%s' holds %lld pictures, and one of them would take its place: give the output "
                                    "another name",
                                    input, pictures);
        }
    return EXIT_DONE;
}

static int finish_inputs(struct job *job) {
    int status = inputs_finish(&job->inputs);
    if (status == EXIT_DONE)
        status = check_replaced(job);
    if (status == EXIT_DONE)
        inputs_tell(&job->inputs);
    return status;
}

static void print_duration(double seconds) {
    if (seconds < 1)
        fprintf(stderr, "%.2f ms", seconds * 1e3);
    else
        fprintf(stderr, "%.2f s", seconds);
}

/* The run itself, between reading what cannot be streamed and writing it. */
static int execute(struct job *job) {
    bool stream = weft_plan_can_stream(job->plan);
    double start = clock_now();
    int status = outputs_open(&job->outputs, job->plan, stream);
    if (status != EXIT_DONE)
        return status;
    if (stream)
        inputs_stream(&job->inputs);
    else if ((status = inputs_read(&job->inputs, &job->progress)) != EXIT_DONE ||
             (status = finish_inputs(job)) != EXIT_DONE)
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
        return report_library(&job->report, &error, NULL, &job->graph->text);
    if (stream && (status = finish_inputs(job)) != EXIT_DONE)
        return status;
    if ((status = outputs_write(&job->outputs, &job->progress)) != EXIT_DONE)
        return status;
    if (interrupt_signal())
        return EXIT_UNABLE;
    status = outputs_finish(&job->outputs, job->options->json);
    if (status == EXIT_DONE && job->options->explain) {
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

int job_open(struct job *job, char **inputs, int count) {
    return inputs_open(&job->inputs, &job->report, inputs, count, job->options);
}

int job_run(struct job *job, const char *const *outputs, int count) {
    int status = prepare(job, outputs, count);
    if (status == EXIT_DONE)
        status = check_replaced(job);
    return status == EXIT_DONE ? execute(job) : status;
}

void job_close(struct job *job) {
    progress_end(&job->progress);
    outputs_close(&job->outputs);
    inputs_close(&job->inputs);
    weft_plan_destroy(&job->plan);
}
