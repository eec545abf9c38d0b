/* SPDX-License-Identifier: MIT
 * filter_file IN GRAPH OUT: a file through a graph into another file, row by row. */
#include <stdio.h>
#include <string.h>
#include "weft/weft.h"

int main(int argc, char **argv) {
    weft_reader *reader = NULL;
    weft_graph *graph = NULL;
    weft_device *device = NULL;
    weft_plan *plan = NULL;
    weft_writer *writer = NULL;
    weft_error error = {.message = "usage: filter_file IN GRAPH OUT"};
    weft_image_info result;

    bool planned = argc == 4 && weft_reader_open(argv[1], NULL, &reader, &error) == WEFT_OK &&
                   weft_graph_parse(argv[2], strlen(argv[2]), &graph, &error) == WEFT_OK &&
                   weft_device_open("auto", NULL, &device, &error) == WEFT_OK;
    weft_plan_options options = {.inputs = planned ? weft_reader_info(reader) : NULL, .input_count = 1};
    bool done = planned && weft_plan_create(device, graph, &options, &plan, &error) == WEFT_OK &&
                weft_plan_output_info(plan, 0, &result, &error) == WEFT_OK &&
                weft_writer_open(argv[3], NULL, &result, &writer, &error) == WEFT_OK;
    weft_run_input input = {.source = done ? weft_reader_source(reader) : (weft_source){0}};
    weft_run_output output = {.sink = done ? weft_writer_sink(writer) : (weft_sink){0}};
    weft_run run = {.inputs = &input, .input_count = 1, .outputs = &output, .output_count = 1};
    done = done && weft_plan_run(plan, &run, &error) == WEFT_OK && weft_writer_finish(&writer, &error) == WEFT_OK;
    if (!done)
        fprintf(stderr, "%s\n", error.message);

    weft_writer_abandon(&writer);
    weft_plan_destroy(&plan);
    weft_device_close(&device);
    weft_graph_destroy(&graph);
    weft_reader_close(&reader);
    return done ? 0 : 1;
}
