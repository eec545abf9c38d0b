/* SPDX-License-Identifier: MIT
 * What a run makes. */
#include "outputs.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "convert.h"
#include "formats.h"
#include "inputs.h"
#include "message.h"
#include "paths.h"
#include "values.h"

static bool standard(const struct output *output) { return !strcmp(output->path, "-"); }

/* Parts a path from the options behind it. */
static bool set_path(struct output *output, const char *path) {
    size_t length = formats_name_length(path), all = strlen(path);
    output->path = strndup(path, length);
    if (length < all)
        output->settings = strndup(path + length + 1, all - length - 2);
    return output->path && (length == all || output->settings);
}

/* Gives the paths to the outputs: one each, or one for each picture, and numbers are printed. */
static int give_paths(struct outputs *outputs, const char *const *paths, int count) {
    int pictures = 0;
    for (int i = 0; i < outputs->count; i++)
        pictures += !outputs->list[i].values;
    if (count != outputs->count && count != pictures)
        return report_usage(outputs->report, "the graph makes %d output%s and %d %s given after it", outputs->count,
                            outputs->count == 1 ? "" : "s", count, count == 1 ? "is" : "are");
    for (int i = 0, next = 0; i < outputs->count; i++) {
        bool given = count == outputs->count || !outputs->list[i].values;
        if (!set_path(&outputs->list[i], given ? paths[next++] : "-"))
            return report_unable(outputs->report, "not enough memory");
    }
    return EXIT_DONE;
}

/* Two names of a file, one of them perhaps by way of a link, are one; so are those of a file that is not there yet. */
static int check_twice(const struct outputs *outputs, int index) {
    const char *path = outputs->list[index].path;
    char *identity = path_identity(path);
    int status = identity ? EXIT_DONE : report_unable(outputs->report, "not enough memory");
    for (int i = 0; i < index && status == EXIT_DONE; i++) {
        const char *other = outputs->list[i].path;
        char *known = standard(&outputs->list[i]) ? strdup(other) : path_identity(other);
        if (!known)
            status = report_unable(outputs->report, "not enough memory");
        else if (!strcmp(path, other))
            status = report_usage(outputs->report, "two outputs would go to '%s'", path);
        else if (!strcmp(identity, known))
            status = report_usage(outputs->report, "two outputs would go to one file: '%s' is '%s'", path, other);
        free(known);
    }
    free(identity);
    return status;
}

static int check_paths(const struct outputs *outputs) {
    bool picture = false, numbers = false;
    for (int i = 0; i < outputs->count; i++) {
        const struct output *output = &outputs->list[i];
        enum values_form form;
        int status = standard(output) ? EXIT_DONE : check_twice(outputs, i);
        if (status != EXIT_DONE)
            return status;
        if (output->values && output->settings)
            return report_usage(outputs->report,
                                "output %d of the graph is numbers, and files of numbers have no options: '[%s]'",
                                i + 1, output->settings);
        if (output->values && !standard(output) && !values_form_of(output->path, &form))
            return report_usage(outputs->report,
                                "output %d of the graph is numbers, not a picture: '%s' has to end in .csv, .json or "
                                ".txt, or be '-'",
                                i + 1, output->path);
        if (standard(output) && !output->values && picture)
            return report_usage(outputs->report, "standard output can hold only one picture");
        picture = picture || (standard(output) && !output->values);
        numbers = numbers || (standard(output) && output->values);
    }
    if (picture && numbers)
        return report_usage(outputs->report, "a picture and numbers would both go to standard output");
    if (picture && isatty(STDOUT_FILENO))
        return report_usage(outputs->report, "a picture would go to the terminal; send it to a file or a pipe");
    return EXIT_DONE;
}

/* Asks the file what it can hold, and so decides what the plan has to make. */
static int match_picture(struct output *output, const weft_writer_options *common, weft_type type, bool linear) {
    weft_image_info wanted = output->made;
    weft_writer_options writing = *common;
    writing.settings = output->settings;
    weft_error error;
    if (type)
        wanted.format.type = type;
    if (weft_writer_accepts(output->path, &writing, &wanted, &output->held, &error) != WEFT_OK)
        return report_library(output->report, &error, output->path, NULL);
    if (type && output->held.format.type != type)
        return report_usage(output->report, "'%s' cannot hold %s, only %s", output->path, weft_type_name(type),
                            weft_type_name(output->held.format.type));
    /* Who decodes a picture of encoded light wants these numbers in the file; light of a linear file is encoded. */
    if (!linear && output->held.space == WEFT_SPACE_ENCODED)
        output->made.space = WEFT_SPACE_ENCODED;
    const char *obstacle = convert_obstacle(&output->made, &output->held);
    if (obstacle)
        return report_usage(output->report, "'%s' %s", output->path, obstacle);
    output->converts = convert_needed(&output->made, &output->held);
    output->type = output->converts ? WEFT_F32 : output->held.format.type;
    if (output->made.alpha != WEFT_ALPHA_NONE && output->held.alpha == WEFT_ALPHA_NONE)
        report_note(output->report, "'%s' cannot hold alpha; the picture is put on black", output->path);
    return EXIT_DONE;
}

int outputs_match(struct outputs *outputs, const struct reporting *report, const weft_plan *plan,
                  const struct options *options, const char *const *paths, int count) {
    int made = weft_plan_output_count(plan), status;
    bool linear = false;
    weft_image_info input;
    for (int32_t i = 0; i < weft_plan_input_count(plan); i++)
        linear = linear || (weft_plan_input_info(plan, i, &input, NULL) == WEFT_OK && input.space == WEFT_SPACE_LINEAR);
    weft_error error;
    *outputs =
        (struct outputs){.report = report,
                         .count = made,
                         .list = calloc((size_t)made + 1, sizeof *outputs->list),
                         .run = calloc((size_t)made + 1, sizeof *outputs->run),
                         .writing = {.format = options->to, .quality = options->quality, .strip = options->strip}};
    if (!outputs->list || !outputs->run)
        return report_unable(outputs->report, "not enough memory");
    for (int i = 0; i < made; i++) {
        outputs->list[i].report = report;
        outputs->list[i].values = weft_plan_output_is_values(plan, i);
        if (weft_plan_output_info(plan, i, &outputs->list[i].made, &error) != WEFT_OK)
            return report_library(outputs->report, &error, NULL, NULL);
    }
    if ((status = give_paths(outputs, paths, count)) != EXIT_DONE || (status = check_paths(outputs)) != EXIT_DONE)
        return status;
    for (int i = 0; i < made && status == EXIT_DONE; i++)
        if (!outputs->list[i].values)
            status = match_picture(&outputs->list[i], &outputs->writing, options->type, linear);
    return status;
}

/* Says what goes lost of a picture that lies in a larger frame. */
static void tell_frame(const struct outputs *outputs, const struct output *output) {
    const weft_frame *frame = outputs->writing.metadata ? &outputs->writing.metadata->frame : NULL;
    const char *what = weft_writer_format(output->writer)->frames ? "of another size" : "of a format without such";
    if (!frame || frame->width == 0 ||
        (weft_writer_format(output->writer)->frames && frame->picture_width == output->held.width &&
         frame->picture_height == output->held.height))
        return;
    report_note(outputs->report,
                "the input lies at %lld, %lld of a frame of %lldx%lld from %lld, %lld; '%s', %s, does not say so",
                (long long)frame->x, (long long)frame->y, (long long)frame->width, (long long)frame->height,
                (long long)frame->left, (long long)frame->top, output->path, what);
}

static int start_file(struct outputs *outputs, struct output *output) {
    weft_writer_options writing = outputs->writing;
    weft_error error;
    writing.settings = output->settings;
    if (weft_writer_open(output->path, &writing, &output->held, &output->writer, &error) != WEFT_OK)
        return report_library(outputs->report, &error, output->path, NULL);
    tell_frame(outputs, output);
    if (output->converts) {
        output->row = image_memory((size_t)output->held.width * weft_format_size(output->held.format));
        if (!output->row)
            return report_unable(outputs->report, "not enough memory");
    }
    return EXIT_DONE;
}

/* The sink of a picture: converts where the file asks for it. */
static weft_status write_rows(void *user, int64_t y, int64_t count, const void *rows, ptrdiff_t stride,
                              weft_error *error) {
    struct output *output = user;
    weft_status status = WEFT_OK;
    (void)y; /* rows come in order */
    if (!output->converts)
        return weft_writer_write(output->writer, count, rows, stride, error);
    for (int64_t i = 0; i < count && status == WEFT_OK; i++) {
        const void *row = (const char *)rows + i * stride;
        convert_row(&output->made, &output->held, row, output->row);
        status =
            weft_writer_write(output->writer, 1, output->row,
                              (ptrdiff_t)output->held.width * (ptrdiff_t)weft_format_size(output->held.format), error);
    }
    return status;
}

static int get_memory(struct output *output, weft_image *image) {
    weft_error error;
    size_t size;
    image->info = output->made;
    if (weft_image_size(&image->info, &size, &error) != WEFT_OK)
        return report_library(output->report, &error, output->path, NULL);
    image->data = image_memory(size);
    if (!image->data)
        return report_unable(output->report, "the picture for '%s' does not fit into memory: it takes %.1f MB",
                             output->path, (double)size / 1e6);
    image->stride = (ptrdiff_t)(size / (size_t)image->info.height);
    return EXIT_DONE;
}

int outputs_open(struct outputs *outputs, const weft_plan *plan, bool stream) {
    int status = EXIT_DONE;
    for (int i = 0; i < outputs->count && status == EXIT_DONE; i++) {
        struct output *output = &outputs->list[i];
        weft_error error;
        if (weft_plan_output_info(plan, i, &output->made, &error) != WEFT_OK)
            return report_library(outputs->report, &error, output->path, NULL);
        bool sink = stream && !output->values;
        /* Files start before the run, so that a folder that cannot be written to is known early. Standard output does
         * so only for streams: once begun it cannot be taken back. */
        if (sink || (!output->values && !standard(output)))
            status = start_file(outputs, output);
        if (sink)
            outputs->run[i].sink = (weft_sink){write_rows, output};
        else if (status == EXIT_DONE)
            status = get_memory(output, &outputs->run[i].image);
    }
    return status;
}

int outputs_write(struct outputs *outputs, struct progress *progress) {
    int status = EXIT_DONE;
    progress_begin(progress, "writing");
    for (int i = 0; i < outputs->count && status == EXIT_DONE; i++) {
        struct output *output = &outputs->list[i];
        const weft_image *image = &outputs->run[i].image;
        if (output->values || outputs->run[i].sink.write)
            continue;
        if (!output->writer)
            status = start_file(outputs, output);
        int64_t height = output->made.height, step = rows_at_once(&output->made);
        for (int64_t y = 0; y < height && status == EXIT_DONE; y += step) {
            int64_t rows = height - y < step ? height - y : step;
            weft_error error;
            if (write_rows(output, y, rows, (const char *)image->data + y * image->stride, image->stride, &error) !=
                WEFT_OK) {
                progress_end(progress);
                status = report_library(outputs->report, &error, output->path, NULL);
            } else if (!progress_update(progress, (i + (double)(y + rows) / (double)height) / outputs->count)) {
                status = EXIT_UNABLE; /* the caller knows of the interrupt */
            }
        }
    }
    progress_end(progress);
    return status;
}

/* Prints the numbers that go to standard output. */
static void print_values(const struct outputs *outputs, bool json) {
    int printed = 0, total = 0;
    struct json list = {.file = outputs->report->numbers};
    for (int i = 0; i < outputs->count; i++)
        total += outputs->list[i].values && standard(&outputs->list[i]);
    if (json && total > 1)
        json_array(&list, NULL);
    for (int i = 0; i < outputs->count; i++) {
        const struct output *output = &outputs->list[i];
        const double *numbers = outputs->run[i].image.data;
        if (!output->values || !standard(output))
            continue;
        if (json) {
            values_json(&list, &output->made, numbers);
        } else {
            if (total > 1)
                fprintf(outputs->report->numbers, "%soutput %d\n", printed ? "\n" : "", i + 1);
            values_print(outputs->report->numbers, VALUES_TEXT, &output->made, numbers);
        }
        printed++;
    }
    if (json && total > 1)
        json_array_end(&list);
    if (json && total)
        json_end(&list);
}

int outputs_finish(struct outputs *outputs, bool json) {
    for (int i = 0; i < outputs->count; i++) {
        struct output *output = &outputs->list[i];
        weft_error error;
        if (output->writer && weft_writer_finish(&output->writer, &error) != WEFT_OK)
            return report_library(outputs->report, &error, output->path, NULL);
    }
    for (int i = 0; i < outputs->count; i++) {
        const struct output *output = &outputs->list[i];
        if (output->values && !standard(output)) {
            int status = values_write(outputs->report, output->path, &output->made, outputs->run[i].image.data);
            if (status != EXIT_DONE)
                return status;
        }
    }
    print_values(outputs, json);
    return EXIT_DONE;
}

void outputs_close(struct outputs *outputs) {
    for (int i = 0; i < outputs->count; i++) {
        if (outputs->list) {
            weft_writer_abandon(&outputs->list[i].writer);
            free(outputs->list[i].row);
            free(outputs->list[i].path);
            free(outputs->list[i].settings);
        }
        if (outputs->run)
            free(outputs->run[i].image.data);
    }
    free(outputs->list);
    free(outputs->run);
    *outputs = (struct outputs){.count = 0};
}
