/* SPDX-License-Identifier: MIT
 * Parameters that may change between the runs of one plan: each does there what it does in a plan made with it. */
#include <stdio.h>
#include <string.h>
#include "job.h"

/* A graph of one filter with a parameter set before planning. */
static weft_plan *plan_filter(weft_device *device, const weft_filter_info *filter, const char *parameter,
                              const double *values, int32_t number, weft_node *node) {
    weft_graph *graph = NULL;
    weft_plan *plan = NULL;
    weft_node inputs[HARNESS_IMAGES];
    weft_image_info info = {
        .width = JOB_WIDTH, .height = JOB_HEIGHT, .format = {WEFT_U8, 4}, .alpha = WEFT_ALPHA_STRAIGHT};
    weft_image_info infos[HARNESS_IMAGES] = {info, info, info, info};
    weft_plan_options options = {.inputs = infos, .input_count = filter->inputs};
    bool ok = weft_graph_create(&graph, NULL) == WEFT_OK;
    for (int32_t i = 0; i < filter->inputs && ok; i++)
        ok = weft_graph_input(graph, &inputs[i], NULL) == WEFT_OK;
    ok = ok && weft_graph_add(graph, filter->name, inputs, filter->inputs, node, NULL) == WEFT_OK;
    ok = ok && (!parameter || weft_graph_set(graph, *node, parameter, values, number, NULL) == WEFT_OK);
    ok = ok && weft_graph_output(graph, *node, NULL) == WEFT_OK;
    if (ok)
        weft_plan_create(device, graph, &options, &plan, NULL);
    weft_graph_destroy(&graph);
    return plan;
}

/* A parameter changed between runs does what it does in a new plan. */
static void try_parameter(struct harness *harness, const weft_filter_info *filter, const weft_parameter_info *parameter,
                          struct chance *chance) {
    double values[64] = {0};
    struct picture changed[HARNESS_IMAGES] = {{.memory = NULL}}, fresh[HARNESS_IMAGES] = {{.memory = NULL}};
    struct job before = {0}, after = {0};
    weft_parameters *parameters = NULL;
    weft_node node;
    weft_error error = {0};
    double low = parameter->minimum < -2 ? -2 : parameter->minimum,
           high = parameter->maximum > 3 ? 3 : parameter->maximum;
    if (parameter->count < 1 || parameter->count > 64)
        return;
    if (parameter->type == WEFT_PARAMETER_CHOICE)
        low = 0, high = 1;
    for (int32_t i = 0; i < parameter->count; i++) {
        values[i] = low + (high - low) * chance_unit(chance);
        if (parameter->type != WEFT_PARAMETER_FLOAT && parameter->type != WEFT_PARAMETER_COLOR &&
            parameter->type != WEFT_PARAMETER_FLOATS)
            values[i] = (double)(int64_t)(values[i] + 0.5);
    }
    weft_device *device = harness->devices[0];
    weft_plan *plan = plan_filter(device, filter, NULL, NULL, 0, &node);
    weft_plan *other = plan_filter(device, filter, parameter->name, values, parameter->count, &node);
    if (!plan || !other) { /* not with this parameter alone, or not for these pictures */
        weft_plan_destroy(&plan);
        weft_plan_destroy(&other);
        return;
    }
    bool ok = job_open(&before, plan, harness->seed);
    ok = job_open(&after, other, harness->seed) && ok;
    ok = ok && weft_parameters_create(before.plan, &parameters, &error) == WEFT_OK;
    ok = ok && weft_parameters_set(parameters, node, parameter->name, values, parameter->count, &error) == WEFT_OK;
    ok = ok && job_run(&before, &(struct manner){.parameters = parameters}, changed, &error);
    ok = ok && job_run(&after, &(struct manner){0}, fresh, &error);
    const char *why = error.message;
    if (ok) {
        why = "a parameter changed between runs gave other pixels than a new plan";
        ok = pictures_same(changed, fresh, before.outputs);
    }
    char text[128];
    snprintf(text, sizeof text, "%s, parameter %s", filter->name, parameter->name);
    job_count(harness, ok, "sharing", text, why);
    weft_parameters_destroy(&parameters);
    pictures_destroy(changed);
    pictures_destroy(fresh);
    job_close(&before);
    job_close(&after);
}

void try_parameters(struct harness *harness) {
    for (int32_t i = 0; i < weft_filter_count(); i++) {
        struct chance chance = chance_of(harness->seed, "parameters", i);
        if (!harness_has_turn(harness, i))
            continue;
        for (int32_t k = 0; k < weft_filter_at(i)->parameters; k++) {
            const weft_parameter_info *parameter = weft_filter_parameter(weft_filter_at(i), k);
            if (parameter->dynamic)
                try_parameter(harness, weft_filter_at(i), parameter, &chance);
        }
    }
}
