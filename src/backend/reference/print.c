/* SPDX-License-Identifier: MIT
 * Describes a plan of the reference: a pass for every node. */
#include "backend/reference/model.h"
#include "base/buffer.h"

static void write_node(struct weft_buffer *text, const struct weft_typed_graph *typed, int32_t index,
                       weft_plan_format format) {
    const struct weft_graph_node *node = &typed->graph->nodes[index];
    const weft_image_info *info = &typed->info[index];
    const char *name = node->filter ? node->filter->info.name : "input";
    int32_t inputs = node->filter ? node->filter->info.inputs : 0;
    char pixels[16];
    weft_format_print(info->format, pixels, sizeof pixels);
    if (format == WEFT_PLAN_DOT) {
        weft_buffer_print(text, "  n%d [label=\"%s\\n%lldx%lld %s\"];\n", (int)index, name, (long long)info->width,
                          (long long)info->height, pixels);
        for (int32_t i = 0; i < inputs; i++)
            weft_buffer_print(text, "  n%d -> n%d;\n", (int)node->inputs[i], (int)index);
        return;
    }
    if (format == WEFT_PLAN_JSON)
        weft_buffer_print(text,
                          "%s{\"node\": %d, \"filter\": \"%s\", \"width\": %lld, \"height\": %lld, \"format\": \"%s\", "
                          "\"inputs\": [",
                          index ? ", " : "", (int)index, name, (long long)info->width, (long long)info->height, pixels);
    else
        weft_buffer_print(text, "%3d  %-24s %lldx%lld %s", (int)index, name, (long long)info->width,
                          (long long)info->height, pixels);
    for (int32_t i = 0; i < inputs; i++)
        weft_buffer_print(text, "%s%d", i ? ", " : format == WEFT_PLAN_JSON ? "" : "  from ", (int)node->inputs[i]);
    weft_buffer_print(text, "%s", format == WEFT_PLAN_JSON ? "]}" : "\n");
}

weft_status reference_print(const void *compiled, weft_plan_format format, char **text, weft_error *error) {
    const struct weft_typed_graph *typed = compiled;
    struct weft_buffer buffer = {0};
    weft_buffer_print(&buffer, "%s",
                      format == WEFT_PLAN_DOT    ? "digraph plan {\n"
                      : format == WEFT_PLAN_JSON ? "{\"backend\": \"reference\", \"nodes\": ["
                                                 : "reference: a pass per node, on whole images\n");
    for (int32_t i = 0; i < typed->graph->count; i++)
        write_node(&buffer, typed, i, format);
    weft_buffer_print(&buffer, "%s", format == WEFT_PLAN_DOT ? "}\n" : format == WEFT_PLAN_JSON ? "]}\n" : "");
    return weft_buffer_take(&buffer, "the plan's description", text, error);
}
