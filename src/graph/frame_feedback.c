/* SPDX-License-Identifier: MIT
 * Images that are kept from one frame to a later one. To the steps behind it a graph that recalls is one with more inputs
 * and outputs; who runs it hands on what an output made as the input of a later run. */
#include "base/memory.h"
#include "base/status.h"
#include "graph/typed.h"

weft_status weft_recalls_add(struct weft_recalls *recalls, const struct weft_recall *added, const weft_image_info *info,
                             weft_error *error) {
    size_t inputs = (size_t)recalls->input_count + 1, count = (size_t)recalls->count + 1;
    weft_image_info *more = weft_reallocate(recalls->inputs, inputs, sizeof *more);
    if (more)
        recalls->inputs = more;
    struct weft_recall *list = more ? weft_reallocate(recalls->list, count, sizeof *list) : NULL;
    if (!list)
        return weft_fail_memory(error, count * sizeof *list + inputs * sizeof *more, "what a graph recalls");
    recalls->list = list;
    more[recalls->input_count++] = *info;
    list[recalls->count++] = *added;
    return WEFT_OK;
}

void weft_recalls_map(struct weft_recalls *recalls, const struct weft_graph *graph, const weft_node *map) {
    for (int32_t n = 0; recalls && n < graph->count; n++) {
        const struct weft_graph_node *node = &graph->nodes[n];
        if (!node->filter || node->filter->role != WEFT_ROLE_DELAY || node->kept <= 0)
            continue;
        for (int32_t i = 0; i < recalls->count; i++)
            if (recalls->list[i].recall == map[n])
                recalls->list[i].kept = map[node->kept];
    }
}

weft_status weft_recalls_finish(struct weft_recalls *recalls, struct weft_graph *graph, const weft_image_info *info,
                                weft_error *error) {
    weft_status status = WEFT_OK;
    for (int32_t i = 0; status == WEFT_OK && i < recalls->count; i++) {
        const weft_image_info *kept = &info[recalls->list[i].kept];
        const weft_image_info *read = &recalls->inputs[recalls->input_count - recalls->count + i];
        if (kept->width != read->width || kept->height != read->height || kept->alpha != read->alpha ||
            kept->space != read->space || kept->format.channels != read->format.channels ||
            kept->format.type == WEFT_F64)
            return weft_fail(error, WEFT_ERROR_INTERNAL, "what is kept is another kind of image than what is recalled");
        struct weft_recall *recall = &recalls->list[i];
        int32_t same = 0;
        while (same < i && (recalls->list[same].kept != recall->kept || read[same - i].format.type != read->format.type))
            same++;
        recall->output = same < i ? recalls->list[same].output : recalls->output_count++;
        if (same == i)
            status = weft_graph_output(graph, recall->kept, error);
    }
    return status;
}

void weft_recalls_clear(struct weft_recalls *recalls) {
    weft_free(recalls->inputs);
    weft_free(recalls->list);
    *recalls = (struct weft_recalls){.count = 0};
}
