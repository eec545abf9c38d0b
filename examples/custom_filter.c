/* SPDX-License-Identifier: MIT
 * custom_filter IN GRAPH OUT: like `weft run`, with two filters more that this program brings: my_scanlines, which darkens
 * every so many rows, and my_relief, which looks at the neighbors on a diagonal. They fuse with weft's own.
 *
 *     custom_filter photo.jpg 'gaussian=1,my_relief=1.5,my_scanlines=period=4:amount=0.6' out.png */
#include <stdio.h>
#include <string.h>
#include "weft/weft.h"

/* ---- my_scanlines: a point filter, all channels at a time */

struct scanlines {
    int32_t period;
    float amount;
};

static const weft_custom_parameter scanlines_parameters[] = {
    {{.name = "period", .type = WEFT_PARAMETER_INT, .minimum = 2, .maximum = 64, .defaults = {3}, .unit = "px",
      .doc = "rows from one dark row to the next", .dynamic = true},
     offsetof(struct scanlines, period)},
    {{.name = "amount", .type = WEFT_PARAMETER_FLOAT, .minimum = 0, .maximum = 1, .defaults = {0.5},
      .doc = "0 keeps the image, 1 makes dark rows black", .dynamic = true},
     offsetof(struct scanlines, amount)},
};

static void scanlines(const weft_custom_pixels *row) {
    const struct scanlines *p = row->parameters;
    float factor = row->y % p->period == 0 ? 1.0f - p->amount : 1.0f;
    for (int32_t k = 0; k < row->colors; k++)
        for (int32_t i = 0; i < row->count; i++)
            row->out[k][i] = row->in[0][k][i] * factor;
    if (row->alpha)
        memcpy(row->out[3], row->in[0][3], (size_t)row->count * sizeof(float));
}

/* ---- my_relief: a stencil, one channel at a time */

struct relief {
    float strength;
};

static const weft_custom_parameter relief_parameters[] = {
    {{.name = "strength", .type = WEFT_PARAMETER_FLOAT, .minimum = 0, .maximum = 10, .defaults = {1},
      .doc = "how steep the relief is", .dynamic = true},
     offsetof(struct relief, strength)},
};

static void relief(const weft_custom_around *row) {
    const struct relief *p = row->parameters;
    const float *above = row->rows[0], *here = row->rows[1], *below = row->rows[2];
    for (int32_t i = 0; i < row->count; i++)
        row->out[i] = here[i] + p->strength * (below[i + 1] - above[i - 1]);
}

static weft_status add_filters(weft_catalog *catalog, weft_error *error) {
    static const weft_custom_filter filters[] = {
        {.name = "my_scanlines",
         .summary = "Darken every so many rows",
         .parameters = scanlines_parameters,
         .parameter_count = 2,
         .parameter_size = sizeof(struct scanlines),
         .pixels = scanlines},
        {.name = "my_relief",
         .summary = "A relief, lit from above and left",
         .parameters = relief_parameters,
         .parameter_count = 1,
         .parameter_size = sizeof(struct relief),
         .around = relief,
         .radius = 1},
    };
    weft_status status = WEFT_OK;
    for (size_t i = 0; status == WEFT_OK && i < sizeof filters / sizeof *filters; i++)
        status = weft_catalog_add(catalog, &filters[i], error);
    return status;
}

int main(int argc, char **argv) {
    weft_catalog *catalog = NULL;
    weft_reader *reader = NULL;
    weft_graph *graph = NULL;
    weft_device *device = NULL;
    weft_plan *plan = NULL;
    weft_writer *writer = NULL;
    weft_error error = {.message = "usage: custom_filter IN GRAPH OUT"};
    weft_image_info result;

    bool done = argc == 4 && weft_catalog_create(&catalog, &error) == WEFT_OK &&
                add_filters(catalog, &error) == WEFT_OK &&
                weft_catalog_parse(catalog, argv[2], strlen(argv[2]), &graph, &error) == WEFT_OK &&
                weft_reader_open(argv[1], NULL, &reader, &error) == WEFT_OK &&
                weft_device_open("auto", NULL, &device, &error) == WEFT_OK;
    weft_plan_options options = {.inputs = done ? weft_reader_info(reader) : NULL, .input_count = 1};
    done = done && weft_plan_create(device, graph, &options, &plan, &error) == WEFT_OK &&
           weft_plan_output_info(plan, 0, &result, &error) == WEFT_OK &&
           weft_writer_open(argv[3], NULL, &result, &writer, &error) == WEFT_OK;
    weft_run_input input = {.source = done ? weft_reader_source(reader) : (weft_source){0}};
    weft_run_output output = {.sink = done ? weft_writer_sink(writer) : (weft_sink){0}};
    weft_run run = {.inputs = &input, .input_count = 1, .outputs = &output, .output_count = 1};
    done = done && weft_plan_run(plan, &run, &error) == WEFT_OK && weft_writer_finish(&writer, &error) == WEFT_OK;
    if (!done)
        fprintf(stderr, "%s\n", error.message);

    weft_writer_abandon(&writer);
    weft_plan_destroy(&plan);
    weft_device_close(&device);
    weft_graph_destroy(&graph);
    weft_reader_close(&reader);
    weft_catalog_destroy(&catalog);
    return done ? 0 : 1;
}
