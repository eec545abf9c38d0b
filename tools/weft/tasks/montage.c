/* SPDX-License-Identifier: MIT
 * weft montage: many files in a grid on one picture. The graph lays one after the other over a sheet. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "command.h"
#include "common/interrupt.h"
#include "run/job.h"
#include "run/paths.h"
#include "show/formats.h"

enum { CELL = 256, GAP = 8, MOST = 4096, LETTERS = 14, LABEL = 20 /* their line */ };

struct sheet {
    int count, columns, rows;
    int64_t cell[2], gap, label; /* the last is the height of labels, 0 for none */
};

static int plan_sheet(struct sheet *sheet, const struct options *options, int count) {
    *sheet = (struct sheet){.count = count, .gap = options->gap >= 0 ? options->gap : GAP,
                             .label = options->labels ? LABEL : 0};
    sheet->cell[0] = options->cell[0] ? options->cell[0] : CELL;
    sheet->cell[1] = options->cell[1] ? options->cell[1] : CELL;
    sheet->columns = options->grid[0] ? (int)options->grid[0] : (int)ceil(sqrt(count));
    sheet->rows = options->grid[1] ? (int)options->grid[1] : (count + sheet->columns - 1) / sheet->columns;
    if (count > MOST)
        return message_usage("%d pictures are more than the %d that one sheet holds", count, MOST);
    if (count > (int64_t)sheet->columns * sheet->rows)
        return message_usage("%d pictures do not fit into a grid of %dx%d, but into one of %dx%d", count, sheet->columns,
                             sheet->rows, sheet->columns, (count + sheet->columns - 1) / sheet->columns);
    return EXIT_DONE;
}

/* The corner of a cell. */
static int64_t left(const struct sheet *sheet, int i) {
    return sheet->gap + i % sheet->columns * (sheet->cell[0] + sheet->gap);
}
static int64_t top(const struct sheet *sheet, int i) {
    return sheet->gap + i / sheet->columns * (sheet->cell[1] + sheet->label + sheet->gap);
}

/* Lays the image of a label over what the chain has, in a rectangle. */
static void print_step(FILE *file, int step, const char *label, int number, int64_t x, int64_t y, int64_t width,
                       int64_t height) {
    fprintf(file, "[s%d];[s%d][%s%d]overlay=box=%lld|%lld|%lld|%lld", step, step, label, number, (long long)x,
            (long long)y, (long long)width, (long long)height);
}

static void print_white(FILE *file, int64_t width, int64_t height) {
    fprintf(file, "solid_color=color=white:width=%lld:height=%lld", (long long)width, (long long)height);
}

/* Text of a graph that lays each input on a white row, in its cell, and rows on a white sheet: rows first, since every overlay
 * walks over all that it lies on. Behind the pictures come their labels. */
static void print_graph(const struct sheet *sheet, FILE *file) {
    const int count = sheet->count, rows = (count - 1) / sheet->columns + 1;
    const int64_t height = sheet->cell[1] + sheet->label;
    const int64_t width = left(sheet, sheet->columns - 1) + sheet->cell[0] + sheet->gap;
    int step = 0;
    for (int i = 0; i < count; i++) {
        if (i % sheet->columns == 0) {
            if (i > 0)
                fprintf(file, "[row%d];", i / sheet->columns - 1);
            print_white(file, width, height);
        }
        print_step(file, step++, "", i, left(sheet, i), 0, sheet->cell[0], sheet->cell[1]);
        if (sheet->label)
            print_step(file, step++, "", count + i, left(sheet, i), sheet->cell[1], sheet->cell[0], sheet->label);
    }
    fprintf(file, "[row%d];", rows - 1);
    print_white(file, width, top(sheet, (sheet->rows - 1) * sheet->columns) + height + sheet->gap);
    for (int row = 0; row < rows; row++)
        print_step(file, step++, "row", row, 0, top(sheet, row * sheet->columns), width, height);
}

/* The text that is drawn under a picture: the name of its file; to be freed, NULL without memory. */
static char *name_label(const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t size = strlen(name) + 64;
    char *text = malloc(size);
    if (text)
        snprintf(text, size, WEFT_TEXT_PREFIX "%.*s[size=%d,color=black]", (int)formats_name_length(name), name, LETTERS);
    return text;
}

static int add_labels(struct paths *paths, int count) {
    int status = EXIT_DONE;
    for (int i = 0; i < count && status == EXIT_DONE; i++)
        status = paths_add(paths, name_label(paths->list[i]), 0);
    return status;
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

static int make_sheet(const struct sheet *sheet, struct paths *paths, const struct options *options, const char *output,
                      FILE *errors) {
    struct graph graph = {.graph = NULL};
    struct job job = {.options = options, .graph = &graph, .report = {errors, stdout}};
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

/* Reads the header of a picture, or all of it. */
static weft_status try_picture(const char *word, const struct options *options, bool whole, weft_error *error) {
    const size_t length = formats_input_length(word), all = strlen(word);
    char *name = strndup(word, length), *settings = length < all ? strndup(word + length + 1, all - length - 2) : NULL;
    const weft_reader_options reading = {.pixel_limit = options->pixel_limit, .memory_limit = options->decode_limit,
                                         .settings = settings, .threads = options->threads};
    weft_reader *reader = NULL;
    void *row = NULL;
    weft_status status = WEFT_OK;
    if (name && strcmp(name, "-") != 0) /* standard input is read but once */
        status = weft_reader_open(name, &reading, &reader, error);
    const weft_image_info *info = weft_reader_info(reader);
    if (status == WEFT_OK && whole && info && (row = malloc((size_t)info->width * weft_format_size(info->format))) != NULL) {
        for (int64_t y = 0; status == WEFT_OK && y < info->height; y++)
            status = weft_reader_read(reader, 1, row, 0, error);
        if (status == WEFT_OK)
            status = weft_reader_finish(reader, error);
    }
    free(row);
    weft_reader_close(&reader);
    free(name);
    free(settings);
    return status;
}

/* Takes pictures out that cannot be read, a message for each; how many. */
static int drop_bad(struct paths *paths, const struct options *options, bool whole) {
    int kept = 0, bad = 0;
    weft_error error;
    for (int i = 0; i < paths->count && !interrupt_signal(); i++) {
        if (try_picture(paths->list[i], options, whole, &error) == WEFT_OK) {
            paths->list[kept++] = paths->list[i];
            continue;
        }
        message_library(&error, NULL, NULL);
        free(paths->list[i]);
        bad++;
    }
    if (!interrupt_signal())
        paths->count = kept;
    return bad;
}

/* Plans the sheet of all pictures, and makes it. */
static int lay_out(struct paths *paths, const struct options *options, FILE *errors) {
    const int count = paths->count;
    struct sheet sheet;
    int status = plan_sheet(&sheet, options, count);
    if (status == EXIT_DONE && sheet.label)
        status = add_labels(paths, count);
    if (status == EXIT_DONE)
        status = make_sheet(&sheet, paths, options, options->outputs[0], errors);
    while (paths->count > count) /* the labels */
        free(paths->list[--paths->count]);
    return status;
}

/* Headers tell of most that cannot be read. The pictures are looked through as a whole only when the sheet cannot be made; messages
 * of a first try are printed only if there is no second. Standard output cannot be written twice. */
static int make_of_good(struct paths *paths, const struct options *options) {
    const int count = paths->count;
    const bool once = !strcmp(options->outputs[0], "-");
    int bad = drop_bad(paths, options, once), status = EXIT_DONE, more = 0;
    char *said = NULL;
    size_t size = 0;
    FILE *errors = paths->count > 0 && !once ? open_memstream(&said, &size) : NULL;
    if (paths->count > 0)
        status = lay_out(paths, options, errors ? errors : stderr);
    if (errors)
        fclose(errors);
    if (errors && status == EXIT_UNABLE && !interrupt_signal())
        more = drop_bad(paths, options, true);
    if (more > 0 && paths->count > 0)
        status = lay_out(paths, options, stderr);
    for (const char *line = more ? NULL : said; line && *line; line += strcspn(line, "\n"), line += *line == '\n')
        fprintf(stderr, "weft: %.*s\n", (int)strcspn(line, "\n"), line);
    free(said);
    if (bad + more == 0 || interrupt_signal())
        return status;
    message_unable("%d of %d files could not be done", bad + more, count);
    return status == EXIT_DONE ? EXIT_UNABLE : status;
}

int montage_command(const struct options *given) {
    struct options options = *given;
    struct paths paths = {.list = NULL};
    int status = EXIT_DONE;
    options.strip = true; /* the EXIF of one picture does not describe the sheet */
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
        status = make_of_good(&paths, &options);
    paths_close(&paths);
    return status;
}
