/* SPDX-License-Identifier: MIT
 * Filters of the program's own: known answers, the CPU against the reference, and each way to describe one wrongly. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "check.h"
#include "custom_filters.h"
#include "weft/weft.h"

static weft_catalog *catalog;
static float less = 0.125f;

/* Runs graph text on pixels of one format; the result has the same component type and is to be freed. */
static void *run(const char *device_name, const char *text, const weft_image_info *info, void *const *pixels,
                 int32_t inputs, weft_image_info *result, weft_error *error) {
    weft_graph *graph = NULL;
    weft_device *device = NULL;
    weft_plan *plan = NULL;
    weft_image_info infos[2] = {*info, *info};
    weft_run_input in[2] = {0};
    weft_run_output out = {0};
    weft_plan_options options = {.inputs = infos, .input_count = inputs};
    weft_run call = {.inputs = in, .input_count = inputs, .outputs = &out, .output_count = 1};
    size_t size = 0;
    for (int32_t i = 0; i < inputs; i++)
        in[i].image = (weft_image){.info = *info,
                                   .data = pixels[i],
                                   .stride = (ptrdiff_t)(info->width * (int64_t)weft_format_size(info->format))};
    bool good = weft_catalog_parse(catalog, text, strlen(text), &graph, error) == WEFT_OK &&
                weft_device_open(device_name, &(weft_device_options){.threads = 2}, &device, error) == WEFT_OK &&
                weft_plan_create(device, graph, &options, &plan, error) == WEFT_OK &&
                weft_plan_output_info(plan, 0, result, error) == WEFT_OK &&
                weft_image_size(result, &size, error) == WEFT_OK;
    if (good)
        out.image = (weft_image){
            .info = *result, .data = malloc(size), .stride = (ptrdiff_t)(size / (size_t)result->height)};
    good = good && weft_plan_run(plan, &call, error) == WEFT_OK;
    if (!good) {
        free(out.image.data);
        out.image.data = NULL;
    }
    weft_plan_destroy(&plan);
    weft_device_close(&device);
    weft_graph_destroy(&graph);
    return out.image.data;
}

static void check_known(const char *device) {
    uint8_t pixels[] = {10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120}, other[12] = {0};
    weft_image_info info = {.width = 2, .height = 2, .format = {WEFT_U8, 3}}, result;
    weft_error error = {.message = ""};
    uint8_t *out = run(device, "swap_ends", &info, (void *[]){pixels}, 1, &result, &error);
    CHECK(out && memcmp(out, (uint8_t[]){30, 20, 10, 60, 50, 40, 90, 80, 70, 120, 110, 100}, 12) == 0);
    free(out);
    out = run(device, "swap_ends=scale=2:places=diagonal,invert", &info, (void *[]){pixels}, 1, &result, &error);
    CHECK(out && memcmp(out, (uint8_t[]){0, 0, 0, 135, 155, 175, 75, 95, 115, 0, 0, 0}, 12) == 0);
    free(out);
    out = run(device, "swap_ends=color=#ff0000", &info, (void *[]){other}, 1, &result, &error);
    CHECK(out && memcmp(out, (uint8_t[]){255, 0, 0, 255, 0, 0}, 6) == 0);
    free(out);
    /* |10 - 0| / 255 - 0.125 is below 0; a result of one color */
    out = run(device, "[0][1]distance_less", &info, (void *[]){pixels, other}, 2, &result, &error);
    CHECK(out && result.format.channels == 1 && memcmp(out, (uint8_t[]){0, 8, 38, 68}, 4) == 0);
    free(out);
}

/* One of weft's numbers is the custom filter's parameter: the mean of a flat image is its level. */
static void check_bound(const char *device) {
    uint8_t pixels[12];
    weft_image_info info = {.width = 2, .height = 2, .format = {WEFT_U8, 3}}, result;
    weft_error error = {.message = ""};
    memset(pixels, 51, sizeof pixels);
    uint8_t *out =
        run(device, "[0]grayscale,reduce=mean[m];[0]swap_ends=@m*2", &info, (void *[]){pixels}, 1, &result, &error);
    CHECK(out && out[0] == 20); /* 0.2 * 0.4 of 255 */
    free(out);
}

static float component(const void *pixels, weft_type type, size_t i) {
    return type == WEFT_U8 ? (float)((const uint8_t *)pixels)[i] / 255.0f : ((const float *)pixels)[i];
}

static void check_against_reference(void) {
    static const char *const graphs[] = {"slope",
                                         "slope=gain=-0.3:border=wrap",
                                         "slope=border=constant:border_value=0.7",
                                         "slope=border=shrink,swap_ends=0.5",
                                         "swap_ends=1.25:diagonal,gaussian=2,slope=border=symmetric",
                                         "gaussian=1.3,slope=border=replicate:space=linear,contrast=1.5",
                                         "luminance_slope,swap_ends"};
    static const int64_t sizes[][2] = {{1, 1}, {3, 2}, {67, 31}, {1500, 5}};
    for (size_t g = 0; g < sizeof graphs / sizeof *graphs; g++)
        for (size_t s = 0; s < 4; s++)
            for (int32_t form = 0; form < 8; form++) {
                weft_type type = form % 2 ? WEFT_F32 : WEFT_U8;
                weft_image_info info = {
                    .width = sizes[s][0], .height = sizes[s][1], .format = {type, form / 2 + 1}}, result[2];
                info.alpha = info.format.channels % 2 ? WEFT_ALPHA_NONE : WEFT_ALPHA_STRAIGHT;
                size_t size = 0, wrong = 0;
                weft_error error = {.message = ""};
                CHECK(weft_image_size(&info, &size, &error) == WEFT_OK);
                unsigned char *pixels = malloc(size);
                if (!CHECK(pixels))
                    return;
                uint32_t state = 7 + (uint32_t)form;
                for (size_t i = 0; i < size / weft_type_size(type); i++) {
                    /* Alpha is at least a half, so that the slope's is not next to nothing: colors are divided by it. */
                    bool alpha = info.alpha && (i + 1) % (size_t)info.format.channels == 0;
                    state = state * 1664525u + 1013904223u;
                    uint32_t level = alpha ? state | 0x80000000u : state;
                    if (type == WEFT_U8)
                        pixels[i] = (unsigned char)(level >> 24);
                    else
                        ((float *)(void *)pixels)[i] = (float)(level >> 8) / 16777216.0f;
                }
                void *out = run("cpu", graphs[g], &info, (void *[]){pixels}, 1, &result[0], &error);
                void *truth = run("reference", graphs[g], &info, (void *[]){pixels}, 1, &result[1], &error);
                float bound = type == WEFT_U8 ? 1.01f / 255.0f : 2e-5f;
                if (CHECK(out && truth && result[0].format.channels == result[1].format.channels)) {
                    CHECK(weft_image_size(&result[0], &size, &error) == WEFT_OK);
                    for (size_t i = 0; i < size / weft_type_size(type); i++)
                        wrong += !(fabsf(component(out, type, i) - component(truth, type, i)) <= bound);
                } else {
                    fprintf(stderr, "%s: %s\n", graphs[g], error.message);
                }
                if (!CHECK(wrong == 0))
                    fprintf(stderr, "%s, %dx%d, form %d: %zu pixels differ\n", graphs[g], (int)info.width, (int)info.height,
                            (int)form, wrong);
                free(out), free(truth), free(pixels);
            }
}

static void check_planning(void) {
    weft_graph *graph = NULL;
    weft_device *device = NULL;
    weft_plan *plan = NULL;
    weft_parameters *parameters = NULL;
    weft_error error = {.message = ""};
    weft_node node, added;
    weft_image_info info = {.width = 40, .height = 30, .format = {WEFT_U8, 3}};
    weft_plan_options options = {.inputs = &info, .input_count = 1};
    CHECK(weft_catalog_graph(catalog, &graph, &error) == WEFT_OK);
    CHECK(weft_graph_input(graph, &node, &error) == WEFT_OK);
    CHECK(weft_graph_add(graph, "gaussian", &node, 1, &node, &error) == WEFT_OK);
    weft_value values[] = {{.parameter = "scale", .numbers = (double[]){0.5}, .count = 1}};
    CHECK(weft_graph_add_with(graph, "swap_ends", &node, 1, values, 1, &added, &error) == WEFT_OK);
    CHECK(weft_graph_output(graph, added, &error) == WEFT_OK);
    CHECK(weft_device_open("cpu", NULL, &device, &error) == WEFT_OK);
    CHECK(weft_plan_create(device, graph, &options, &plan, &error) == WEFT_OK);
    CHECK(plan && weft_plan_passes(plan) == 1); /* it joins its neighbor's pass */
    CHECK(weft_parameters_create(plan, &parameters, &error) == WEFT_OK);
    CHECK(weft_parameters_set(parameters, added, "scale", (double[]){1.5}, 1, &error) == WEFT_OK);
    CHECK(weft_parameters_set(parameters, added, "scale", (double[]){2.5}, 1, &error) == WEFT_ERROR_PARAMETER);
    CHECK(weft_parameters_set(parameters, added, "places", (double[]){1}, 1, &error) == WEFT_ERROR_PARAMETER);
    weft_parameters_destroy(&parameters);
    weft_plan_destroy(&plan);
    /* A failed value leaves the graph as it was. */
    weft_node before = added, failed = -7;
    values[0].numbers = (double[]){3};
    CHECK(weft_graph_add_with(graph, "swap_ends", &node, 1, values, 1, &failed, &error) == WEFT_ERROR_PARAMETER);
    CHECK(failed == -7 && !strcmp(error.filter, "swap_ends") && !strcmp(error.parameter, "scale"));
    CHECK(weft_graph_add(graph, "invert", &node, 1, &added, &error) == WEFT_OK && added == before + 1);
    weft_graph_destroy(&graph);
    weft_device_close(&device);
    /* Graphs without the catalog do not know its filters; those with it correct typing errors by it. */
    CHECK(weft_graph_parse("swap_ends", 9, &graph, &error) == WEFT_ERROR_GRAPH);
    CHECK(weft_catalog_parse(catalog, "swap_edns", 9, &graph, &error) == WEFT_ERROR_GRAPH);
    CHECK(strstr(error.message, "did you mean 'swap_ends'?") != NULL && error.offset == 0 && error.length == 9);
    CHECK(weft_catalog_parse(catalog, "swap_ends=scala=1", 17, &graph, &error) == WEFT_ERROR_PARAMETER);
    CHECK(strstr(error.message, "did you mean 'scale'?") != NULL);
    const weft_filter_info *found = weft_catalog_find(catalog, "slope");
    CHECK(found && found->parameters == 3 && !strcmp(weft_filter_parameter(found, 0)->default_text, "0.25"));
    CHECK(found && !strcmp(weft_filter_parameter(found, 1)->name, "border"));
    CHECK(weft_catalog_find(catalog, "gaussian") == weft_filter_find("gaussian"));
    CHECK(!weft_catalog_find(catalog, "no_such"));
}

/* On GPUs a clear refusal; auto runs it on the CPU. */
static void check_devices(void) {
    weft_device_info device;
    weft_error error = {.message = ""};
    uint8_t pixels[12] = {0};
    weft_image_info info = {.width = 2, .height = 2, .format = {WEFT_U8, 3}}, result;
    uint8_t *out = run("auto", "swap_ends", &info, (void *[]){pixels}, 1, &result, &error);
    CHECK(out);
    free(out);
    for (int32_t i = 0; weft_device_at(i, &device); i++) {
        if (!device.available || !(strcmp(device.backend, "vulkan") == 0 || strcmp(device.backend, "cuda") == 0))
            continue;
        out = run(device.backend, "gaussian=2,swap_ends", &info, (void *[]){pixels}, 1, &result, &error);
        CHECK(!out && error.status == WEFT_ERROR_UNSUPPORTED && !strcmp(error.filter, "swap_ends"));
        CHECK(strstr(error.message, "cpu or auto") != NULL && error.offset == 11);
        free(out);
        break;
    }
}

#define REFUSED(words, ...)                                                                                            \
    do {                                                                                                               \
        weft_custom_filter wrong = swap_filter;                                                                        \
        weft_custom_parameter list[2] = {swap_parameters[0], swap_parameters[1]};                                      \
        weft_error error = {.message = ""};                                                                            \
        wrong.name = "wrong", wrong.parameters = list, wrong.parameter_count = 2;                                      \
        __VA_ARGS__;                                                                                                   \
        CHECK(weft_catalog_add(catalog, &wrong, &error) == WEFT_ERROR_ARGUMENT);                                       \
        if (!CHECK(strstr(error.message, words) != NULL))                                                              \
            fprintf(stderr, "%s\n", error.message);                                                                    \
        CHECK(!weft_catalog_find(catalog, "wrong"));                                                                   \
    } while (0)

static void check_refusals(void) {
    REFUSED("small letters", wrong.name = NULL);
    REFUSED("small letters", wrong.name = "Wrong");
    REFUSED("small letters", wrong.name = "1wrong");
    REFUSED("already", wrong.name = "gaussian");
    REFUSED("already", wrong.name = "gblur");
    REFUSED("already", wrong.name = "swap_ends");
    REFUSED("something else", wrong.name = "split");
    REFUSED("one function", wrong.pixels = NULL);
    REFUSED("one function", wrong.around = slope_row);
    REFUSED("1 or 2 inputs", wrong.inputs = 3);
    REFUSED("1 or 2 inputs", wrong.inputs = -1);
    REFUSED("radius", wrong.radius = 1);
    REFUSED("radius of 1 to 3", wrong.pixels = NULL; wrong.pixel = NULL; wrong.around = slope_row; wrong.radius = 4);
    REFUSED("unknown channels", wrong.channels = (weft_custom_channels)9);
    REFUSED("0 to 256", wrong.parameters = NULL);
    REFUSED("0 to 256", wrong.parameter_count = -1);
    REFUSED("at most 65536", wrong.parameter_size = SIZE_MAX);
    REFUSED("inside parameter_size", list[1].offset = SIZE_MAX - 3);
    REFUSED("inside parameter_size", list[1].offset = sizeof(struct swap));
    REFUSED("inside parameter_size", list[1].offset = 5);
    REFUSED("lies on another", list[1].offset = 0);
    REFUSED("twice", list[1].info.name = "scale");
    REFUSED("not named", list[1].info.name = "");
    REFUSED("weft adds", list[1].info.name = "space");
    REFUSED("must be a FLOAT", list[0].info.type = WEFT_PARAMETER_LIST);
    REFUSED("finite", list[0].info.maximum = (double)NAN);
    REFUSED("finite", list[0].info.minimum = 3);
    REFUSED("default", list[0].info.defaults[0] = 3);
    REFUSED("default", list[0].info.defaults[0] = (double)NAN);
    REFUSED("needs choices", list[1].info.choices = "one||two");
    REFUSED("needs choices", list[1].info.choices = NULL);
    REFUSED("needs choices", list[1].info.choices = "a|b c");
    REFUSED("default", list[1].info.defaults[0] = 2);
    weft_error error;
    CHECK(weft_catalog_add(NULL, &swap_filter, &error) == WEFT_ERROR_ARGUMENT);
    CHECK(weft_catalog_add(catalog, NULL, &error) == WEFT_ERROR_ARGUMENT);
    CHECK(weft_catalog_create(NULL, &error) == WEFT_ERROR_ARGUMENT);
    CHECK(weft_graph_add_with(NULL, "invert", NULL, 0, NULL, 1, NULL, &error) == WEFT_ERROR_ARGUMENT);
}

/* A flattened graph keeps the filters of the program that it has, and knows their names, when all else is gone. */
static void check_flattened(void) {
    const weft_image_info info = {.width = 2, .height = 2, .format = {WEFT_U8, 3}};
    weft_catalog *own = NULL;
    weft_graph *graph = NULL, *flat = NULL;
    weft_node node;
    CHECK(weft_catalog_create(&own, NULL) == WEFT_OK && weft_catalog_add(own, &swap_filter, NULL) == WEFT_OK &&
          weft_catalog_parse(own, "swap_ends", 9, &graph, NULL) == WEFT_OK &&
          weft_graph_flatten(graph, &info, 1, &flat, NULL) == WEFT_OK);
    weft_graph_destroy(&graph);
    weft_catalog_destroy(&own);
    CHECK(strcmp(weft_graph_node_filter(flat, 1)->name, "swap_ends") == 0);
    CHECK(weft_graph_add(flat, "swap_ends", &(weft_node){1}, 1, &node, NULL) == WEFT_OK);
    weft_graph_destroy(&flat);
}

int main(void) {
    weft_error error = {.message = ""};
    weft_custom_filter luminance = slope_filter, distance = {.name = "distance_less", .pixels = difference_row,
                                                             .inputs = 2, .channels = WEFT_CUSTOM_GREY, .user = &less};
    luminance.name = "luminance_slope", luminance.luminance = true;
    CHECK(weft_catalog_create(&catalog, &error) == WEFT_OK);
    CHECK(weft_catalog_add(catalog, &swap_filter, &error) == WEFT_OK);
    CHECK(weft_catalog_add(catalog, &slope_filter, &error) == WEFT_OK);
    CHECK(weft_catalog_add(catalog, &luminance, &error) == WEFT_OK);
    CHECK(weft_catalog_add(catalog, &distance, &error) == WEFT_OK);
    check_known("cpu");
    check_known("reference");
    check_bound("cpu");
    check_bound("reference");
    check_against_reference();
    check_planning();
    check_devices();
    check_refusals();
    check_flattened();
    weft_catalog_destroy(&catalog);
    CHECK(!catalog);
    weft_catalog_destroy(&catalog);
    return check_done("custom");
}
