/* SPDX-License-Identifier: MIT
 * weft run on videos: the words of the command for weft_filter_video, and its answers for people. */
#include "video/video.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "common/clock.h"
#include "common/interrupt.h"
#include "common/values.h"
#include "run/batch_items.h"
#include "run/paths.h"
#include "show/formats.h"
#include "video/param_option.h"
#include "video/frame_values.h"
#include "weft/video.h"

static const double pace = 0.2;  /* seconds between drawings of the progress */
enum { SECONDS_TO_FINISH = 60 }; /* how long finishing a file may take after Ctrl-C */

struct video_job {
    const struct options *options;
    const struct graph *graph;
    weft_device *device;
    weft_video_input inputs[OPTION_OUTPUTS];
    weft_video_output outputs[OPTION_OUTPUTS];
    char *words[2 * OPTION_OUTPUTS];
    int input_count, output_count, word_count, status;
    struct paths folders; /* that were made */
    struct numbers numbers;
    struct curves curves;
    struct graph chroma;
    double start, drawn;
    bool terminal, visible;
    int64_t frames;
};

static void clear_line(struct video_job *job) {
    if (job->visible)
        fputs("\r\033[K", stderr);
    job->visible = false;
}

static bool progress(void *user, const weft_video_progress *done) {
    struct video_job *job = user;
    double now = clock_now(), elapsed = now - job->start;
    job->frames = done->frames;
    if (job->terminal && elapsed > 0.5 && now - job->drawn >= pace) {
        double rate = elapsed > 0 ? (double)done->frames / elapsed : 0;
        fprintf(stderr, "\rframe %lld", (long long)done->frames);
        if (done->expected > 0)
            fprintf(stderr, " of %lld", (long long)done->expected);
        fprintf(stderr, ", %.1f a second", rate);
        if (done->expected > done->frames && rate > 0)
            fprintf(stderr, ", %.0f s left", (double)(done->expected - done->frames) / rate);
        if (done->bytes > 0)
            fprintf(stderr, ", %.1f MB", (double)done->bytes / 1e6);
        fputs("\033[K", stderr);
        fflush(stderr);
        job->drawn = now;
        job->visible = true;
    }
    return interrupt_signal() == 0;
}

static weft_status planned(void *user, const weft_plan *plan, weft_error *error) {
    struct video_job *job = user;
    char *text = NULL;
    job->start = clock_now();
    if (!job->options->explain)
        return WEFT_OK;
    weft_status status = weft_plan_print(plan, WEFT_PLAN_TEXT, &text, error);
    if (status == WEFT_OK)
        fputs(text, stderr);
    weft_free(text);
    return status;
}

static weft_status numbers(void *user, int32_t index, int64_t frame, double seconds, const weft_image_info *info,
                           const double *values, weft_error *error) {
    struct video_job *job = user;
    (void)error; /* the message has been printed */
    job->status = numbers_print(&job->numbers, index, frame, seconds, info, values);
    return job->status == EXIT_DONE ? WEFT_OK : WEFT_ERROR_CANCELLED;
}

static void note(void *user, weft_log_level level, const char *text) {
    (void)level;
    clear_line(user);
    message_note("%s", text);
}

/* A name without the options in brackets behind it, which are the second word. */
static bool part(struct video_job *job, const char *word, const char **path, const char **settings) {
    size_t length = formats_name_length(word), all = strlen(word);
    char *name = strndup(word, length), *rest = length < all ? strndup(word + length + 1, all - length - 2) : NULL;
    job->words[job->word_count++] = name;
    job->words[job->word_count++] = rest;
    *path = name;
    *settings = rest;
    return name && (length == all || rest);
}

/* Which of the outputs' names are of files of numbers. */
static int read_words(struct video_job *job, const struct operands *operands) {
    const struct video_switches *given = &job->options->video;
    enum values_form form;
    if (operands->input_count > OPTION_OUTPUTS || operands->output_count > OPTION_OUTPUTS)
        return message_usage("a run of videos takes at most %d inputs and outputs", OPTION_OUTPUTS);
    job->input_count = operands->input_count;
    for (int i = 0; i < operands->input_count; i++)
        job->inputs[i] = (weft_video_input){.path = operands->inputs[i],
                                            .reading = {.protocols = given->protocols,
                                                        .raw = weft_video_name(operands->inputs[i]) ? NULL : given->raw,
                                                        .from = given->from,
                                                        .to = given->to,
                                                        .frames = given->frames,
                                                        .pixel_limit = job->options->pixel_limit,
                                                        .decode_limit = job->options->decode_limit,
                                                        .threads = job->options->threads},
                                            .loop = given->loop};
    for (int i = 0; i < operands->output_count; i++) {
        const char *path, *settings;
        if (!part(job, operands->outputs[i], &path, &settings))
            return message_unable("not enough memory");
        /* Before the inputs are opened, since writers open their files before the plan is known. */
        int status = strcmp(path, "-") && !strstr(path, "://") ? path_make_folders(path, &job->folders) : EXIT_DONE;
        if (status != EXIT_DONE)
            return status;
        if (values_form_of(path, &form)) {
            status = numbers_add(&job->numbers, path);
            if (status != EXIT_DONE)
                return status;
            continue;
        }
        if (!strcmp(path, "-") && isatty(STDOUT_FILENO))
            return message_usage("a video would go to the terminal; send it to a file or a pipe");
        job->outputs[job->output_count++] = (weft_video_output){
            .path = path,
            .writing = {.settings = settings, .strip = job->options->strip, .threads = job->options->threads}};
    }
    return EXIT_DONE;
}

static int tell(struct video_job *job, const weft_error *error) {
    clear_line(job);
    if (job->status != EXIT_DONE)
        return job->status;
    if (interrupt_signal()) {
        message_unable("%s", error->message[0] ? error->message : "stopped");
        return 128 + interrupt_signal();
    }
    return message_library(error, NULL, &job->graph->text);
}

static int filter(struct video_job *job) {
    weft_video video = {.inputs = job->inputs,
                        .input_count = job->input_count,
                        .outputs = job->outputs,
                        .output_count = job->output_count,
                        .graph = job->graph->graph,
                        .planes = job->options->video.planes,
                        .chroma = job->chroma.graph,
                        .device = job->device,
                        .log = {note, job, WEFT_LOG_WARNING},
                        .curves = job->curves.list,
                        .curve_count = job->curves.count,
                        .progress = progress,
                        .planned = planned,
                        .numbers = numbers,
                        .user = job};
    weft_error error = {.message = ""};
    bool done = weft_filter_video(&video, &error) == WEFT_OK;
    int status = done ? EXIT_DONE : tell(job, &error), ended = numbers_close(&job->numbers);
    clear_line(job);
    double seconds = clock_now() - job->start;
    if (done && job->options->explain && seconds > 0)
        fprintf(stderr, "%lld frames in %.2f s, %.1f a second\n", (long long)job->frames, seconds,
                (double)job->frames / seconds);
    return status != EXIT_DONE ? status : ended;
}

static int run_one(const struct operands *operands, const struct graph *graph, const struct options *options,
                   weft_device *device) {
    struct video_job job = {
        .options = options, .graph = graph, .device = device, .terminal = isatty(STDERR_FILENO) == 1};
    int status = read_words(&job, operands);
    if (status == EXIT_DONE)
        status = curves_open(&job.curves, &options->video);
    if (status == EXIT_DONE && options->video.chroma)
        status = graph_open(&job.chroma, &(struct options){.graph = NULL}, options->video.chroma);
    if (status == EXIT_DONE)
        status = filter(&job);
    curves_close(&job.curves);
    graph_close(&job.chroma);
    paths_remove_empty(&job.folders);
    for (int i = 0; i < job.word_count; i++)
        free(job.words[i]);
    return status;
}

/* One video after the other: each has threads enough to do. One that fails does not stop the rest. */
static int run_each(const struct operands *operands, const struct graph *graph, const struct options *options,
                    weft_device *device) {
    struct items items;
    int failed = 0, status = items_open(&items, operands, options, weft_graph_inputs(graph->graph));
    for (int i = 0; i < items.count && status == EXIT_DONE && !interrupt_signal(); i++) {
        struct item *item = &items.list[i];
        const struct operands one = {.inputs = item->inputs,
                                     .outputs = (const char *const *)item->outputs,
                                     .input_count = items.inputs,
                                     .output_count = items.outputs};
        failed += run_one(&one, graph, options, device) != EXIT_DONE;
    }
    if (status == EXIT_DONE && failed > 0 && items.count > 1)
        fprintf(stderr, "%d of %d videos failed\n", failed, items.count);
    items_close(&items);
    return status != EXIT_DONE  ? status
           : interrupt_signal() ? 128 + interrupt_signal()
           : failed             ? EXIT_UNABLE
                                : EXIT_DONE;
}

int video_run(const struct operands *operands, const struct graph *graph, const struct options *options) {
    weft_device_options wanted = {
        .threads = options->threads, .log = message_log(options->explain), .memory_limit = options->device_memory};
    weft_device *device = NULL;
    char how[512];
    weft_error error;
    interrupt_patience(SECONDS_TO_FINISH);
    if (!weft_video_available(how, sizeof how))
        return message_unable("%s", how);
    if (weft_device_open(options->device, &wanted, &device, &error) != WEFT_OK)
        return message_library(&error, NULL, NULL);
    int status =
        operands->batch ? run_each(operands, graph, options, device) : run_one(operands, graph, options, device);
    weft_device_close(&device);
    return status;
}
