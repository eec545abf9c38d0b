/* SPDX-License-Identifier: MIT
 * A picture's numbers are the first channel of its pixels, row by row, and where it is not square, columns=WIDTH behind them. */
#include "lists.h"
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/message.h"

enum { MOST = 1 << 16 }; /* pixels: more are a picture given by mistake */

/* All pixels as f32, to be freed; NULL with the error. */
static float *read_pixels(const char *path, weft_image_info *info, weft_error *error) {
    weft_reader *reader = NULL;
    weft_device *device = NULL;
    weft_graph *graph = NULL;
    weft_plan *plan = NULL;
    weft_node node;
    const weft_type type = WEFT_F32;
    weft_run_input input = {0};
    weft_run_output output = {0};
    size_t size = 0, made = 0;
    weft_status status = weft_reader_open(path, NULL, &reader, error);
    if (status == WEFT_OK)
        *info = *weft_reader_info(reader);
    if (status == WEFT_OK && info->height > MOST / info->width) {
        snprintf(error->message, sizeof error->message, "%lldx%lld pixels are more than a list takes, which is %d",
                 (long long)info->width, (long long)info->height, MOST);
        status = error->status = WEFT_ERROR_ARGUMENT;
    }
    if (status == WEFT_OK)
        status = weft_image_size(info, &size, error);
    input.image = (weft_image){.info = *info, .data = status == WEFT_OK ? malloc(size) : NULL};
    input.image.stride = status == WEFT_OK ? (ptrdiff_t)(size / (size_t)info->height) : 0;
    if (status == WEFT_OK && input.image.data)
        status = weft_reader_read(reader, info->height, input.image.data, input.image.stride, error);
    if (status == WEFT_OK)
        status = weft_device_open("cpu", NULL, &device, error);
    if (status == WEFT_OK)
        status = weft_graph_create(&graph, error);
    if (status == WEFT_OK)
        status = weft_graph_input(graph, &node, error);
    if (status == WEFT_OK)
        status = weft_graph_output(graph, node, error);
    if (status == WEFT_OK)
        status = weft_plan_create(device, graph, &(weft_plan_options){.inputs = info, .input_count = 1, .output_types = &type,
                                                                      .output_type_count = 1}, &plan, error);
    if (status == WEFT_OK)
        status = weft_plan_output_info(plan, 0, info, error);
    if (status == WEFT_OK)
        status = weft_image_size(info, &made, error);
    output.image = (weft_image){.info = *info, .data = status == WEFT_OK ? malloc(made) : NULL};
    output.image.stride = status == WEFT_OK ? (ptrdiff_t)(made / (size_t)info->height) : 0;
    if (status == WEFT_OK && !(input.image.data && output.image.data)) {
        snprintf(error->message, sizeof error->message, "not enough memory");
        status = error->status = WEFT_ERROR_MEMORY;
    }
    if (status == WEFT_OK)
        status = weft_plan_run(plan, &(weft_run){.inputs = &input, .input_count = 1, .outputs = &output, .output_count = 1}, error);
    weft_plan_destroy(&plan);
    weft_graph_destroy(&graph);
    weft_device_close(&device);
    weft_reader_close(&reader);
    free(input.image.data);
    if (status != WEFT_OK) {
        free(output.image.data);
        return NULL;
    }
    return output.image.data;
}

static int write_numbers(FILE *out, const char *path) {
    weft_image_info info = {0};
    weft_error error = {0};
    float *pixels = read_pixels(path, &info, &error);
    if (!pixels)
        return message_library(&error, path, NULL);
    for (int64_t i = 0; i < info.width * info.height; i++)
        fprintf(out, "%s%.9g", i ? "|" : "", (double)pixels[i * info.format.channels]);
    if (info.width != info.height)
        fprintf(out, ":columns=%lld", (long long)info.width);
    free(pixels);
    return EXIT_DONE;
}

/* The length of a parameter's name behind a slash at text[at], with which its value begins; 0 for none. */
static size_t name_at(const char *text, size_t length, size_t at) {
    size_t end = at + 1;
    if (at == 0 || at >= length || text[at] != '/' || (text[at - 1] != '=' && text[at - 1] != ':'))
        return 0;
    while (end < length && (isalnum((unsigned char)text[end]) || text[end] == '_'))
        end++;
    return end < length && text[end] == '=' ? end - at - 1 : 0;
}

/* Writes one parameter, whose slash is at *at, and moves there behind it. */
static int write_parameter(FILE *out, const char *text, size_t length, size_t name, size_t *at) {
    size_t from = *at + name + 2, end = from;
    bool quoted = from < length && text[from] == '\'';
    from += quoted, end = from;
    while (end < length && !(quoted ? text[end] == '\'' : strchr(":,;[] \t\r\n", text[end]) != NULL))
        end++;
    char *path = strndup(text + from, end - from);
    fwrite(text + *at + 1, 1, name + 1, out);
    int status = path ? write_numbers(out, path) : message_unable("not enough memory");
    free(path);
    *at = end + (quoted && end < length);
    return status;
}

int lists_write(const char *text, size_t length, char **written, size_t *size) {
    bool any = false;
    *written = NULL;
    for (size_t i = 0; i < length; i++)
        any = any || name_at(text, length, i) > 0;
    if (!any)
        return EXIT_DONE;
    FILE *out = open_memstream(written, size);
    int status = out ? EXIT_DONE : message_unable("not enough memory");
    for (size_t at = 0; status == EXIT_DONE && at < length;) {
        size_t name = name_at(text, length, at);
        if (name > 0)
            status = write_parameter(out, text, length, name, &at);
        else
            fputc(text[at++], out);
    }
    bool failed = out && ferror(out);
    if (out && fclose(out) != 0)
        failed = true;
    return status == EXIT_DONE && failed ? message_unable("not enough memory") : status;
}
