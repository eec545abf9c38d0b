/* SPDX-License-Identifier: MIT
 * weft bench: the time of a graph against that of a copy of the same bytes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "command.h"
#include "bench/copy_baseline.h"
#include "bench/measure.h"
#include "common/message.h"
#include "show/plan_without_images.h"

/* What is printed of one graph. */
struct report {
    const char *graph;
    weft_device_info device;
    struct measured measured;
    int32_t threads, passes;
    uint64_t bytes;
};

/* Microseconds to a thousandth; clocks know no more. */
static double microseconds(double seconds) { return floor(seconds * 1e9 + 0.5) / 1e3; }

static void print_json(struct json *json, const struct report *report, const struct options *options) {
    const struct measured *measured = &report->measured;
    char format[16];
    weft_format_print(options->format, format, sizeof format);
    json_object(json, NULL);
    json_text(json, "graph", report->graph);
    json_text(json, "device", strcmp(options->device, "auto") != 0 ? options->device : report->device.backend);
    json_number(json, "threads", report->threads);
    json_number(json, "width", (double)options->width);
    json_number(json, "height", (double)options->height);
    json_text(json, "format", format);
    json_number(json, "time_us", microseconds(measured->median));
    json_number(json, "min_us", microseconds(measured->minimum));
    json_number(json, "copy_us", microseconds(measured->copy));
    json_number(json, "alone_us", microseconds(measured->alone));
    json_number(json, "ratio", floor(measured->median / measured->copy * 1e4 + 0.5) / 1e4);
    json_number(json, "passes", report->passes);
    json_number(json, "bytes", (double)report->bytes);
    json_number(json, "runs", measured->runs);
    json_object_end(json);
}

static void print_text(const struct report *report, const struct options *options) {
    const struct measured *measured = &report->measured;
    char format[16];
    weft_format_print(options->format, format, sizeof format);
    printf("graph   %s\n", report->graph);
    printf("device  %s: %s (%s)\n", report->device.backend, report->device.name, report->device.detail);
    printf("input   %lldx%lld %s\n", (long long)options->width, (long long)options->height, format);
    printf("time    %.1f us median, %.1f us minimum of %d runs over %d sets of images\n", measured->median * 1e6,
           measured->minimum * 1e6, measured->runs, measured->sets);
    if (measured->alone != measured->median)
        printf("alone   %.1f us median from the start of a run to its end\n", measured->alone * 1e6);
    printf("copy    %.1f us median for the same %.2f MB\n", measured->copy * 1e6, (double)report->bytes / 1e6);
    printf("ratio   %.2f\n", measured->median / measured->copy);
    printf("passes  %d, %.2f GB/s\n", (int)report->passes, (double)report->bytes / measured->median / 1e9);
}

static void print_line(const struct report *report) {
    const struct measured *measured = &report->measured;
    printf("%12.1f %12.1f %12.1f %8.2f %6d  %s\n", measured->median * 1e6, measured->minimum * 1e6,
           measured->copy * 1e6, measured->median / measured->copy, (int)report->passes, report->graph);
    fflush(stdout);
}

/* Plans and measures one graph; `json` is NULL for text. */
static int bench_one(const struct graph *graph, const struct options *options, double seconds,
                     struct measure_memory *memory, struct json *json) {
    struct planned planned;
    struct report report = {.threads = options->threads ? options->threads : copier_default_threads()};
    int status = planned_open(&planned, graph, options, report.threads, 0);
    if (status == EXIT_DONE)
        status = measure(&report.measured, memory, planned.device, planned.plan, report.threads, seconds, &graph->text);
    if (status == EXIT_DONE) {
        char *text = malloc(graph->text.length + 1);
        if (text) {
            memcpy(text, graph->text.text, graph->text.length);
            text[graph->text.length] = 0;
        }
        report.graph = text ? text : "";
        report.passes = weft_plan_passes(planned.plan);
        report.bytes = weft_plan_bytes(planned.plan);
        weft_device_describe(planned.device, &report.device);
        if (json)
            print_json(json, &report, options);
        else if (options->all)
            print_line(&report);
        else
            print_text(&report, options);
        free(text);
    }
    planned_close(&planned);
    return status;
}

/* The example of every filter; those that fail are reported and left out. */
static int bench_all(const struct options *options, double seconds, struct json *json) {
    struct measure_memory memory = {0};
    int worst = EXIT_DONE;
    if (options->operand_count || options->graph || options->graph_file)
        return message_usage("--all takes no graph: it measures the example of every filter");
    if (json)
        json_array(json, NULL);
    else
        printf("%12s %12s %12s %8s %6s  %s\n", "median us", "minimum us", "copy us", "ratio", "passes", "graph");
    for (int32_t i = 0; i < weft_filter_count(); i++) {
        const char *example = weft_filter_at(i)->example;
        struct graph graph;
        if (!example || !*example)
            continue;
        int status = graph_open(&graph, options, example);
        if (status == EXIT_DONE)
            status = bench_one(&graph, options, seconds, &memory, json);
        graph_close(&graph);
        worst = status != EXIT_DONE ? EXIT_UNABLE : worst;
    }
    measure_memory_free(&memory);
    if (json)
        json_array_end(json);
    return worst;
}

int bench_command(const struct options *options) {
    struct json list = {.file = stdout}, *json = options->json ? &list : NULL;
    int status;
    if (options->all) {
        status = bench_all(options, options->seconds > 0 ? options->seconds : 0.2, json);
    } else {
        struct graph graph;
        struct measure_memory memory = {0};
        status = graph_open_only(&graph, options, "bench");
        if (status == EXIT_DONE)
            status = bench_one(&graph, options, options->seconds > 0 ? options->seconds : 1, &memory, json);
        measure_memory_free(&memory);
        graph_close(&graph);
    }
    if (json && list.inside)
        json_end(json);
    return status;
}
