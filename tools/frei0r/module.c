/* SPDX-License-Identifier: MIT
 * The frei0r module, by which FFmpeg, MLT and GStreamer load weft's filters. A module has one effect, so the same file
 * is installed under many names: weft_gaussian.so is the filter gaussian, weft.so has a graph as its parameter. Numbers
 * with a range go from 0 to 1, as hosts expect; everything else is text as in a graph. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "abi.h"
#include "weft/weft.h"

enum { PARAMETERS = 32, TEXT = 64, WIDEST = 4096 }; /* WIDEST: the widest range that a slider is useful for */

struct instance {
    weft_image_info info;
    weft_device *device;
    weft_plan *plan;
    void *workspace;
    size_t workspace_size;
    char *graph; /* of weft.so */
    double numbers[PARAMETERS][4];
    char *texts[PARAMETERS]; /* NULL: the default */
    bool changed, told;
};

/* The filter that the module's file is named after; NULL for a whole graph. */
static const weft_filter_info *filter_of_file(void) {
    Dl_info place;
    char name[TEXT];
    void *here;
    void (*function)(f0r_plugin_info_t *) = f0r_get_plugin_info;
    memcpy(&here, &function, sizeof here);
    if (!dladdr(here, &place) || !place.dli_fname)
        return NULL;
    const char *slash = strrchr(place.dli_fname, '/'), *base = slash ? slash + 1 : place.dli_fname;
    if (strncmp(base, "weft_", 5) != 0)
        return NULL;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(base + 5, "."), base + 5);
    return weft_filter_find(name);
}

static int count_of(const weft_filter_info *filter) {
    return !filter ? 1 : filter->parameters < PARAMETERS ? filter->parameters : PARAMETERS;
}

static int type_of(const weft_parameter_info *parameter) {
    bool number = parameter->type == WEFT_PARAMETER_FLOAT || parameter->type == WEFT_PARAMETER_INT;
    if (parameter->type == WEFT_PARAMETER_BOOL)
        return F0R_BOOL;
    if (parameter->type == WEFT_PARAMETER_COLOR)
        return F0R_COLOR;
    return number && !parameter->automatic && parameter->maximum - parameter->minimum <= WIDEST ? F0R_DOUBLE
                                                                                                : F0R_STRING;
}

int f0r_init(void) { return 1; }
void f0r_deinit(void) {}

void f0r_get_plugin_info(f0r_plugin_info_t *info) {
    const weft_filter_info *filter = filter_of_file();
    static char names[TEXT + 8]; /* hosts read it while the module is loaded */
    snprintf(names, sizeof names, filter ? "weft %s" : "weft", filter ? filter->name : "");
    *info = (f0r_plugin_info_t){.name = names,
                                .author = "weft",
                                .plugin_type = F0R_TYPE_FILTER,
                                .color_model = F0R_MODEL_RGBA,
                                .frei0r_version = F0R_VERSION,
                                .major_version = 0,
                                .minor_version = 1,
                                .num_params = count_of(filter),
                                .explanation = filter ? filter->summary : "A graph of weft's filters"};
}

void f0r_get_param_info(f0r_param_info_t *info, int index) {
    const weft_filter_info *filter = filter_of_file();
    if (!filter) {
        *info = (f0r_param_info_t){"graph", F0R_STRING, "a graph, as gaussian=4,sobel"};
        return;
    }
    if (index < 0 || index >= count_of(filter))
        return;
    const weft_parameter_info *parameter = weft_filter_parameter(filter, index);
    *info = (f0r_param_info_t){parameter->name, type_of(parameter), parameter->doc};
}

f0r_instance_t f0r_construct(unsigned int width, unsigned int height) {
    const weft_filter_info *filter = filter_of_file();
    struct instance *made = calloc(1, sizeof *made);
    if (!made)
        return NULL;
    made->info =
        (weft_image_info){.width = width, .height = height, .format = {WEFT_U8, 4}, .alpha = WEFT_ALPHA_STRAIGHT};
    made->changed = true;
    for (int i = 0; filter && i < count_of(filter); i++) {
        const weft_parameter_info *parameter = weft_filter_parameter(filter, i);
        int type = type_of(parameter);
        for (int k = 0; k < 4 && type != F0R_STRING; k++)
            made->numbers[i][k] = parameter->defaults[type == F0R_COLOR ? k : 0];
    }
    if (weft_device_open("cpu", NULL, &made->device, NULL) == WEFT_OK)
        return made;
    free(made);
    return NULL;
}

void f0r_destruct(f0r_instance_t handle) {
    struct instance *instance = handle;
    if (!instance)
        return;
    weft_plan_destroy(&instance->plan);
    weft_device_close(&instance->device);
    free(instance->workspace);
    free(instance->graph);
    for (int i = 0; i < PARAMETERS; i++)
        free(instance->texts[i]);
    free(instance);
}

static void set_text(char **text, const char *value) {
    char *copy = strdup(value ? value : "");
    if (copy) {
        free(*text);
        *text = copy;
    }
}

void f0r_set_param_value(f0r_instance_t handle, f0r_param_t value, int index) {
    struct instance *instance = handle;
    const weft_filter_info *filter = filter_of_file();
    if (!value || index < 0 || index >= count_of(filter))
        return;
    instance->changed = true;
    instance->told = false;
    if (!filter) {
        set_text(&instance->graph, *(char **)value);
        return;
    }
    const weft_parameter_info *parameter = weft_filter_parameter(filter, index);
    double *numbers = instance->numbers[index], given = *(const double *)value,
           range = parameter->maximum - parameter->minimum;
    const f0r_param_color_t *color = value;
    switch (type_of(parameter)) {
    case F0R_BOOL:
        numbers[0] = given >= 0.5;
        break;
    case F0R_DOUBLE:
        numbers[0] = parameter->minimum + (given > 0 ? given < 1 ? given : 1 : 0) * range;
        if (parameter->type == WEFT_PARAMETER_INT)
            numbers[0] = floor(numbers[0] + 0.5);
        break;
    case F0R_COLOR:
        numbers[0] = (double)color->r, numbers[1] = (double)color->g, numbers[2] = (double)color->b, numbers[3] = 1;
        break;
    default:
        set_text(&instance->texts[index], *(char **)value);
    }
}

void f0r_get_param_value(f0r_instance_t handle, f0r_param_t value, int index) {
    struct instance *instance = handle;
    const weft_filter_info *filter = filter_of_file();
    if (!value || index < 0 || index >= count_of(filter))
        return;
    if (!filter) {
        *(const char **)value = instance->graph ? instance->graph : "";
        return;
    }
    const weft_parameter_info *parameter = weft_filter_parameter(filter, index);
    const double *numbers = instance->numbers[index], range = parameter->maximum - parameter->minimum;
    switch (type_of(parameter)) {
    case F0R_BOOL:
        *(double *)value = numbers[0];
        break;
    case F0R_DOUBLE:
        *(double *)value = range > 0 ? (numbers[0] - parameter->minimum) / range : 0;
        break;
    case F0R_COLOR:
        *(f0r_param_color_t *)value = (f0r_param_color_t){(float)numbers[0], (float)numbers[1], (float)numbers[2]};
        break;
    default:
        *(const char **)value = instance->texts[index] ? instance->texts[index] : parameter->default_text;
    }
}

/* The filter as a graph of its own. */
static weft_status build(struct instance *instance, const weft_filter_info *filter, weft_graph **graph,
                         weft_error *error) {
    weft_node node = -1;
    weft_status status = weft_graph_create(graph, error);
    if (status == WEFT_OK)
        status = weft_graph_input(*graph, &node, error);
    if (status == WEFT_OK)
        status = weft_graph_add(*graph, filter->name, &node, 1, &node, error);
    for (int i = 0; i < count_of(filter) && status == WEFT_OK; i++) {
        const weft_parameter_info *parameter = weft_filter_parameter(filter, i);
        int type = type_of(parameter);
        if (type != F0R_STRING)
            status =
                weft_graph_set(*graph, node, parameter->name, instance->numbers[i], type == F0R_COLOR ? 4 : 1, error);
        else if (instance->texts[i])
            status = weft_graph_set_text(*graph, node, parameter->name, instance->texts[i], error);
    }
    return status == WEFT_OK ? weft_graph_output(*graph, node, error) : status;
}

static weft_status make_plan(struct instance *instance, weft_error *error) {
    const weft_filter_info *filter = filter_of_file();
    weft_graph *graph = NULL;
    weft_plan_options options = {.inputs = &instance->info, .input_count = 1};
    weft_image_info made = {.width = 0};
    weft_plan_destroy(&instance->plan);
    weft_status status = filter ? build(instance, filter, &graph, error)
                                : weft_graph_parse(instance->graph ? instance->graph : "",
                                                   instance->graph ? strlen(instance->graph) : 0, &graph, error);
    if (status == WEFT_OK)
        status = weft_plan_create(instance->device, graph, &options, &instance->plan, error);
    weft_graph_destroy(&graph);
    if (status == WEFT_OK)
        status = weft_plan_output_info(instance->plan, 0, &made, error);
    if (status != WEFT_OK)
        return status;
    if (weft_plan_output_count(instance->plan) != 1 || weft_plan_output_is_values(instance->plan, 0) ||
        made.width != instance->info.width || made.height != instance->info.height || made.format.type != WEFT_U8) {
        snprintf(error->message, sizeof error->message,
                 "a graph in a frei0r host makes one picture of the input's size");
        return WEFT_ERROR_FORMAT;
    }
    free(instance->workspace);
    instance->workspace_size = (weft_plan_workspace_size(instance->plan) + 127) / 64 * 64;
    instance->workspace = aligned_alloc(64, instance->workspace_size);
    return instance->workspace ? WEFT_OK : WEFT_ERROR_MEMORY;
}

/* Pixels of one, two or three channels, at the end of `pixels`, as four. */
static void widen(unsigned char *pixels, int64_t count, int32_t channels) {
    const unsigned char *from = pixels + count * 4 - count * channels;
    for (int64_t i = 0; i < count && channels < 4; i++, from += channels, pixels += 4) {
        unsigned char r = from[0], g = from[channels > 2 ? 1 : 0], b = from[channels > 2 ? 2 : 0];
        unsigned char a = channels == 2 ? from[1] : 255;
        pixels[0] = r, pixels[1] = g, pixels[2] = b, pixels[3] = a;
    }
}

static weft_status run(struct instance *instance, const uint32_t *in, uint32_t *out, weft_error *error) {
    const weft_image_info *info = &instance->info;
    weft_image_info made;
    weft_status status = WEFT_OK;
    if (instance->changed || !instance->plan)
        status = make_plan(instance, error);
    instance->changed = status != WEFT_OK;
    if (status == WEFT_OK)
        status = weft_plan_output_info(instance->plan, 0, &made, error);
    if (status != WEFT_OK)
        return status;
    int64_t count = info->width * info->height;
    ptrdiff_t stride = (ptrdiff_t)info->width * made.format.channels;
    unsigned char *first = (unsigned char *)out + count * (4 - made.format.channels);
    weft_run_input input = {
        .image = {.info = *info, .data = (void *)(uintptr_t)in, .stride = (ptrdiff_t)info->width * 4}};
    weft_run_output output = {.image = {.info = made, .data = first, .stride = stride}};
    weft_run whole = {.inputs = &input,
                      .input_count = 1,
                      .outputs = &output,
                      .output_count = 1,
                      .workspace = instance->workspace,
                      .workspace_size = instance->workspace_size};
    status = weft_plan_run(instance->plan, &whole, error);
    if (status == WEFT_OK)
        widen((unsigned char *)out, count, made.format.channels);
    return status;
}

void f0r_update(f0r_instance_t handle, double time, const uint32_t *in, uint32_t *out) {
    struct instance *instance = handle;
    weft_error error = {.message = ""};
    const weft_filter_info *filter = filter_of_file();
    (void)time;
    bool empty = !filter && (!instance->graph || !instance->graph[0]);
    if (!empty && run(instance, in, out, &error) == WEFT_OK)
        return;
    if (!empty && !instance->told) /* the interface has no other way to report it */
        fprintf(stderr, "weft: %s\n", error.message);
    instance->told = true;
    memcpy(out, in, (size_t)(instance->info.width * instance->info.height) * 4);
}
