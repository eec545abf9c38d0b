/* SPDX-License-Identifier: MIT
 * A fuzz target: graph text. What parses is planned on every device that needs no hardware, its plans are printed, and
 * small ones are run. The first byte picks the inputs' format, the rest is the text. */
#include <stdlib.h>
#include <string.h>
#include "weft/weft.h"

#define SMALL 100000 /* bytes that a plan may read and write to be run */
#define INPUTS 4

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(bool condition) {
    if (!condition)
        abort();
}

/* An error says what and where, in the words that messages are made of. */
static void check_error(const weft_error *error, weft_status status, size_t length) {
    require(error->status == status && status != WEFT_ERROR_INTERNAL && status != WEFT_OK);
    require(memchr(error->message, 0, sizeof error->message) && error->message[0]);
    require(!strpbrk(error->message, "\n\r\x1b"));
    require(error->offset >= -1 && error->length >= 0 &&
            (error->offset < 0 || error->offset + error->length <= (int64_t)length));
}

static void print_plan(const weft_plan *plan) {
    for (int form = WEFT_PLAN_TEXT; form <= WEFT_PLAN_DOT; form++) {
        char *text = NULL;
        require(weft_plan_print(plan, (weft_plan_format)form, &text, NULL) == WEFT_OK && text);
        weft_free(text);
    }
}

/* All pixels have the same bytes: what is looked for is not in them. */
static weft_status fill_rows(void *user, int64_t y, int64_t count, void *rows, ptrdiff_t stride, weft_error *error) {
    (void)error, (void)y;
    for (int64_t i = 0; i < count; i++)
        memset((char *)rows + i * stride, 0x3c, *(const size_t *)user);
    return WEFT_OK;
}

static weft_status drop_rows(void *user, int64_t y, int64_t count, const void *rows, ptrdiff_t stride,
                             weft_error *error) {
    (void)user, (void)y, (void)count, (void)rows, (void)stride, (void)error;
    return WEFT_OK;
}

static void run_plan(const weft_plan *plan, const weft_image_info *info, weft_error *error) {
    enum { OUTPUTS = 16 };
    size_t row = (size_t)info->width * weft_format_size(info->format), sizes[OUTPUTS];
    weft_run_input inputs[INPUTS] = {0};
    weft_run_output outputs[OUTPUTS] = {0};
    weft_run run = {.inputs = inputs,
                    .input_count = weft_plan_input_count(plan),
                    .outputs = outputs,
                    .output_count = weft_plan_output_count(plan)};
    bool ready = run.output_count <= OUTPUTS;
    for (int32_t i = 0; i < run.input_count && ready; i++) {
        inputs[i].source = (weft_source){fill_rows, &row};
        if (!weft_plan_can_stream(plan)) {
            inputs[i] = (weft_run_input){.image = {.info = *info, .stride = (ptrdiff_t)row}};
            inputs[i].image.data = calloc((size_t)info->height, row);
            ready = inputs[i].image.data != NULL;
        }
    }
    for (int32_t i = 0; i < run.output_count && ready; i++) {
        weft_image *image = &outputs[i].image;
        require(weft_plan_output_info(plan, i, &image->info, NULL) == WEFT_OK);
        require(weft_image_size(&image->info, &sizes[i], NULL) == WEFT_OK);
        image->stride = (ptrdiff_t)(sizes[i] / (size_t)image->info.height);
        if (weft_plan_output_is_values(plan, i))
            ready = (image->data = malloc(sizes[i])) != NULL;
        else
            outputs[i].sink.write = drop_rows;
    }
    if (ready) {
        weft_status status = weft_plan_run(plan, &run, error);
        require(status == WEFT_OK || status == WEFT_ERROR_MEMORY);
    }
    for (int32_t i = 0; i < run.input_count; i++)
        free(inputs[i].image.data);
    for (int32_t i = 0; i < run.output_count && i < OUTPUTS; i++)
        free(outputs[i].image.data);
}

static void try_device(const char *name, const weft_graph *graph, const weft_image_info *info, size_t length) {
    weft_device *device = NULL;
    weft_plan *plan = NULL;
    weft_error error = {0};
    weft_image_info infos[INPUTS];
    weft_device_options few = {.threads = 2};
    for (int i = 0; i < INPUTS; i++)
        infos[i] = *info;
    weft_plan_options options = {.inputs = infos, .input_count = weft_graph_inputs(graph)};
    require(weft_device_open(name, &few, &device, &error) == WEFT_OK);
    weft_status status = weft_plan_create(device, graph, &options, &plan, &error);
    if (status != WEFT_OK) {
        check_error(&error, status, length);
    } else {
        print_plan(plan);
        if (strcmp(name, "cpu") == 0 && weft_plan_bytes(plan) <= SMALL && weft_plan_workspace_size(plan) <= 10 * SMALL)
            run_plan(plan, info, &error);
    }
    weft_plan_destroy(&plan);
    weft_device_close(&device);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    static const weft_type types[] = {WEFT_U8, WEFT_U16, WEFT_F16, WEFT_F32};
    weft_graph *graph = NULL;
    weft_error error = {0};
    if (size < 1)
        return 0;
    size_t length = size - 1;
    weft_image_info info = {.width = 23, .height = 11, .format = {types[bytes[0] & 3], 1 + (bytes[0] >> 2 & 3)}};
    info.alpha = info.format.channels % 2 ? WEFT_ALPHA_NONE : (weft_alpha)((bytes[0] >> 4) % 3);
    /* Of its very length, so that reading past the end is seen; the text need not end in 0. */
    char *text = malloc(length ? length : 1);
    if (!text)
        return 0;
    memcpy(text, bytes + 1, length);
    weft_status status = weft_graph_parse(text, length, &graph, &error);
    free(text);
    if (status != WEFT_OK) {
        require(!graph);
        check_error(&error, status, length);
    } else if (weft_graph_inputs(graph) <= INPUTS) {
        try_device("null", graph, &info, length);
        try_device("cpu", graph, &info, length);
    }
    weft_graph_destroy(&graph);
    return 0;
}
