/* SPDX-License-Identifier: MIT
 * Helps for the `expand` functions of composites: a filter and its settings in one call. */
#ifndef FILTER_SUBGRAPH_H
#define FILTER_SUBGRAPH_H
#include "filter/filter.h"

struct weft_setting {
    const char *name;
    double value;
};

/* Adds a filter that reads `inputs`, with `settings` set. */
static inline weft_status weft_subgraph_add(weft_graph *graph, const char *filter, const weft_node *inputs,
                                            int32_t input_count, const struct weft_setting *settings,
                                            size_t setting_count, weft_node *node, weft_error *error) {
    weft_status status = weft_graph_add(graph, filter, inputs, input_count, node, error);
    for (size_t i = 0; status == WEFT_OK && i < setting_count; i++)
        status = weft_graph_set(graph, *node, settings[i].name, &settings[i].value, 1, error);
    return status;
}
/* The same inside `expand`, where the graph and the error have these names; settings in braces: {"sigma", 2}, .. */
#define SUBGRAPH_ADD(filter, inputs, count, node, ...)                                                                 \
    weft_subgraph_add(graph, filter, inputs, count, (const struct weft_setting[]){__VA_ARGS__},                        \
                      sizeof((const struct weft_setting[]){__VA_ARGS__}) / sizeof(struct weft_setting), node, error)

/* Lets a frame_delay recall what a later node makes, instead of its own input. */
weft_status weft_graph_keep(weft_graph *graph, weft_node delay, weft_node kept, weft_error *error);

#endif
