# SPDX-License-Identifier: MIT
"""Programs that use weft/builders.h: one that adds every filter, and a small one in C++."""

import json
import subprocess

HEAD = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "weft/builders.h"
#include "weft/weft.h"

static int failures;

/* The plan of a graph with one output, as JSON to be freed by weft_free; NULL and a message when there is none. */
static char *plan_of(weft_device *device, weft_graph *graph, weft_node node, int inputs, char *message) {
    weft_error error = {.message = ""};
    weft_plan *plan = NULL;
    char *text = NULL;
    weft_image_info info[2] = {{.width = 64, .height = 48, .format = {WEFT_U8, 3}},
                               {.width = 64, .height = 48, .format = {WEFT_U8, 3}}};
    weft_plan_options options = {.inputs = info, .input_count = inputs};
    if (weft_graph_output(graph, node, &error) == WEFT_OK &&
        weft_plan_create(device, graph, &options, &plan, &error) == WEFT_OK)
        weft_plan_print(plan, WEFT_PLAN_JSON, &text, &error);
    snprintf(message, sizeof error.message, "%s", error.message);
    weft_plan_destroy(&plan);
    return text;
}

static void begin(weft_graph **graph, weft_node *nodes, int inputs) {
    weft_graph_create(graph, NULL);
    for (int i = 0; i < inputs; i++)
        weft_graph_input(*graph, &nodes[i], NULL);
}

/* Two ways to add a filter: the builder has added it to `built`. */
static void compare(weft_device *device, const char *name, weft_graph *built, weft_node node, weft_status status,
                    const weft_error *error, int inputs) {
    weft_graph *named = NULL;
    weft_node nodes[8] = {0}, other = 0;
    begin(&named, nodes, inputs);
    if (status != WEFT_OK || weft_graph_add(named, name, nodes, inputs, &other, NULL) != WEFT_OK) {
        printf("%s: %s\n", name, error->message);
        failures++;
    } else {
        char said[2][512]; /* some want other inputs: both graphs must say the same then */
        char *a = plan_of(device, built, node, inputs, said[0]), *b = plan_of(device, named, other, inputs, said[1]);
        if (!a != !b || strcmp(said[0], said[1]) != 0 || (a && strcmp(a, b) != 0)) {
            printf("%s differs: %s, %s\n", name, said[0], said[1]);
            failures++;
        }
        weft_free(a);
        weft_free(b);
    }
    weft_graph_destroy(&named);
    weft_graph_destroy(&built);
}

#define CHECK(condition)                                                                                               \
    do                                                                                                                 \
        if (!(condition)) {                                                                                            \
            printf("failed: %s: %s\n", #condition, error.message);                                                     \
            failures++;                                                                                                \
        }                                                                                                              \
    while (0)

/* Values, zeros, choices, lists, and a number that is measured; on flat grey 0.25 and 0.75. */
static void check_values(void) {
    weft_error error = {.message = ""};
    weft_graph *graph = NULL;
    weft_node in, soft, mean, bright, node;
    weft_plan *plan = NULL;
    const double row[] = {0, 2, 0};
    begin(&graph, &in, 1);
    CHECK(weft_add_gaussian(graph, in, WEFT_GAUSSIAN(.sigma = 0, .border = WEFT_BORDER_WRAP), &soft, &error) == WEFT_OK);
    CHECK(weft_add_reduce(graph, soft, WEFT_REDUCE(), &mean, &error) == WEFT_OK);
    CHECK(weft_add_luminance_threshold(graph, soft,
                                       WEFT_LUMINANCE_THRESHOLD(.threshold_from = weft_number(mean, 0, 1)), &bright,
                                       &error) == WEFT_OK);
    CHECK(weft_add_convolve_separable(graph, bright, WEFT_CONVOLVE_SEPARABLE(.row = {row, 3}), &node, &error) == WEFT_OK);
    CHECK(weft_add_levels(graph, node, WEFT_LEVELS(.out_max = {0.5, 0.5, 0.5, 1}), &node, &error) == WEFT_OK);
    weft_node kept = node;
    CHECK(weft_add_gaussian(graph, in, WEFT_GAUSSIAN(.sigma = -1), &node, &error) == WEFT_ERROR_PARAMETER);
    CHECK(node == kept && strcmp(error.filter, "gaussian") == 0 && strcmp(error.parameter, "sigma") == 0);
    CHECK(weft_graph_output(graph, node, &error) == WEFT_OK);
    const weft_image_info info = {.width = 2, .height = 1, .format = {WEFT_F32, 1}};
    const weft_plan_options options = {.inputs = &info, .input_count = 1};
    float pixels[2] = {0.25f, 0.75f}, out[2] = {9, 9};
    weft_run_input input = {.image = {.info = info, .data = pixels, .stride = sizeof pixels}};
    weft_run_output output = {.image = {.info = info, .data = out, .stride = sizeof out}};
    const weft_run run = {.inputs = &input, .input_count = 1, .outputs = &output, .output_count = 1};
    weft_device *device = NULL;
    CHECK(weft_device_open("cpu", NULL, &device, &error) == WEFT_OK);
    CHECK(weft_plan_create(device, graph, &options, &plan, &error) == WEFT_OK);
    if (plan)
        CHECK(weft_plan_output_info(plan, 0, &output.image.info, &error) == WEFT_OK);
    CHECK(output.image.info.format.channels == 1);
    CHECK(plan && weft_plan_run(plan, &run, &error) == WEFT_OK);
    CHECK(out[0] == 0 && out[1] == 0.5f); /* below the mean, and above it, limited and halved */
    weft_plan_destroy(&plan);
    weft_device_close(&device);
    weft_graph_destroy(&graph);
}

int main(void) {
    weft_device *device = NULL;
    weft_graph *graph = NULL;
    weft_node nodes[8] = {0}, node = 0;
    weft_error error = {.message = ""};
    weft_status status = weft_device_open("null", NULL, &device, &error);
    if (status != WEFT_OK)
        return 1;
    check_values();
"""

TAIL = r"""    weft_device_close(&device);
    return failures != 0;
}
"""

CPP = r"""
#include <cstdio>
#include "weft/builders.h"
#include "weft/weft.h"

int main() {
    weft_graph *graph = nullptr;
    weft_node in = 0, node = 0;
    weft_error error = {};
    weft_gaussian_options options;
    options.sigma = 3;
    bool good = options.border == WEFT_BORDER_MIRROR && WEFT_GAUSSIAN().sigma == 2 &&
                weft_graph_create(&graph, &error) == WEFT_OK && weft_graph_input(graph, &in, &error) == WEFT_OK &&
                weft_add_gaussian(graph, in, options, &node, &error) == WEFT_OK &&
                weft_add_gaussian(graph, node, WEFT_GAUSSIAN(.sigma = 1, .space = WEFT_SPACE_LINEAR), &node, &error) ==
                    WEFT_OK &&
                weft_add_gaussian(graph, node, WEFT_GAUSSIAN(.sigma = -1), &node, &error) == WEFT_ERROR_PARAMETER;
    std::puts(error.message);
    weft_graph_destroy(&graph);
    return good ? 0 : 1;
}
"""


def program(weft):
    lines = [HEAD]
    for item in json.loads(subprocess.check_output([weft, "list", "--json"])):
        name, inputs = item["name"], item["inputs"]
        nodes = "".join(f"nodes[{i}], " for i in range(inputs))
        lines.append(f"    begin(&graph, nodes, {inputs});\n"
                     f"    status = weft_add_{name}(graph, {nodes}WEFT_{name.upper()}(), &node, &error);\n"
                     f"    compare(device, \"{name}\", graph, node, status, &error, {inputs});\n")
    return "".join(lines) + TAIL
