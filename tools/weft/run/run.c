/* SPDX-License-Identifier: MIT
 * weft run: files through a graph into files. */
#include "run/batch.h"
#include "command.h"
#include "common/interrupt.h"
#include "run/job.h"
#include "run/operands.h"
#include "video/video.h"

/* One run, whose messages go straight to the terminal. */
static int run_once(const struct operands *operands, const struct graph *graph, const struct options *options) {
    struct job job = {.options = options, .graph = graph, .memory = options_memory(options),
                      .threads = options->threads, .report = {stderr, stdout}};
    weft_device_options device = {.threads = options->threads,
                                  .log = message_log(options->explain),
                                  .memory_limit = options->device_memory};
    weft_error error;
    int status = EXIT_DONE;
    if (weft_device_open(options->device, &device, &job.device, &error) != WEFT_OK)
        status = message_library(&error, NULL, NULL);
    if (status == EXIT_DONE)
        status = job_run(&job, operands->inputs, operands->input_count, operands->outputs, operands->output_count);
    weft_device_close(&job.device);
    if (status != EXIT_DONE && interrupt_signal()) {
        message_unable("stopped; no file was written");
        return 128 + interrupt_signal();
    }
    return status;
}

int run_command(const struct options *options) {
    struct operands operands;
    struct graph graph;
    interrupt_install();
    int status = operands_read(&operands, &graph, options);
    if (status == EXIT_DONE)
        status = video_asked(&operands, options) ? video_run(&operands, &graph, options)
                 : operands.batch                ? batch_run(&operands, &graph, options) : run_once(&operands, &graph, options);
    graph_close(&graph);
    return status;
}
