/* SPDX-License-Identifier: MIT
 * weft montage: many files in a grid on one picture. The graph lays one after the other over a sheet. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "command.h"
#include "common/interrupt.h"
#include "run/job.h"
#include "run/paths.h"

enum { CELL = 256, GAP = 8, MOST = 4096 };

struct sheet {
    int count, columns, rows;
    int64_t cell[2], gap;
};

static int plan_sheet(struct sheet *sheet, const struct options *options, int count) {
    *sheet = (struct sheet){.count = count, .gap = options->gap >= 0 ? options->gap : GAP};
    sheet->cell[0] = options->cell[0] ? options->cell[0] : CELL;
    sheet->cell[1] = options->cell[1] ? options->cell[1] : CELL;
    sheet->columns = options->grid[0] ? (int)options->grid[0] : (int)ceil(sqrt(count));
    sheet->rows = options->grid[1] ? (int)options->grid[1] : (count + sheet->columns - 1) / sheet->columns;
    if (count > MOST)
        return message_usage("%d pictures are more than the %d that one sheet holds", count, MOST);
    if (count > (int64_t)sheet->columns * sheet->rows)
        return message_usage("%d pictures do not fit into a grid of %dx%d", count, sheet->columns, sheet->rows);
    return EXIT_DONE;
}

/* Text of a graph that lays each input on a white sheet, in its cell. */
static void print_graph(const struct sheet *sheet, FILE *file) {
    const int64_t step[2] = {sheet->cell[0] + sheet->gap, sheet->cell[1] + sheet->gap};
    fprintf(file, "solid_color=color=white:width=%lld:height=%lld", (long long)(sheet->columns * step[0] + sheet->gap),
            (long long)(sheet->rows * step[1] + sheet->gap));
    for (int i = 0; i < sheet->count; i++)
        fprintf(file, "[sheet%d];[sheet%d][%d]overlay=box=%lld|%lld|%lld|%lld", i, i, i,
                (long long)(sheet->gap + i % sheet->columns * step[0]),
                (long long)(sheet->gap + i / sheet->columns * step[1]), (long long)sheet->cell[0],
                (long long)sheet->cell[1]);
}

/* The graph, whose text lives as long as it does. */
static int open_graph(struct graph *graph, const struct sheet *sheet) {
    struct options options = {.graph_file = NULL};
    size_t size;
    char *text = NULL;
    FILE *file = open_memstream(&text, &size);
    if (file)
        print_graph(sheet, file);
    if (!file || fclose(file) != 0) {
        free(text);
        return message_unable("not enough memory");
    }
    int status = graph_open(graph, &options, text);
    graph->owned = text;
    return status;
}

static int make_sheet(const struct sheet *sheet, struct paths *paths, const struct options *options, const char *output) {
    struct graph graph = {.graph = NULL};
    struct job job = {.options = options, .graph = &graph, .report = {stderr, stdout}};
    weft_device_options device = {.threads = options->threads,
                                  .log = message_log(options->explain),
                                  .memory_limit = options->device_memory};
    weft_error error;
    int status = open_graph(&graph, sheet);
    if (status == EXIT_DONE && weft_device_open(options->device, &device, &job.device, &error) != WEFT_OK)
        status = message_library(&error, NULL, NULL);
    if (status == EXIT_DONE)
        status = job_run(&job, paths->list, paths->count, &output, 1);
    weft_device_close(&job.device);
    graph_close(&graph);
    return status;
}

int montage_command(const struct options *given) {
    struct options options = *given;
    struct paths paths = {.list = NULL};
    struct sheet sheet;
    int status = EXIT_DONE;
    options.strip = true; /* the sheet is none of the pictures that EXIF tells of */
    if (options.output_count == 0 && options.operand_count > 0)
        options.outputs[options.output_count++] = options.operands[--options.operand_count];
    if (options.operand_count == 0 || options.output_count != 1)
        return message_usage("'weft montage' needs pictures and one file that they go into, as in: "
                             "weft montage 'in/*.jpg' sheet.jpg");
    interrupt_install();
    for (int i = 0; i < options.operand_count && status == EXIT_DONE; i++) {
        struct paths more = {.list = NULL};
        status = paths_open(&more, options.operands[i], false);
        for (int k = 0; k < more.count && status == EXIT_DONE; k++)
            status = paths_add(&paths, strdup(more.list[k]), 0);
        paths_close(&more);
    }
    if (status == EXIT_DONE)
        status = plan_sheet(&sheet, &options, paths.count);
    if (status == EXIT_DONE)
        status = make_sheet(&sheet, &paths, &options, options.outputs[0]);
    paths_close(&paths);
    return status;
}
