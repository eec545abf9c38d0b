/* SPDX-License-Identifier: MIT
 * Files through a graph into files, once. */
#include "run/job.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "common/clock.h"
#include "show/formats.h"
#include "common/interrupt.h"
#include "run/paths.h"
#include "common/values.h"

static bool standard(const char *path) { return !strcmp(path, "-"); }

/* Splits a name from the options behind it. False without memory. */
static bool part(struct job *job, const char *word, size_t length, const char **path, const char **settings) {
    size_t all = strlen(word);
    char *name = strndup(word, length), *rest = length < all ? strndup(word + length + 1, all - length - 2) : NULL;
    job->words[job->word_count++] = name;
    job->words[job->word_count++] = rest;
    *path = name;
    *settings = rest;
    return name && (length == all || rest);
}

static int open_words(struct job *job, char **inputs, const char *const *outputs) {
    const struct options *options = job->options;
    size_t in = (size_t)job->input_count, out = (size_t)job->output_count;
    job->inputs = calloc(in + 1, sizeof *job->inputs);
    job->outputs = calloc(out + 1, sizeof *job->outputs);
    job->words = calloc(2 * (in + out) + 1, sizeof *job->words);
    bool good = job->inputs && job->outputs && job->words;
    for (size_t i = 0; good && i < in; i++) {
        weft_files_input *input = &job->inputs[i];
        input->reading =
            (weft_reader_options){.pixel_limit = options->pixel_limit, .memory_limit = options->decode_limit,
                                  .threads = job->threads};
        good = part(job, inputs[i], formats_input_length(inputs[i]), &input->path, &input->reading.settings);
    }
    for (size_t i = 0; good && i < out; i++) {
        weft_files_output *output = &job->outputs[i];
        output->writing =
            (weft_writer_options){.format = options->to, .quality = options->quality, .strip = options->strip,
                                  .threads = job->threads};
        output->type = options->type;
        good = part(job, outputs[i], formats_name_length(outputs[i]), &output->path, &output->writing.settings);
    }
    return good ? EXIT_DONE : report_unable(&job->report, "not enough memory");
}

static void close_words(struct job *job) {
    paths_remove_empty(&job->folders);
    for (int i = 0; i < job->word_count; i++)
        free(job->words[i]);
    free(job->words);
    free(job->inputs);
    free(job->outputs);
}

/* Two names may be of the same file, for instance through a link, whether it exists yet or not. */
static int check_twice(const struct job *job, int index) {
    const char *path = job->outputs[index].path;
    char *identity = path_identity(path);
    int status = identity ? EXIT_DONE : report_unable(&job->report, "not enough memory");
    for (int i = 0; i < index && status == EXIT_DONE; i++) {
        const char *other = job->outputs[i].path;
        char *known = standard(other) ? strdup(other) : path_identity(other);
        if (!known)
            status = report_unable(&job->report, "not enough memory");
        else if (!strcmp(path, other))
            status = report_usage(&job->report, "two outputs would go to '%s'", path);
        else if (!strcmp(identity, known))
            status = report_usage(&job->report, "two outputs would go to one file: '%s' is '%s'", path, other);
        free(known);
    }
    free(identity);
    return status;
}

static int check_names(const struct job *job) {
    int status = EXIT_DONE;
    for (int i = 0; i < job->output_count && status == EXIT_DONE; i++)
        if (!standard(job->outputs[i].path))
            status = check_twice(job, i);
    return status;
}

/* The name of an output of the graph; NULL where names are given for pictures alone and it is none. */
static const weft_files_output *name_of(const struct job *job, const weft_plan *plan, int index) {
    int place = 0;
    if (job->output_count == weft_plan_output_count(plan))
        return &job->outputs[index];
    for (int i = 0; i < index; i++)
        place += !weft_plan_output_is_values(plan, i);
    return weft_plan_output_is_values(plan, index) ? NULL : &job->outputs[place];
}

/* Folders of outputs that are not there are made, once nothing else is wrong. */
static int make_folders(struct job *job) {
    int status = EXIT_DONE;
    for (int i = 0; i < job->output_count && status == EXIT_DONE; i++)
        if (!standard(job->outputs[i].path))
            status = path_make_folders(job->outputs[i].path, &job->folders);
    return status;
}

/* Checks on outputs that only the tool makes. */
static int check_outputs(struct job *job, const weft_plan *plan) {
    bool picture = false;
    for (int i = 0; i < weft_plan_output_count(plan); i++) {
        const weft_files_output *output = name_of(job, plan, i);
        bool values = weft_plan_output_is_values(plan, i), out = !output || standard(output->path);
        enum values_form form;
        if (values && !out && output->writing.settings)
            return report_usage(&job->report,
                                "output %d of the graph is numbers, and files of numbers have no options: '[%s]'",
                                i + 1, output->writing.settings);
        if (values && !out && !values_form_of(output->path, &form))
            return report_usage(&job->report,
                                "output %d of the graph is numbers, not a picture: '%s' has to end in .csv, .json or "
                                ".txt, or be '-'",
                                i + 1, output->path);
        picture = picture || (out && !values);
        job->to_print += out && values;
    }
    if (picture && job->to_print > 0)
        return report_usage(&job->report, "a picture and numbers would both go to standard output");
    if (picture && isatty(STDOUT_FILENO))
        return report_usage(&job->report, "a picture would go to the terminal; send it to a file or a pipe");
    return EXIT_DONE;
}

static int explain(const struct job *job, const weft_plan *plan) {
    char *text = NULL;
    weft_error error;
    if (weft_plan_print(plan, WEFT_PLAN_TEXT, &text, &error) != WEFT_OK)
        return report_library(&job->report, &error, NULL, &job->graph->text);
    size_t length = strlen(text);
    fprintf(stderr, "%s%s", text, length && text[length - 1] == '\n' ? "" : "\n");
    weft_free(text);
    return EXIT_DONE;
}

static weft_status planned(void *user, const weft_plan *plan, weft_error *error) {
    struct job *job = user;
    (void)error; /* the message is printed here */
    job->status = check_outputs(job, plan);
    if (job->status == EXIT_DONE && job->options->explain)
        job->status = explain(job, plan);
    if (job->status == EXIT_DONE)
        job->status = make_folders(job);
    job->bytes = weft_plan_bytes(plan);
    job->streams = weft_plan_can_stream(plan);
    job->start = clock_now();
    return job->status == EXIT_DONE ? WEFT_OK : WEFT_ERROR_CANCELLED;
}

static bool progress(void *user, weft_files_step step, double done) {
    static const char *const labels[] = {
        [WEFT_FILES_READING] = "reading", [WEFT_FILES_FILTERING] = "filtering", [WEFT_FILES_WRITING] = "writing"};
    struct job *job = user;
    if (!job->stepped || step != job->step) {
        progress_begin(&job->progress, labels[step]);
        job->stepped = true;
        job->step = step;
        if (step == WEFT_FILES_FILTERING)
            job->begin = clock_now();
    }
    if (step == WEFT_FILES_FILTERING)
        job->end = clock_now();
    return progress_update(&job->progress, done);
}

static void print_values(struct job *job, int index, const weft_image_info *info, const double *numbers) {
    bool many = job->to_print > 1, json = job->options->json;
    FILE *file = job->report.numbers;
    if (job->printed == 0)
        job->list = (struct json){.file = file};
    if (json && many && job->printed == 0)
        json_array(&job->list, NULL);
    if (json) {
        values_json(&job->list, info, numbers);
    } else {
        if (many)
            fprintf(file, "%soutput %d\n", job->printed ? "\n" : "", index + 1);
        values_print(file, VALUES_TEXT, info, numbers);
    }
    job->printed++;
    if (json && many && job->printed == job->to_print)
        json_array_end(&job->list);
    if (json && job->printed == job->to_print)
        json_end(&job->list);
}

static weft_status numbers(void *user, int32_t index, const char *path, const weft_image_info *info,
                           const double *values, weft_error *error) {
    struct job *job = user;
    (void)error;
    progress_end(&job->progress);
    if (standard(path))
        print_values(job, index, info, values);
    else
        job->status = values_write(&job->report, path, info, values);
    return job->status == EXIT_DONE ? WEFT_OK : WEFT_ERROR_CANCELLED;
}

static void note(void *user, weft_log_level level, const char *text) {
    struct job *job = user;
    progress_end(&job->progress);
    if (level == WEFT_LOG_WARNING)
        report_note(&job->report, "%s", text);
    else
        fprintf(stderr, "%s\n", text);
}

static void print_duration(double seconds) {
    if (seconds < 1)
        fprintf(stderr, "%.2f ms", seconds * 1e3);
    else
        fprintf(stderr, "%.2f s", seconds);
}

static void print_durations(const struct job *job) {
    double seconds = job->end - job->begin;
    fputs("run took ", stderr);
    print_duration(seconds);
    fprintf(stderr, ", %.4g MB/s%s; with files ", seconds > 0 ? (double)job->bytes / seconds / 1e6 : 0,
            job->streams ? ", reading and writing files as it went" : "");
    print_duration(clock_now() - job->start);
    putc('\n', stderr);
}

int job_run(struct job *job, char **inputs, int input_count, const char *const *outputs, int output_count) {
    job->input_count = input_count;
    job->output_count = output_count;
    int status = open_words(job, inputs, outputs);
    if (status == EXIT_DONE)
        status = check_names(job);
    if (status == EXIT_DONE) {
        weft_files files = {.inputs = job->inputs,
                            .input_count = input_count,
                            .outputs = job->outputs,
                            .output_count = output_count,
                            .graph = job->graph->graph,
                            .device = job->device,
                            .sequence = job->sequence,
                            .memory = job->memory,
                            .log = {note, job, job->options->explain ? WEFT_LOG_DEBUG : WEFT_LOG_WARNING},
                            .progress = progress,
                            .planned = planned,
                            .numbers = numbers,
                            .user = job};
        weft_error error;
        bool done = weft_filter_files(&files, &error) == WEFT_OK;
        progress_end(&job->progress);
        status = job->status;
        if (!done && status == EXIT_DONE)
            status = report_library(&job->report, &error, NULL, &job->graph->text);
    }
    if (status == EXIT_DONE && job->options->explain)
        print_durations(job);
    close_words(job);
    return status;
}
