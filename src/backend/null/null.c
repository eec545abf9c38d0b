/* SPDX-License-Identifier: MIT
 * The null backend: plans everything and runs nothing; its outputs are zeros. Tests of graphs, plans and the front door
 * try it first. */
#include <string.h>
#include "backend/backend.h"
#include "backend/stateless_device.h"
#include "base/memory.h"
#include "base/status.h"

extern const struct weft_backend weft_backend_null;

static bool at(int32_t index, weft_device_info *info) {
    return weft_stateless_at(index, "null", "no device", "plans and checks, computes nothing", info);
}

static weft_status open_device(const char *name, const weft_device_options *options, weft_device **device,
                               weft_error *error) {
    (void)name, (void)options;
    return weft_stateless_open(&weft_backend_null, device, error);
}

static weft_status compile(weft_device *device, const struct weft_typed_graph *typed, void **compiled,
                           weft_error *error) {
    (void)device, (void)error;
    *compiled = (void *)(uintptr_t)typed; /* outlives the plan, and only read */
    return WEFT_OK;
}

static int32_t passes(const void *compiled) {
    (void)compiled;
    return 0;
}

static bool can_stream(const void *compiled) {
    (void)compiled;
    return true;
}

static weft_status print(const void *compiled, weft_plan_format format, char **text, weft_error *error) {
    static const char *const texts[] = {[WEFT_PLAN_TEXT] = "null: nothing is run\n",
                                        [WEFT_PLAN_JSON] = "{\"backend\": \"null\", \"passes\": []}\n",
                                        [WEFT_PLAN_EXPLAIN] = "null: nothing is run\n",
                                        [WEFT_PLAN_DOT] = "digraph plan {\n}\n"};
    (void)compiled;
    *text = weft_duplicate_text(texts[format], strlen(texts[format]));
    return *text ? WEFT_OK : weft_fail_memory(error, strlen(texts[format]) + 1, "the plan's description");
}

static weft_status clear(const weft_run_output *output, size_t row_size, int64_t height, weft_error *error) {
    unsigned char *zeros = output->sink.write ? weft_allocate(row_size, 1) : NULL;
    weft_status status = WEFT_OK;
    if (output->sink.write && !zeros)
        return weft_fail_memory(error, row_size, "a row of a stream");
    for (int64_t y = 0; y < height && status == WEFT_OK; y++)
        if (zeros)
            status = output->sink.write(output->sink.user, y, 1, zeros, (ptrdiff_t)row_size, error);
        else
            memset((unsigned char *)output->image.data + (ptrdiff_t)y * output->image.stride, 0, row_size);
    weft_free(zeros);
    return status;
}

static weft_status run(const void *compiled, const struct weft_run_request *request, weft_error *error) {
    const struct weft_typed_graph *typed = compiled;
    weft_status status = WEFT_OK;
    for (int32_t i = 0; i < typed->graph->output_count && status == WEFT_OK; i++) {
        weft_image_info info = typed->info[typed->graph->outputs[i]];
        info.format.type = typed->output_types[i];
        status = clear(&request->outputs[i], (size_t)info.width * weft_format_size(info.format), info.height, error);
    }
    if (status == WEFT_OK && request->progress && !request->progress(request->progress_user, 1))
        status = weft_fail(error, WEFT_ERROR_CANCELLED, "cancelled");
    return status;
}

const struct weft_backend weft_backend_null = {.name = "null",
                                               .forks = true,
                                               .at = at,
                                               .open = open_device,
                                               .close = weft_stateless_close,
                                               .describe = weft_stateless_describe,
                                               .compile = compile,
                                               .destroy = weft_stateless_destroy,
                                               .workspace_size = weft_stateless_workspace_size,
                                               .passes = passes,
                                               .can_stream = can_stream,
                                               .print = print,
                                               .run = run};
