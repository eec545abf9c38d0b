/* SPDX-License-Identifier: MIT
 * A picture's numbers are the first channel of its pixels, row by row, and where it is not square, columns=WIDTH behind them. */
#include "list_files.h"
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

static int write_numbers(FILE *out, const char *path, bool says_width) {
    weft_image_info info = {0};
    weft_error error = {0};
    float *pixels = read_pixels(path, &info, &error);
    if (!pixels)
        return message_library(&error, path, NULL);
    for (int64_t i = 0; i < info.width * info.height; i++)
        fprintf(out, "%s%.9g", i ? "|" : "", (double)pixels[i * info.format.channels]);
    if (says_width && info.width != info.height)
        fprintf(out, ":columns=%lld", (long long)info.width);
    free(pixels);
    return EXIT_DONE;
}

/* A place in a graph's text, inside the filter that begins at `filter`. Quoted text, characters behind a backslash and comments are
 * skipped. */
struct place {
    const char *text;
    size_t length, at, filter;
    bool begins; /* a parameter, at the place */
};

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

static const weft_parameter_info *parameter_of(const weft_filter_info *filter, const char *name, size_t length) {
    for (int32_t i = 0; filter && i < filter->parameters; i++) {
        const weft_parameter_info *info = weft_filter_parameter(filter, i);
        if (strlen(info->name) == length && strncmp(info->name, name, length) == 0)
            return info;
    }
    return NULL;
}

static const weft_filter_info *filter_at(const struct place *place) {
    char name[64];
    size_t count = 0;
    while (place->filter + count < place->length && is_word(place->text[place->filter + count]))
        count++;
    if (count == 0 || count >= sizeof name)
        return NULL;
    memcpy(name, place->text + place->filter, count);
    name[count] = 0;
    return weft_filter_find(name);
}

/* The length of the name of a list's parameter behind a slash at the place; 0 for none. */
static size_t name_at(const struct place *place) {
    const char *text = place->text;
    size_t at = place->at, end = at + 1;
    if (!place->begins || text[at] != '/')
        return 0;
    while (end < place->length && is_word(text[end]))
        end++;
    if (end >= place->length || text[end] != '=')
        return 0;
    const weft_parameter_info *info = parameter_of(filter_at(place), text + at + 1, end - at - 1);
    return info && info->type == WEFT_PARAMETER_LIST ? end - at - 1 : 0;
}

/* Moves behind what is at the place. */
static void move_on(struct place *place) {
    const char c = place->text[place->at++];
    const bool is_comment = c == '#' && !place->begins; /* at the beginning of a value it is a color */
    place->begins = c == '=' || c == ':';
    if (is_comment) {
        const char *end = memchr(place->text + place->at, '\n', place->length - place->at);
        place->at = end ? (size_t)(end - place->text) : place->length;
    } else if (c == '\\' && place->at < place->length) {
        place->at++;
    } else if (c == '\'') {
        const char *end = memchr(place->text + place->at, c, place->length - place->at);
        place->at = end ? (size_t)(end - place->text) + 1 : place->length;
    }
    if (strchr(",;] \t\r\n", c))
        place->filter = place->at;
}

/* Writes one parameter, and moves behind it. */
static int write_parameter(FILE *out, struct place *place, size_t name) {
    const char *text = place->text;
    size_t from = place->at + name + 2, end = from;
    bool quoted = from < place->length && text[from] == '\'';
    from += quoted, end = from;
    while (end < place->length && !(quoted ? text[end] == '\'' : strchr(":,;[] \t\r\n", text[end]) != NULL))
        end++;
    char *path = malloc(end - from + 1);
    if (path) {
        memcpy(path, text + from, end - from);
        path[end - from] = 0;
    }
    fwrite(text + place->at + 1, 1, name + 1, out);
    int status = path ? write_numbers(out, path, parameter_of(filter_at(place), "columns", 7) != NULL)
                      : message_unable("not enough memory");
    free(path);
    place->at = end + (quoted && end < place->length);
    place->begins = false;
    return status;
}

int lists_write(const char *text, size_t length, char **written, size_t *size) {
    bool any = false;
    *written = NULL;
    for (struct place place = {text, length, 0, 0, false}; place.at < length && !any; move_on(&place))
        any = name_at(&place) > 0;
    if (!any)
        return EXIT_DONE;
    FILE *out = open_memstream(written, size);
    int status = out ? EXIT_DONE : message_unable("not enough memory");
    for (struct place place = {text, length, 0, 0, false}; status == EXIT_DONE && place.at < length;) {
        size_t name = name_at(&place), from = place.at;
        if (name > 0) {
            status = write_parameter(out, &place, name);
        } else {
            move_on(&place);
            fwrite(text + from, 1, place.at - from, out);
        }
    }
    bool failed = out && ferror(out);
    if (out && fclose(out) != 0)
        failed = true;
    return status == EXIT_DONE && failed ? message_unable("not enough memory") : status;
}
