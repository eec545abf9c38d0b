/* SPDX-License-Identifier: MIT
 * What reads the input must be one filter that shows all of it in a size of its own. Which filters do is not a matter
 * of names: the tables of their axes say where each pixel comes from, and the size must stay when the input shrinks. */
#include "graph/reduced/reduced.h"
#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "base/status.h"
#include "graph/graph.h"
#include "graph/typed.h"

enum { MOST = 8, REST = 2 }; /* the least that is left to reduce, so that the filter decides how it looks */

/* The one node that reads node `from`, -1 when there are none or several, or when it goes elsewhere. */
static int32_t only_reader(const struct weft_graph *graph, int32_t from) {
    int32_t reader = -1, count = 0;
    for (int32_t n = 0; n < graph->count; n++) {
        const struct weft_graph_node *node = &graph->nodes[n];
        for (int32_t i = 0; node->filter && i < node->filter->info.inputs; i++)
            if (node->inputs[i] == from)
                reader = n, count++;
        for (int32_t i = 0; i < node->binding_count; i++)
            count += 2 * (node->bindings[i].from == from);
    }
    for (int32_t i = 0; i < graph->output_count; i++)
        count += 2 * (graph->outputs[i] == from);
    return count == 1 ? reader : -1;
}

/* The place in the input that a pixel of the table shows in the mean. */
static double place(const struct weft_axis *axis, int64_t pixel) {
    double sum = 0, weight = 0;
    for (int32_t k = 0; k < axis->count; k++) {
        const double w = (double)axis->weight[pixel * axis->count + k];
        sum += w * (double)(axis->first[pixel] + k);
        weight += w;
    }
    return weight > 0 ? sum / weight : -1;
}

/* Whether the first and last pixel of an axis show the first and last of the input: that of all in between is seen. */
static weft_status shows_all(const struct weft_graph_node *node, enum weft_direction direction, int64_t from,
                             int64_t to, bool *all, weft_error *error) {
    struct weft_axis axis = {.size = 0};
    const double ratio = (double)from / (double)to;
    weft_status status = node->filter->axis(node->block, direction, from, &axis, error);
    *all = status == WEFT_OK && axis.size == to && axis.weight && fabs(place(&axis, 0) - 0.5 * (ratio - 1)) <= ratio &&
           fabs(place(&axis, to - 1) - ((double)from - 0.5 * (ratio + 1))) <= ratio;
    weft_axis_clear(&axis);
    return status;
}

static int64_t divided(int64_t side, int32_t times) { return (side + times - 1) / times; }

/* Whether enough is left to reduce, and a side that does not divide moves no pixel of the result by more than a
 * twentieth. */
static bool fits(int64_t side, int64_t made, int32_t times) {
    return made <= side / times / REST &&
           (double)(divided(side, times) * times - side) * (double)made <= 0.05 * (double)side;
}

/* The largest divisor after which the node still has something to do. */
static weft_status find_times(const struct weft_graph_node *node, const weft_image_info *input, int32_t *times,
                              weft_error *error) {
    weft_image_info made, smaller = *input;
    bool wide = false, high = false;
    weft_status status = weft_node_infer(node, input, &made, error);
    int32_t found = MOST;
    while (status == WEFT_OK && found > 1 &&
           !(fits(input->width, made.width, found) && fits(input->height, made.height, found)))
        found /= 2;
    if (status == WEFT_OK && found > 1)
        status = shows_all(node, WEFT_X, input->width, made.width, &wide, error);
    if (status == WEFT_OK && found > 1 && wide)
        status = shows_all(node, WEFT_Y, input->height, made.height, &high, error);
    if (status == WEFT_OK && wide && high) {
        weft_image_info again;
        smaller.width = divided(input->width, found);
        smaller.height = divided(input->height, found);
        status = weft_node_infer(node, &smaller, &again, error);
        *times = again.width == made.width && again.height == made.height ? found : 1;
    }
    return status;
}

weft_status weft_graph_reduced(const weft_graph *graph, const weft_image_info *infos, int32_t input, int32_t *times,
                               weft_graph **fixed, weft_error *error) {
    const size_t count = (size_t)graph->input_count;
    struct weft_recalls recalls = {.input_count = graph->input_count};
    struct weft_expanded expanded = {.graph = NULL};
    weft_status status = WEFT_OK;
    *times = 1;
    *fixed = NULL;
    recalls.inputs = weft_allocate(count, sizeof *infos);
    if (!recalls.inputs)
        return weft_fail_memory(error, count * sizeof *infos, "the graph");
    memcpy(recalls.inputs, infos, count * sizeof *infos);
    /* Cheaper forms are not taken here: which ones are, the device says when the plan is made. */
    status = weft_graph_expand(graph, &recalls, &expanded, error);
    *fixed = expanded.graph;
    weft_free(expanded.info);
    for (int32_t n = 0; status == WEFT_OK && recalls.count == 0 && n < (*fixed)->count; n++) {
        const int32_t reader =
            !(*fixed)->nodes[n].filter && (*fixed)->nodes[n].input == input ? only_reader(*fixed, n) : -1;
        const struct weft_graph_node *node = reader >= 0 ? &(*fixed)->nodes[reader] : NULL;
        if (node && node->filter->kind == WEFT_KIND_RESAMPLE && node->filter->axis &&
            node->space != WEFT_SPACE_LINEAR && !(node->filter->moves && node->filter->moves(node->block)))
            status = find_times(node, &infos[input], times, error);
    }
    weft_recalls_clear(&recalls);
    if (status != WEFT_OK || *times == 1) {
        weft_graph_destroy(fixed);
        *times = 1;
    }
    return status;
}
