/* SPDX-License-Identifier: MIT
 * Timing a plan on images in the memory of a GPU. Runs are started one after the other and waited for together, as
 * programs do that keep a GPU busy; so are copies, in between, and a run by itself. Each takes the next set of images.
 */
#include <stdlib.h>
#include "common/clock.h"
#include "bench/image_memory.h"
#include "bench/measure.h"
#include "bench/noise_images.h"

enum { MOST_SETS = 4096, MOST_SAMPLES = 4096, FEWEST_SAMPLES = 5, MOST_AT_ONCE = 4096 };

struct bench {
    weft_device *device;
    const weft_plan *plan;
    weft_queue *queue;
    weft_state *state; /* what filters of time keep from run to run; NULL where there are none */
    int inputs, outputs, sets;
    /* Each holds all sets: their images lie below one another. */
    weft_image *in, *out, from, to; /* the last two for copies */
    weft_run_input *run_inputs;
    weft_run_output *run_outputs; /* of the set at hand */
};

static weft_status no_memory(weft_error *error) {
    *error = (weft_error){.status = WEFT_ERROR_MEMORY, .message = "not enough memory", .node = -1, .offset = -1};
    return WEFT_ERROR_MEMORY;
}

static void free_images(struct bench *bench) {
    for (int i = 0; bench->in && i < bench->inputs; i++)
        weft_memory_destroy(bench->device, &bench->in[i]);
    for (int i = 0; bench->out && i < bench->outputs; i++)
        weft_memory_destroy(bench->device, &bench->out[i]);
    weft_memory_destroy(bench->device, &bench->from);
    weft_memory_destroy(bench->device, &bench->to);
}

static weft_status make_image(const struct bench *bench, weft_image_info info, weft_image *image, weft_error *error) {
    info.height *= bench->sets;
    return weft_memory_create(bench->device, &info, image, error);
}

/* An image of as many bytes as a run reads and writes half of: in pixels of 16 bytes, as rows of at most a megabyte. */
static weft_image_info copy_info(const struct bench *bench) {
    const uint64_t pixels = (weft_plan_bytes(bench->plan) / 2 + 15) / 16, rows = pixels / 65536 + 1;
    weft_image_info info = {.width = (int64_t)((pixels + rows - 1) / rows), .height = (int64_t)rows};
    info.format = (weft_format){WEFT_F32, 4};
    info.width += info.width == 0;
    return info;
}

/* Images for so many sets: for runs of the plan, and for copies of as many bytes as they read and write. */
static weft_status make_images(struct bench *bench, weft_error *error) {
    weft_image_info info;
    weft_status status = make_image(bench, copy_info(bench), &bench->from, error);
    if (status == WEFT_OK)
        status = make_image(bench, copy_info(bench), &bench->to, error);
    for (int i = 0; status == WEFT_OK && i < bench->inputs; i++) {
        status = weft_plan_input_info(bench->plan, i, &info, error);
        if (status == WEFT_OK)
            status = make_image(bench, info, &bench->in[i], error);
    }
    for (int i = 0; status == WEFT_OK && i < bench->outputs; i++) {
        status = weft_plan_output_info(bench->plan, i, &info, error);
        if (status == WEFT_OK)
            status = make_image(bench, info, &bench->out[i], error);
    }
    return status;
}

/* As many sets as caches cannot hold, or as the device has memory for. */
static weft_status prepare(struct bench *bench, weft_error *error) {
    uint64_t bytes = weft_plan_bytes(bench->plan), sets = MEASURE_BEYOND_CACHES / (bytes ? bytes : 1) + 1;
    weft_status status;
    bench->sets = sets < 2 ? 2 : sets > MOST_SETS ? MOST_SETS : (int)sets;
    bench->in = calloc((size_t)bench->inputs + 1, sizeof *bench->in);
    bench->out = calloc((size_t)bench->outputs + 1, sizeof *bench->out);
    bench->run_inputs = calloc((size_t)bench->inputs + 1, sizeof *bench->run_inputs);
    bench->run_outputs = calloc((size_t)bench->outputs + 1, sizeof *bench->run_outputs);
    if (!bench->in || !bench->out || !bench->run_inputs || !bench->run_outputs)
        return no_memory(error);
    while ((status = make_images(bench, error)) != WEFT_OK && bench->sets > 1) {
        free_images(bench);
        bench->sets /= 2;
    }
    return status;
}

/* The image of one set. */
static weft_image slice(const struct bench *bench, const weft_image *all, int set) {
    weft_image image = *all;
    int64_t height = all->info.height / bench->sets;
    weft_image_region(all, 0, height * set, all->info.width, height, &image, NULL); /* it is inside */
    return image;
}

static weft_status fill_inputs(const struct bench *bench, weft_error *error) {
    weft_status status = WEFT_OK;
    for (int i = 0; status == WEFT_OK && i < bench->inputs; i++) {
        weft_image image = {.data = NULL};
        size_t size;
        status = weft_plan_input_info(bench->plan, i, &image.info, error);
        if (status == WEFT_OK)
            status = weft_image_size(&image.info, &size, error);
        if (status != WEFT_OK)
            break;
        image.data = image_memory(size);
        image.stride = (ptrdiff_t)(size / (size_t)image.info.height);
        if (!image.data)
            return no_memory(error);
        noise_fill(&image.info, image.data, (uint64_t)i + 1);
        for (int s = 0; status == WEFT_OK && s < bench->sets; s++) {
            weft_image target = slice(bench, &bench->in[i], s);
            status = weft_image_copy(bench->device, &image, &target, error);
        }
        free(image.data);
    }
    return status;
}

static weft_status start_run(const struct bench *bench, int iteration, weft_error *error) {
    weft_run run = {.inputs = bench->run_inputs,
                    .input_count = bench->inputs,
                    .outputs = bench->run_outputs,
                    .output_count = bench->outputs,
                    .state = bench->state};
    for (int i = 0; i < bench->inputs; i++)
        bench->run_inputs[i].image = slice(bench, &bench->in[i], iteration % bench->sets);
    for (int i = 0; i < bench->outputs; i++)
        bench->run_outputs[i].image = slice(bench, &bench->out[i], iteration % bench->sets);
    return weft_queue_run(bench->queue, bench->plan, &run, error);
}

static weft_status start_copy(const struct bench *bench, int iteration, weft_error *error) {
    weft_image from = slice(bench, &bench->from, iteration % bench->sets), to = slice(bench, &bench->to, iteration % bench->sets);
    return weft_queue_copy(bench->queue, &from, &to, error);
}

typedef weft_status start_function(const struct bench *bench, int iteration, weft_error *error);

/* Seconds that each of `count` takes when they are started together; *iteration counts on. */
static weft_status time_together(const struct bench *bench, start_function *start, int count, int *iteration, double *time,
                                 weft_error *error) {
    weft_status status = WEFT_OK, waited;
    weft_error *place = error;
    weft_error unused;
    double begin = clock_now();
    for (int i = 0; status == WEFT_OK && i < count; i++)
        status = start(bench, (*iteration)++, error);
    if (status != WEFT_OK)
        place = &unused;
    waited = weft_queue_wait(bench->queue, place);
    *time = (clock_now() - begin) / count;
    *time = *time > 1e-9 ? *time : 1e-9;
    return status != WEFT_OK ? status : waited;
}

/* How many to start together, so that waiting for them is small beside them. */
static weft_status choose_count(const struct bench *bench, start_function *start, double together, int *count,
                                int *iteration, weft_error *error) {
    double time = 0;
    weft_status status = time_together(bench, start, 1, iteration, &time, error);
    for (*count = 1; status == WEFT_OK && *count < MOST_AT_ONCE; *count *= 2) {
        status = time_together(bench, start, *count, iteration, &time, error);
        if (time * *count >= together)
            break;
    }
    return status;
}

/* The clock rate of an idle GPU is a fifth of its rate at work, and takes some tenths of a second to rise. */
#define WARM_SECONDS 0.25
static weft_status warm_up(const struct bench *bench, int *iteration, weft_error *error) {
    weft_status status = WEFT_OK;
    double start = clock_now(), time;
    while (status == WEFT_OK && clock_now() - start < WARM_SECONDS)
        status = time_together(bench, start_run, 2, iteration, &time, error);
    return status;
}

static weft_status time_it(const struct bench *bench, struct measured *measured, double seconds, double *times,
                           weft_error *error) {
    double *copies = times + MOST_SAMPLES, *alone = copies + MOST_SAMPLES,
           together = seconds / 20 < 0.01 ? seconds / 20 : 0.01;
    int runs, moves, run_turn = 0, copy_turn = 0, samples = 0;
    weft_status status = warm_up(bench, &run_turn, error);
    if (status == WEFT_OK)
        status = choose_count(bench, start_run, together, &runs, &run_turn, error);
    if (status == WEFT_OK)
        status = choose_count(bench, start_copy, together, &moves, &copy_turn, error);
    double start = clock_now();
    while (status == WEFT_OK && samples < MOST_SAMPLES && (samples < FEWEST_SAMPLES || clock_now() - start < seconds)) {
        status = time_together(bench, start_run, runs, &run_turn, &times[samples], error);
        if (status == WEFT_OK)
            status = time_together(bench, start_copy, moves, &copy_turn, &copies[samples], error);
        if (status == WEFT_OK)
            status = time_together(bench, start_run, 1, &run_turn, &alone[samples], error);
        samples++;
    }
    if (status != WEFT_OK)
        return status;
    measured->runs = samples * runs;
    measured->sets = bench->sets;
    measured->copy = measure_median(copies, samples);
    measured->median = measure_median(times, samples);
    measured->minimum = times[0]; /* sorted now */
    measured->alone = measure_median(alone, samples);
    return WEFT_OK;
}

int measure_on_device(struct measured *measured, weft_device *device, const weft_plan *plan, double seconds,
                      const struct graph_text *graph) {
    struct bench bench = {
        .device = device, .plan = plan, .inputs = weft_plan_input_count(plan), .outputs = weft_plan_output_count(plan)};
    weft_error error;
    double *times = malloc(3 * MOST_SAMPLES * sizeof *times);
    weft_status status = times ? weft_queue_create(device, NULL, &bench.queue, &error) : no_memory(&error);
    if (status == WEFT_OK && weft_plan_has_memory(plan))
        status = weft_state_create(plan, &bench.state, &error);
    if (status == WEFT_OK)
        status = prepare(&bench, &error);
    if (status == WEFT_OK)
        status = fill_inputs(&bench, &error);
    if (status == WEFT_OK)
        status = time_it(&bench, measured, seconds, times, &error);
    weft_queue_destroy(&bench.queue);
    weft_state_destroy(&bench.state);
    free_images(&bench);
    free(bench.in);
    free(bench.out);
    free(bench.run_inputs);
    free(bench.run_outputs);
    free(times);
    return status == WEFT_OK ? EXIT_DONE : message_library(&error, NULL, graph);
}
