/* SPDX-License-Identifier: MIT
 * Evaluates the graph, node after node, and writes the outputs. */
#include <string.h>
#include "backend/reference/model.h"
#include "base/memory.h"
#include "base/status.h"

/* Number `index` of an image: component by component, pixel by pixel. */
static double number_at(const struct reference_image *image, int32_t index) {
    int64_t pixel = index / image->info.format.channels;
    return reference_row(image, index % image->info.format.channels, 0)[pixel];
}

/* A copy of the parameters with the bound ones filled in from images that are there already, held to their ranges. */
static weft_status bind(const struct weft_graph_node *node, const struct reference_image *images, const void *block,
                        void **bound, weft_error *error) {
    *bound = weft_allocate(node->filter->block_size, 1);
    if (!*bound)
        return weft_fail_memory(error, node->filter->block_size, "a copy of the parameters");
    memcpy(*bound, block, node->filter->block_size);
    for (int32_t i = 0; i < node->binding_count; i++) {
        const struct weft_binding *binding = &node->bindings[i];
        const struct weft_parameter *parameter = &node->filter->parameters[binding->parameter];
        double wanted = number_at(&images[binding->from], binding->index) * binding->scale;
        wanted = wanted > parameter->info.minimum ? wanted : parameter->info.minimum; /* NaN as well */
        wanted = wanted < parameter->info.maximum ? wanted : parameter->info.maximum;
        float value = (float)wanted;
        memcpy((char *)*bound + parameter->offset + (size_t)binding->component * sizeof value, &value, sizeof value);
    }
    return WEFT_OK;
}

/* Whether a resampling puts every pixel somewhere else and mixes none, whatever its method is called. */
static weft_status moves_pixels(const struct reference_call *call, bool *moves, weft_error *error) {
    weft_status status = WEFT_OK;
    *moves = call->filter->kind == WEFT_KIND_RESAMPLE; /* others may have no input */
    for (int d = 0; *moves && d < 2; d++) {
        const weft_image_info *in = &call->in[0]->info;
        struct weft_axis axis = {0};
        status = call->filter->axis(call->block, (enum weft_direction)d, d == WEFT_X ? in->width : in->height, &axis,
                                    error);
        *moves = status == WEFT_OK && axis.exact;
        weft_axis_clear(&axis);
    }
    return status;
}

/* Whether every value of the result is a whole number of steps: exact filters keep that of their inputs, and a box that
 * rounds down makes its own. */
static weft_status stays_integral(const struct reference_call *call, bool *integral, weft_error *error) {
    const struct weft_filter *filter = call->filter;
    weft_type type = call->out->info.format.type;
    bool moves = false;
    *integral = false;
    if (filter->kind == WEFT_KIND_BOX && filter->rounding(call->block) != WEFT_ROUND_DOWN)
        return WEFT_OK;
    weft_status status = moves_pixels(call, &moves, error);
    *integral = filter->info.inputs > 0 && (filter->info.exact || moves) && reference_steps(type) > 0;
    for (int32_t i = 0; i < filter->info.inputs; i++)
        *integral &= call->in[i]->integral && call->in[i]->info.format.type == type;
    return status;
}

static weft_status make_node(const struct weft_typed_graph *typed, int32_t index,
                             const struct weft_run_request *request, struct reference_image *images,
                             weft_error *error) {
    const struct weft_graph_node *node = &typed->graph->nodes[index];
    struct reference_image *image = &images[index];
    weft_status status = reference_image_create(&typed->info[index], image, error);
    if (status != WEFT_OK)
        return status;
    if (!node->filter) {
        image->integral = reference_steps(image->info.format.type) > 0;
        return reference_image_load(image, &request->inputs[node->input], error);
    }
    struct reference_call call = {
        .filter = node->filter, .body = reference_body(node->filter), .block = request->blocks[index], .out = image};
    void *bound = NULL;
    for (int32_t i = 0; i < node->filter->info.inputs; i++)
        call.in[i] = &images[node->inputs[i]];
    if (node->binding_count > 0) {
        status = bind(node, images, call.block, &bound, error);
        call.block = bound;
    }
    if (status == WEFT_OK)
        status = stays_integral(&call, &image->integral, error);
    if (status == WEFT_OK)
        status = reference_evaluate(&call, error);
    weft_free(bound);
    if (status != WEFT_OK)
        weft_error_at(error, node->origin, node->filter->info.name, NULL);
    return status;
}

weft_status reference_run(const void *compiled, const struct weft_run_request *request, weft_error *error) {
    const struct weft_typed_graph *typed = compiled;
    const struct weft_graph *graph = typed->graph;
    struct reference_image *images = weft_allocate((size_t)graph->count, sizeof *images);
    weft_status status = WEFT_OK;
    if (!images)
        return weft_fail_memory(error, (size_t)graph->count * sizeof *images, "the images of the reference");
    for (int32_t i = 0; i < graph->count && status == WEFT_OK; i++) {
        status = make_node(typed, i, request, images, error);
        double done = (i + 1.0) / graph->count;
        if (status == WEFT_OK && request->progress && !request->progress(request->progress_user, done))
            status = weft_fail(error, WEFT_ERROR_CANCELLED, "cancelled");
    }
    for (int32_t i = 0; i < graph->output_count && status == WEFT_OK; i++)
        status = reference_image_store(&images[graph->outputs[i]], typed->output_types[i], &request->outputs[i], error);
    for (int32_t i = 0; i < graph->count; i++)
        weft_free(images[i].data);
    weft_free(images);
    return status;
}
