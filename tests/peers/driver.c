/* SPDX-License-Identifier: MIT
 * Graphs on pixels in memory, for Python's ctypes: numbers and pointers, so that Python knows no struct of weft's. */
#include <stdlib.h>
#include <string.h>
#include "weft/weft.h"

__attribute__((visibility("default"))) void *driver_open(const char *device, int32_t threads);
__attribute__((visibility("default"))) void driver_close(void *device);
__attribute__((visibility("default"))) int driver_run(void *device, const char *text, int32_t inputs,
                                                      const int64_t *shapes, void **pixels, int32_t frames, int32_t type,
                                                      int64_t shape[4], void **result, char message[512]);
__attribute__((visibility("default"))) void driver_free(void *memory);

enum { MOST_INPUTS = 4 };

void *driver_open(const char *name, int32_t threads) {
    weft_device *device = NULL;
    weft_device_open(name, &(weft_device_options){.threads = threads}, &device, NULL);
    return device;
}

void driver_close(void *device) {
    weft_device *opened = device;
    weft_device_close(&opened);
}

void driver_free(void *memory) { free(memory); }

static weft_image image_of(const weft_image_info *info, void *pixels) {
    return (weft_image){
        .info = *info, .data = pixels, .stride = (ptrdiff_t)info->width * (ptrdiff_t)weft_format_size(info->format)};
}

/* Each shape is width, height, type, channels and whether the last of them is straight alpha; that of the result, which is the
 * last frame's, is width, height, type and channels. `type` is wanted of it, 0 for the first input's. Of each frame `pixels` has
 * all inputs. */
int driver_run(void *device, const char *text, int32_t inputs, const int64_t *shapes, void **pixels, int32_t frames, int32_t type,
               int64_t shape[4], void **result, char message[512]) {
    weft_graph *graph = NULL;
    weft_plan *plan = NULL;
    weft_state *state = NULL;
    weft_error error = {.message = "too many inputs"};
    weft_image_info infos[MOST_INPUTS], made;
    weft_run_input run_inputs[MOST_INPUTS] = {0};
    weft_run_output output = {0};
    weft_type types[1] = {(weft_type)type};
    size_t size = 0;
    *result = NULL;
    for (int32_t i = 0; i < inputs && inputs <= MOST_INPUTS; i++) {
        const int64_t *s = shapes + (ptrdiff_t)5 * i;
        infos[i] = (weft_image_info){.width = s[0],
                                     .height = s[1],
                                     .format = {(weft_type)s[2], (int32_t)s[3]},
                                     .alpha = s[4] ? WEFT_ALPHA_STRAIGHT : WEFT_ALPHA_NONE};
    }
    weft_plan_options options = {.inputs = infos, .input_count = inputs, .output_types = types, .output_type_count = 1};
    weft_run run = {.inputs = run_inputs, .input_count = inputs, .outputs = &output, .output_count = 1};
    bool good = inputs <= MOST_INPUTS && weft_graph_parse(text, strlen(text), &graph, &error) == WEFT_OK &&
                weft_plan_create(device, graph, &options, &plan, &error) == WEFT_OK &&
                weft_state_create(plan, &state, &error) == WEFT_OK &&
                weft_plan_output_info(plan, 0, &made, &error) == WEFT_OK &&
                weft_image_size(&made, &size, &error) == WEFT_OK;
    if (good) {
        *result = malloc(size);
        output.image = image_of(&made, *result);
        shape[0] = made.width, shape[1] = made.height, shape[2] = made.format.type, shape[3] = made.format.channels;
        run.state = state;
        good = *result != NULL;
    }
    for (int32_t frame = 0; frame < frames && good; frame++) {
        for (int32_t i = 0; i < inputs; i++)
            run_inputs[i].image = image_of(&infos[i], pixels[(ptrdiff_t)frame * inputs + i]);
        good = weft_plan_run(plan, &run, &error) == WEFT_OK;
    }
    if (!good)
        memcpy(message, error.message, sizeof error.message);
    weft_state_destroy(&state);
    weft_plan_destroy(&plan);
    weft_graph_destroy(&graph);
    return good ? 0 : 1;
}
