/* SPDX-License-Identifier: MIT
 * A graph planned for images that do not exist. */
#include "show/plan_without_images.h"
#include <stdlib.h>

/* Plans for the given inputs; with `type` the pictures among the outputs get that component type. */
static weft_status make(struct planned *planned, const struct graph *graph, weft_image_info *inputs, weft_type type,
                        uint64_t memory, weft_error *error) {
    weft_plan_options options = {
        .inputs = inputs, .input_count = weft_graph_inputs(graph->graph), .memory = memory};
    weft_status status = weft_plan_create(planned->device, graph->graph, &options, &planned->plan, error);
    if (status != WEFT_OK || !type)
        return status;
    int32_t count = weft_plan_output_count(planned->plan);
    weft_type *types = calloc((size_t)count + 1, sizeof *types);
    if (!types) {
        *error = (weft_error){.status = WEFT_ERROR_MEMORY, .node = -1, .offset = -1};
        return WEFT_ERROR_MEMORY;
    }
    for (int32_t i = 0; i < count; i++)
        types[i] = weft_plan_output_is_values(planned->plan, i) ? 0 : type;
    options.output_types = types;
    options.output_type_count = count;
    weft_plan_destroy(&planned->plan);
    status = weft_plan_create(planned->device, graph->graph, &options, &planned->plan, error);
    free(types);
    return status;
}

int planned_open(struct planned *planned, const struct graph *graph, const struct options *options, int32_t threads,
                 uint64_t memory) {
    weft_device_options device = {
        .threads = threads, .log = message_log(false), .memory_limit = options->device_memory};
    weft_error error;
    *planned = (struct planned){.plan = NULL};
    if (weft_device_open(options->device, &device, &planned->device, &error) != WEFT_OK)
        return message_library(&error, NULL, NULL);
    return planned_make(planned, graph, options, memory);
}

int planned_make(struct planned *planned, const struct graph *graph, const struct options *options, uint64_t memory) {
    weft_error error;
    int32_t count = weft_graph_inputs(graph->graph);
    weft_image_info *inputs = calloc((size_t)count + 1, sizeof *inputs);
    if (!inputs)
        return message_unable("not enough memory");
    for (int32_t i = 0; i < count; i++)
        inputs[i] = options_image(options);
    weft_status status = make(planned, graph, inputs, options->type, memory, &error);
    free(inputs);
    return status == WEFT_OK ? EXIT_DONE : message_library(&error, NULL, &graph->text);
}

void planned_close(struct planned *planned) {
    weft_plan_destroy(&planned->plan);
    weft_device_close(&planned->device);
}
