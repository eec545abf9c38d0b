/* SPDX-License-Identifier: MIT
 * What a plan looks like: its passes, and in each the steps with what they keep. */
#include <string.h>
#include "backend/cpu/pipeline/source_sink.h"
#include "backend/cpu/steps/point/program.h"
#include "backend/cpu/pipeline/run.h"
#include "base/buffer.h"
#include "base/status.h"

static const char *row_name(enum weft_row_type type) {
    return type == WEFT_ROW_F32 ? "f32" : type == WEFT_ROW_U16 ? "u16" : "u8";
}

static weft_type input_type(const struct cpu_plan *plan, int32_t input) {
    const struct weft_graph *graph = plan->typed->graph;
    int32_t n = 0;
    while (graph->nodes[n].filter || graph->nodes[n].input != input)
        n++;
    return plan->typed->info[n].format.type;
}

/* "gaussian", or the filters of a point program in order, or what a conversion does. */
static void print_name(struct weft_buffer *text, const struct cpu_plan *plan, const struct step *step) {
    int32_t nodes[2 * WEFT_PROGRAM_NODES], count = 0;
    const struct weft_graph *graph = plan->typed->graph;
    weft_program_nodes(step, nodes, &count);
    int32_t input = weft_source_input(step), output = weft_sink_output(step);
    if (input >= 0)
        weft_buffer_print(text, "input %d, %sx%d", (int)input, weft_type_name(input_type(plan, input)),
                          (int)(step->planes * step->interleave));
    else if (output >= 0)
        weft_buffer_print(text, "output %d, %sx%d", (int)output, weft_type_name(plan->typed->output_types[output]),
                          (int)(step->planes * step->interleave));
    else if (count == 0)
        weft_buffer_print(text, "%s", step->node >= 0 ? graph->nodes[step->node].filter->info.name : step->kind->name);
    for (int32_t i = 0; i < count; i++)
        weft_buffer_print(text, "%s%s", i ? " + " : "", graph->nodes[nodes[i]].filter->info.name);
}

static void print_text(struct weft_buffer *text, const struct cpu_plan *plan, uint64_t peak, bool explain) {
    weft_buffer_print(text, "%d pass%s over memory, %s, %d thread%s, workspace %.1f KB\n", (int)plan->schedule.stages,
                      plan->schedule.stages == 1 ? "" : "es", plan->device->isa->name, (int)plan->device->threads,
                      plan->device->threads == 1 ? "" : "s", (double)plan->workspace / 1024);
    weft_buffer_print(text, "at most %.1f MB in memory %s\n", (double)peak / 1e6,
                      !weft_cpu_can_stream(plan) ? "with all images whole"
                      : plan->spills             ? "from file to file, by way of temporary files"
                                                 : "from file to file");
    for (int32_t s = 0; s < plan->schedule.stages; s++) {
        const struct stage *stage = &plan->stages[s];
        weft_buffer_print(text, "pass %d: %d band%s of rows x %d strip%s of columns, %.1f KB a thread", (int)s + 1,
                          (int)stage->bands, stage->bands == 1 ? "" : "s", (int)stage->strips,
                          stage->strips == 1 ? "" : "s", (double)stage->lane_bytes / 1024);
        if (stage->groups > 0)
            weft_buffer_print(text, "; of images in memory, %d groups of reductions", (int)stage->groups);
        weft_buffer_print(text, "\n");
        for (int32_t i = 0; i < stage->count; i++) {
            const struct step *step = &stage->steps[i];
            weft_buffer_print(text, "  %2d  ", (int)i);
            print_name(text, plan, step);
            if (step->input_count > 0)
                weft_buffer_print(text, " <-");
            for (int32_t k = 0; k < step->input_count; k++)
                weft_buffer_print(text, " %d", (int)step->inputs[k]);
            weft_buffer_print(text, "  %lldx%lld, rows of %sx%d", (long long)step->width, (long long)step->height,
                              row_name(step->type), (int)(step->planes * step->interleave));
            if (step->interleave > 1)
                weft_buffer_print(text, " interleaved");
            if (step->direct || step->inlined || step->delivers)
                weft_buffer_print(text, step->direct     ? ", in place"
                                        : step->inlined ? ", by the chunk"
                                                        : ", into the output");
            else if (!step->sink)
                weft_buffer_print(text, ", keeps %lld row%s", (long long)step->ring, step->ring == 1 ? "" : "s");
            if (explain && step->why)
                weft_buffer_print(text, ": %s", step->why);
            weft_buffer_print(text, "\n");
        }
    }
}

static void print_json(struct weft_buffer *text, const struct cpu_plan *plan, uint64_t peak) {
    weft_buffer_print(
        text, "{\"device\": \"cpu\", \"isa\": \"%s\", \"threads\": %d, \"passes\": %d, \"workspace\": %zu, \"memory\": %llu, ",
        plan->device->isa->name, (int)plan->device->threads, (int)plan->schedule.stages, plan->workspace, (unsigned long long)peak);
    weft_buffer_print(text, "\"pass\": [");
    for (int32_t s = 0; s < plan->schedule.stages; s++) {
        const struct stage *stage = &plan->stages[s];
        weft_buffer_print(text, "%s{\"bands\": %d, \"strips\": %d, \"thread_bytes\": %zu, \"steps\": [", s ? ", " : "",
                          (int)stage->bands, (int)stage->strips, stage->lane_bytes);
        for (int32_t i = 0; i < stage->count; i++) {
            const struct step *step = &stage->steps[i];
            weft_buffer_print(text, "%s{\"name\": \"", i ? ", " : "");
            print_name(text, plan, step);
            weft_buffer_print(text, "\", \"inputs\": [");
            for (int32_t k = 0; k < step->input_count; k++)
                weft_buffer_print(text, "%s%d", k ? ", " : "", (int)step->inputs[k]);
            weft_buffer_print(text, "], \"width\": %lld, \"height\": %lld, \"rows\": \"%sx%d\", \"ring\": %lld}",
                              (long long)step->width, (long long)step->height, row_name(step->type),
                              (int)(step->planes * step->interleave),
                              (long long)(step->sink || step->direct || step->delivers ? 0 : step->ring));
        }
        weft_buffer_print(text, "]}");
    }
    weft_buffer_print(text, "]}\n");
}

static void print_dot(struct weft_buffer *text, const struct cpu_plan *plan) {
    weft_buffer_print(text, "digraph plan {\n  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\"];\n");
    for (int32_t s = 0; s < plan->schedule.stages; s++) {
        const struct stage *stage = &plan->stages[s];
        weft_buffer_print(text, "  subgraph cluster_%d {\n    label=\"pass %d\";\n", (int)s, (int)s + 1);
        for (int32_t i = 0; i < stage->count; i++) {
            const struct step *step = &stage->steps[i];
            weft_buffer_print(text, "    p%d_%d [label=\"", (int)s, (int)i);
            print_name(text, plan, step);
            weft_buffer_print(text, "\\n%lldx%lld %sx%d\"%s];\n", (long long)step->width, (long long)step->height,
                              row_name(step->type), (int)(step->planes * step->interleave),
                              step->sink || step->direct ? ", style=rounded" : "");
        }
        for (int32_t i = 0; i < stage->count; i++)
            for (int32_t k = 0; k < stage->steps[i].input_count; k++)
                weft_buffer_print(text, "    p%d_%d -> p%d_%d;\n", (int)s, (int)stage->steps[i].inputs[k], (int)s, (int)i);
        weft_buffer_print(text, "  }\n");
    }
    weft_buffer_print(text, "}\n");
}

weft_status weft_cpu_print(const void *compiled, weft_plan_format format, char **text, weft_error *error) {
    struct weft_buffer buffer = {0};
    uint64_t peak;
    weft_status status = weft_cpu_peak(compiled, &peak, error);
    if (status != WEFT_OK)
        return status;
    if (format == WEFT_PLAN_JSON)
        print_json(&buffer, compiled, peak);
    else if (format == WEFT_PLAN_DOT)
        print_dot(&buffer, compiled);
    else
        print_text(&buffer, compiled, peak, format == WEFT_PLAN_EXPLAIN);
    return weft_buffer_take(&buffer, "the plan's description", text, error);
}
