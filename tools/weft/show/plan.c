/* SPDX-License-Identifier: MIT
 * weft plan: the passes over memory that a graph takes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "command.h"
#include "graph.h"
#include "common/message.h"
#include "show/plan_without_images.h"

int plan_command(const struct options *options) {
    if (options->json + options->dot + options->explain > 1)
        return message_usage("--json, --dot and --explain exclude each other");
    struct graph graph;
    struct planned planned = {.plan = NULL};
    int status = graph_open_only(&graph, options, "plan");
    if (status == EXIT_DONE)
        status = planned_open(&planned, &graph, options, options->threads, options_memory(options));
    if (status == EXIT_DONE) {
        weft_plan_format form = options->json      ? WEFT_PLAN_JSON
                                : options->dot     ? WEFT_PLAN_DOT
                                : options->explain ? WEFT_PLAN_EXPLAIN
                                                   : WEFT_PLAN_TEXT;
        weft_error error;
        char *text = NULL;
        if (weft_plan_print(planned.plan, form, &text, &error) != WEFT_OK) {
            status = message_library(&error, NULL, &graph.text);
        } else {
            size_t length = strlen(text);
            printf("%s%s", text, length && text[length - 1] == '\n' ? "" : "\n");
        }
        weft_free(text);
    }
    planned_close(&planned);
    graph_close(&graph);
    return status;
}
