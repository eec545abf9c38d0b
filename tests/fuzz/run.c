/* SPDX-License-Identifier: MIT
 * Runs a plan into new pictures: from images or streams, in a workspace of exactly the stated size. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "graphs.h"

#define TAIL 64 /* bytes behind the workspace that must stay as they are */

/* An image as a stream, which looks at how it is called. */
struct stream {
    const struct picture *picture;
    int64_t next;
};

static weft_status stream_row(struct stream *s, int64_t y, int64_t count, weft_error *error) {
    bool good = y == s->next && count > 0 && y + count <= s->picture->image.info.height;
    s->next = y + count;
    if (!good && error) {
        error->status = WEFT_ERROR_FILE;
        snprintf(error->message, sizeof error->message, "a stream was asked for rows %lld+%lld, row %lld being next",
                 (long long)y, (long long)count, (long long)(s->next - count));
    }
    return good ? WEFT_OK : WEFT_ERROR_FILE;
}

static weft_status stream_read(void *user, int64_t y, int64_t count, void *rows, ptrdiff_t stride, weft_error *error) {
    struct stream *s = user;
    const weft_image *image = &s->picture->image;
    weft_status status = stream_row(s, y, count, error);
    for (int64_t i = 0; i < count && status == WEFT_OK; i++)
        memcpy((char *)rows + i * stride, (const char *)image->data + (y + i) * image->stride,
               (size_t)image->info.width * weft_format_size(image->info.format));
    return status;
}

static weft_status stream_write(void *user, int64_t y, int64_t count, const void *rows, ptrdiff_t stride,
                                weft_error *error) {
    struct stream *s = user;
    const weft_image *image = &s->picture->image;
    weft_status status = stream_row(s, y, count, error);
    for (int64_t i = 0; i < count && status == WEFT_OK; i++)
        memcpy((char *)image->data + (y + i) * image->stride, (const char *)rows + i * stride,
               (size_t)image->info.width * weft_format_size(image->info.format));
    return status;
}

weft_plan *make_plan(weft_device *device, const struct graph *g, const weft_image_info *inputs, const weft_type *types,
                     weft_error *error) {
    weft_plan *plan = NULL;
    weft_graph *graph = build_graph(g, g->count, g->outputs, g->output_count, error);
    weft_plan_options options = {
        .inputs = inputs, .input_count = g->input_count, .output_types = types, .output_type_count = g->output_count};
    if (graph)
        weft_plan_create(device, graph, &options, &plan, error);
    weft_graph_destroy(&graph);
    return plan;
}

bool run_plan(const weft_plan *plan, const struct picture *inputs, struct picture *outputs, const struct manner *manner,
              struct chance *chance, weft_error *error) {
    weft_run_input run_inputs[FED] = {0};
    weft_run_output run_outputs[OUTPUTS] = {0};
    struct stream streams[FED + OUTPUTS] = {{0}};
    weft_run run = {.inputs = run_inputs,
                    .input_count = weft_plan_input_count(plan),
                    .outputs = run_outputs,
                    .output_count = weft_plan_output_count(plan)};
    weft_parameters *parameters = NULL;
    void *memory = NULL;
    size_t size = weft_plan_workspace_size(plan);
    bool ok = true;
    for (int32_t i = 0; i < run.input_count; i++) {
        run_inputs[i].image = inputs[i].image;
        streams[i].picture = &inputs[i];
        if (manner->sources && chance_below(chance, 3) > 0)
            run_inputs[i].source = (weft_source){stream_read, &streams[i]};
    }
    for (int32_t i = 0; i < run.output_count && ok; i++) {
        weft_image_info info;
        ok = weft_plan_output_info(plan, i, &info, error) == WEFT_OK &&
             picture_create(&info, manner->plain, chance, &outputs[i]);
        run_outputs[i].image = outputs[i].image;
        streams[FED + i].picture = &outputs[i];
        if (manner->sinks && chance_below(chance, 3) > 0)
            run_outputs[i].sink = (weft_sink){stream_write, &streams[FED + i]};
    }
    if (ok && manner->workspace) {
        ok = posix_memalign(&memory, 64, size + TAIL) == 0;
        if (ok)
            memset(memory, manner->fill, size + TAIL);
        run.workspace = memory, run.workspace_size = size;
    }
    if (ok && manner->parameters)
        ok = weft_parameters_create(plan, &parameters, error) == WEFT_OK;
    run.parameters = parameters;
    ok = ok && weft_plan_run(plan, &run, error) == WEFT_OK;
    for (int32_t i = 0; i < run.input_count + run.output_count && ok; i++) {
        const struct stream *s = &streams[i < run.input_count ? i : FED + i - run.input_count];
        bool used = i < run.input_count ? run_inputs[i].source.read != NULL
                                        : run_outputs[i - run.input_count].sink.write != NULL;
        if (used && s->next != s->picture->image.info.height) {
            snprintf(error->message, sizeof error->message, "stream %d ended at row %lld", (int)i, (long long)s->next);
            ok = false;
        }
    }
    for (size_t i = 0; memory && i < TAIL && ok; i++)
        if (((unsigned char *)memory)[size + i] != (unsigned char)manner->fill) {
            snprintf(error->message, sizeof error->message, "wrote past the end of its workspace");
            ok = false;
        }
    for (int32_t i = 0; i < run.output_count && ok; i++)
        if (picture_damage(&outputs[i]) > 0) {
            snprintf(error->message, sizeof error->message, "output %d: guard bytes overwritten", (int)i);
            ok = false;
        }
    weft_parameters_destroy(&parameters);
    free(memory);
    return ok;
}
