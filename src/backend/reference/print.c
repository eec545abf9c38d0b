/* SPDX-License-Identifier: MIT
 * Describes a plan of the reference: a pass for every node. */
#include <stdarg.h>
#include <stdio.h>
#include "backend/reference/model.h"
#include "base/memory.h"
#include "base/status.h"

/* Text that is first measured (start NULL), then written. */
struct writing {
    char *start;
    size_t length, capacity;
};

static void write_text(struct writing *writing, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void write_text(struct writing *writing, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(writing->start ? writing->start + writing->length : NULL,
                           writing->start ? writing->capacity - writing->length : 0, format, arguments);
    va_end(arguments);
    writing->length += length > 0 ? (size_t)length : 0;
}

static void write_node(struct writing *writing, const struct weft_typed_graph *typed, int32_t index,
                       weft_plan_format format) {
    const struct weft_graph_node *node = &typed->graph->nodes[index];
    const weft_image_info *info = &typed->info[index];
    const char *name = node->filter ? node->filter->info.name : "input";
    int32_t inputs = node->filter ? node->filter->info.inputs : 0;
    char pixels[16];
    weft_format_print(info->format, pixels, sizeof pixels);
    if (format == WEFT_PLAN_DOT) {
        write_text(writing, "  n%d [label=\"%s\\n%lldx%lld %s\"];\n", (int)index, name, (long long)info->width,
                   (long long)info->height, pixels);
        for (int32_t i = 0; i < inputs; i++)
            write_text(writing, "  n%d -> n%d;\n", (int)node->inputs[i], (int)index);
        return;
    }
    if (format == WEFT_PLAN_JSON)
        write_text(writing,
                   "%s{\"node\": %d, \"filter\": \"%s\", \"width\": %lld, \"height\": %lld, \"format\": \"%s\", "
                   "\"inputs\": [",
                   index ? ", " : "", (int)index, name, (long long)info->width, (long long)info->height, pixels);
    else
        write_text(writing, "%3d  %-24s %lldx%lld %s", (int)index, name, (long long)info->width,
                   (long long)info->height, pixels);
    for (int32_t i = 0; i < inputs; i++)
        write_text(writing, "%s%d", i ? ", " : format == WEFT_PLAN_JSON ? "" : "  from ", (int)node->inputs[i]);
    write_text(writing, "%s", format == WEFT_PLAN_JSON ? "]}" : "\n");
}

static void write_plan(struct writing *writing, const struct weft_typed_graph *typed, weft_plan_format format) {
    writing->length = 0;
    write_text(writing, "%s",
               format == WEFT_PLAN_DOT    ? "digraph plan {\n"
               : format == WEFT_PLAN_JSON ? "{\"backend\": \"reference\", \"nodes\": ["
                                          : "reference: a pass per node, on whole images\n");
    for (int32_t i = 0; i < typed->graph->count; i++)
        write_node(writing, typed, i, format);
    write_text(writing, "%s", format == WEFT_PLAN_DOT ? "}\n" : format == WEFT_PLAN_JSON ? "]}\n" : "");
}

weft_status reference_print(const void *compiled, weft_plan_format format, char **text, weft_error *error) {
    struct writing writing = {0};
    write_plan(&writing, compiled, format);
    writing.capacity = writing.length + 1;
    writing.start = weft_allocate(writing.capacity, 1);
    if (!writing.start)
        return weft_fail_memory(error, writing.capacity, "the plan's description");
    write_plan(&writing, compiled, format);
    *text = writing.start;
    return WEFT_OK;
}
