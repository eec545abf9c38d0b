/* SPDX-License-Identifier: MIT
 * Filters with a memory: what a stream of frames must give, by the formulas written out here, on every device, by runs and by
 * queues, from images and from streams; reset, and states that do not fit. */
#include "frame_formulas.h"
#include "run_graph.h"

static weft_status read_rows(void *user, int64_t y, int64_t count, void *rows, ptrdiff_t stride, weft_error *error) {
    (void)error;
    for (int64_t k = 0; k < count; k++)
        memcpy((char *)rows + k * stride, (const float *)user + (y + k) * WIDTH * 3, WIDTH * 3 * sizeof(float));
    return WEFT_OK;
}
static weft_status write_rows(void *user, int64_t y, int64_t count, const void *rows, ptrdiff_t stride, weft_error *error) {
    (void)error;
    for (int64_t k = 0; k < count; k++)
        memcpy((float *)user + (y + k) * WIDTH * 3, (const char *)rows + k * stride, WIDTH * 3 * sizeof(float));
    return WEFT_OK;
}

static const weft_image_info info = {.width = WIDTH, .height = HEIGHT, .format = {WEFT_F32, 3}};

static weft_plan *plan_of(weft_device *device, const char *text, const weft_image_info *of) {
    weft_graph *graph = NULL;
    weft_plan *plan = NULL;
    weft_error error = {0};
    weft_plan_options options = {.inputs = of, .input_count = 1};
    bool ok = weft_graph_parse(text, strlen(text), &graph, &error) == WEFT_OK &&
              weft_plan_create(device, graph, &options, &plan, &error) == WEFT_OK;
    if (!ok)
        fprintf(stderr, "%s: %s\n", text, error.message);
    CHECK(ok);
    weft_graph_destroy(&graph);
    return plan;
}

enum way { BY_RUN, BY_STREAM, BY_QUEUE };

/* Frame t by one of the ways; false where it fails. */
static bool run_frame(weft_device *device, const weft_plan *plan, weft_state *state, int t, float *out, enum way way) {
    weft_image from = {.info = info, .data = frames[t], .stride = WIDTH * 3 * sizeof(float)}, to = from;
    to.data = out;
    weft_run_input input = {.image = from};
    weft_run_output output = {.image = to};
    if (way == BY_STREAM) {
        input.source = (weft_source){read_rows, frames[t]};
        output.sink = (weft_sink){write_rows, out};
    }
    weft_run run = {.inputs = &input, .input_count = 1, .outputs = &output, .output_count = 1, .state = state};
    weft_error error = {0};
    weft_status status;
    if (way != BY_QUEUE) {
        status = weft_plan_run(plan, &run, &error);
    } else {
        weft_image near_from = {0}, near_to = {0};
        weft_queue *queue = NULL;
        status = weft_queue_create(device, NULL, &queue, &error);
        if (status == WEFT_OK)
            status = weft_memory_create(device, &info, &near_from, &error);
        if (status == WEFT_OK)
            status = weft_memory_create(device, &info, &near_to, &error);
        input.image = near_from, output.image = near_to;
        if (status == WEFT_OK)
            status = weft_queue_copy(queue, &from, &near_from, &error);
        if (status == WEFT_OK)
            status = weft_queue_run(queue, plan, &run, &error);
        if (status == WEFT_OK)
            status = weft_queue_copy(queue, &near_to, &to, &error);
        if (status == WEFT_OK)
            status = weft_queue_wait(queue, &error);
        weft_queue_destroy(&queue);
        weft_memory_destroy(device, &near_from);
        weft_memory_destroy(device, &near_to);
    }
    if (status != WEFT_OK)
        fprintf(stderr, "frame %d: %s\n", t, error.message);
    return status == WEFT_OK;
}

static void test_filter(weft_device *device, const char *text, double (*formula)(int t, int i, const double *before),
                        enum way way) {
    static double before[NUMBERS], after[NUMBERS];
    static float out[NUMBERS];
    weft_plan *plan = plan_of(device, text, &info);
    weft_state *state = NULL;
    if (!plan || (way == BY_STREAM && !weft_plan_can_stream(plan))) {
        weft_plan_destroy(&plan);
        return;
    }
    CHECK(weft_plan_has_memory(plan) && weft_plan_input_count(plan) == 1 && weft_plan_output_count(plan) == 1);
    CHECK(weft_state_create(plan, &state, NULL) == WEFT_OK);
    for (int turn = 0; state && turn < 2; turn++) { /* the second one after a reset */
        double worst = 0;
        for (int t = 0; t < FRAMES; t++) {
            CHECK(weft_state_frames(state) == t && run_frame(device, plan, state, t, out, way));
            for (int i = 0; i < NUMBERS; i++) {
                after[i] = formula(t, i, before);
                worst = fmax(worst, fabs(after[i] - (double)out[i]));
            }
            memcpy(before, after, sizeof before);
        }
        if (!CHECK(worst < 1e-5))
            fprintf(stderr, "%s: off by %g\n", text, worst);
        weft_state_reset(state);
    }
    /* Without a state it is the first frame. */
    bool good = run_frame(device, plan, NULL, 2, out, way);
    for (int i = 0; good && i < NUMBERS && formula != differs; i++)
        good = fabs((double)out[i] - (double)frames[2][i]) < 1e-6;
    CHECK(good);
    weft_plan_destroy(&plan); /* the state holds it */
    weft_state_destroy(&state);
}

static void test_formulas(weft_device *device) {
    for (int way = BY_RUN; way <= BY_QUEUE; way++) {
        test_filter(device, "low_pass=0.7", low_pass, (enum way)way);
        test_filter(device, "frame_delay=3", delayed, (enum way)way);
        test_filter(device, "frame_blend=4", blended, (enum way)way);
        test_filter(device, "temporal_denoise=0.8:0.25", denoised, (enum way)way);
        test_filter(device, "frame_delay=1,frame_delay=2,invert,invert", delayed_twice, (enum way)way);
        test_filter(device, "split[a][b];[a]high_pass=0.7[c];[b]frame_delay=2[d];[c][d]sum_of", differs, (enum way)way);
    }
}

/* A bright square of 4 x 3 that jumps: its center and share as numbers; nothing in a frame that is as the one before. */
static void test_motion(weft_device *device) {
    static float image[NUMBERS];
    memset(image, 0, sizeof image);
    weft_plan *plan = plan_of(device, "motion_detect=0.5:0.2", &info);
    weft_state *state = NULL;
    if (!plan || !CHECK(weft_state_create(plan, &state, NULL) == WEFT_OK))
        return;
    for (int t = 0; t < 3; t++) {
        double numbers[4];
        weft_run_input input = {.image = {.info = info, .data = image, .stride = WIDTH * 3 * sizeof(float)}};
        weft_run_output output = {.image = {.data = numbers, .stride = sizeof numbers}};
        CHECK(weft_plan_output_info(plan, 0, &output.image.info, NULL) == WEFT_OK);
        for (int i = 0; t == 1 && i < 12; i++)
            for (int k = 0; k < 3; k++)
                image[((5 + i / 4) * WIDTH + 10 + i % 4) * 3 + k] = 1;
        weft_run run = {.inputs = &input, .input_count = 1, .outputs = &output, .output_count = 1, .state = state};
        weft_error error = {0};
        if (!CHECK(weft_plan_run(plan, &run, &error) == WEFT_OK))
            fprintf(stderr, "%s\n", error.message);
        CHECK(t == 1 ? fabs(numbers[0] - 12.0 / WIDTH) < 1e-5 && fabs(numbers[1] - 6.5 / HEIGHT) < 1e-5 &&
                           fabs(numbers[2] - 1) < 1e-5 && fabs(numbers[3] - 12.0 / (WIDTH * HEIGHT)) < 1e-7
              : t == 0 ? numbers[0] == 0 && numbers[1] == 0 && numbers[3] == 0
                       : fabs(numbers[3] - 12.0 / (WIDTH * HEIGHT)) < 1e-7); /* 0.25 of 1, times the root of 3 */
    }
    weft_state_destroy(&state);
    weft_plan_destroy(&plan);
}

/* Bytes in and out: the state does not stall where a mean of bytes would. */
static void test_bytes(weft_device *device) {
    const weft_image_info bytes = {.width = 1, .height = 1, .format = {WEFT_U8, 1}};
    weft_plan *plan = plan_of(device, "low_pass=0.98", &bytes);
    weft_state *state = NULL;
    unsigned char in = 0, out = 0;
    weft_run_input input = {.image = {.info = bytes, .data = &in, .stride = 1}};
    weft_run_output output = {.image = {.info = bytes, .data = &out, .stride = 1}};
    if (!plan || !CHECK(weft_state_create(plan, &state, NULL) == WEFT_OK))
        return;
    double mean = 0;
    for (int t = 0; t < 400; t++) {
        weft_run run = {.inputs = &input, .input_count = 1, .outputs = &output, .output_count = 1, .state = state};
        CHECK(weft_plan_run(plan, &run, NULL) == WEFT_OK && fabs(out - mean * 255) <= 0.501);
        in = 20;
        mean += 0.02 * (20.0 / 255 - mean);
    }
    CHECK(out == 20);
    weft_state_destroy(&state);
    weft_plan_destroy(&plan);
}

static void test_errors(weft_device *device) {
    static float out[NUMBERS];
    weft_plan *plan = plan_of(device, "low_pass", &info), *other = plan_of(device, "low_pass", &info);
    weft_plan *none = plan_of(device, "invert", &info);
    weft_state *state = NULL, *empty = NULL;
    weft_error error = {0};
    weft_graph *graph = NULL;
    CHECK(weft_state_create(plan, &state, NULL) == WEFT_OK && weft_state_create(none, &empty, NULL) == WEFT_OK);
    CHECK(!weft_plan_has_memory(none) && run_frame(device, none, empty, 0, out, BY_RUN) && weft_state_frames(empty) == 1);
    weft_image image = {.info = info, .data = frames[0], .stride = WIDTH * 3 * sizeof(float)}, to = image;
    to.data = out;
    weft_run run = {.inputs = &(weft_run_input){.image = image}, .input_count = 1,
                    .outputs = &(weft_run_output){.image = to}, .output_count = 1, .state = state};
    CHECK(weft_plan_run(other, &run, &error) == WEFT_ERROR_ARGUMENT);
    CHECK(strcmp(error.message, "the state is another plan's; make one of this plan") == 0);
    CHECK(weft_state_frames(state) == 0);
    const char *text = "reduce,frame_delay";
    weft_plan_options options = {.inputs = &info, .input_count = 1};
    weft_plan *numbers = NULL;
    CHECK(weft_graph_parse(text, strlen(text), &graph, NULL) == WEFT_OK);
    CHECK(weft_plan_create(device, graph, &options, &numbers, &error) == WEFT_ERROR_GRAPH && !numbers);
    CHECK(strstr(error.message, "keeps pictures, not numbers") != NULL);
    weft_graph_destroy(&graph);
    weft_state_destroy(&state);
    weft_state_destroy(&empty);
    weft_plan_destroy(&plan);
    weft_plan_destroy(&other);
    weft_plan_destroy(&none);
}

/* An input that a program adds behind a filter of time is the graph's second one, not the image that is kept. */
static void test_late_input(weft_device *device) {
    static float first[2] = {0.25f, 0.5f}, second[2] = {1, 3}, out[2];
    const weft_image_info infos[2] = {{.width = 2, .height = 1, .format = {WEFT_F32, 1}},
                                      {.width = 2, .height = 1, .format = {WEFT_F32, 1}}};
    weft_plan_options options = {.inputs = infos, .input_count = 2};
    const weft_run_input inputs[2] = {{.image = {.info = infos[0], .data = first, .stride = sizeof first}},
                                      {.image = {.info = infos[1], .data = second, .stride = sizeof second}}};
    weft_run_output output = {.image = {.info = infos[0], .data = out, .stride = sizeof out}};
    weft_run run = {.inputs = inputs, .input_count = 2, .outputs = &output, .output_count = 1};
    weft_graph *graph = NULL;
    weft_plan *plan = NULL;
    weft_state *state = NULL;
    weft_error error = {0};
    weft_node a, low, b, sum;
    bool ok = weft_graph_create(&graph, &error) == WEFT_OK && weft_graph_input(graph, &a, &error) == WEFT_OK &&
              weft_graph_add(graph, "low_pass", &a, 1, &low, &error) == WEFT_OK &&
              weft_graph_input(graph, &b, &error) == WEFT_OK &&
              weft_graph_add(graph, "sum_of", (weft_node[]){low, b}, 2, &sum, &error) == WEFT_OK &&
              weft_graph_output(graph, sum, &error) == WEFT_OK &&
              weft_plan_create(device, graph, &options, &plan, &error) == WEFT_OK &&
              weft_state_create(plan, &state, &error) == WEFT_OK;
    run.state = state;
    for (int frame = 0; ok && frame < 2; frame++) {
        first[0] = frame ? 0.75f : 0.25f; /* half of it is seen */
        ok = weft_plan_run(plan, &run, &error) == WEFT_OK;
        CHECK(ok && fabs((double)out[0] - (frame ? 1.5 : 1.25)) < 1e-5 && fabs((double)out[1] - 3.5) < 1e-5);
    }
    if (!CHECK(ok))
        fprintf(stderr, "%s\n", error.message);
    weft_state_destroy(&state);
    weft_plan_destroy(&plan);
    weft_graph_destroy(&graph);
}

/* Two outputs and a kept image between them: on a GPU those travel to the host, this one does not. */
static void test_two_outputs(weft_device *device) {
    static float in[2] = {0.25f, 0.5f}, out[2][2];
    const weft_image_info two = {.width = 2, .height = 1, .format = {WEFT_F32, 1}};
    const char *text = "split[a][b];[a]low_pass=0.5;[b]invert";
    weft_plan_options options = {.inputs = &two, .input_count = 1};
    const weft_run_input input = {.image = {.info = two, .data = in, .stride = sizeof in}};
    const weft_run_output outputs[2] = {{.image = {.info = two, .data = out[0], .stride = sizeof out[0]}},
                                        {.image = {.info = two, .data = out[1], .stride = sizeof out[1]}}};
    weft_graph *graph = NULL;
    weft_plan *plan = NULL;
    weft_state *state = NULL;
    weft_error error = {0};
    bool ok = weft_graph_parse(text, strlen(text), &graph, &error) == WEFT_OK &&
              weft_plan_create(device, graph, &options, &plan, &error) == WEFT_OK &&
              weft_state_create(plan, &state, &error) == WEFT_OK;
    weft_run run = {.inputs = &input, .input_count = 1, .outputs = outputs, .output_count = 2, .state = state};
    for (int frame = 0; ok && frame < 2; frame++) {
        in[0] = frame ? 0.75f : 0.25f;
        ok = weft_plan_run(plan, &run, &error) == WEFT_OK;
        CHECK(ok && fabs((double)out[0][0] - (frame ? 0.5 : 0.25)) < 1e-6 && fabs((double)out[0][1] - 0.5) < 1e-6);
        CHECK(ok && fabs((double)out[1][0] - (frame ? 0.25 : 0.75)) < 1e-6 && fabs((double)out[1][1] - 0.5) < 1e-6);
    }
    if (!CHECK(ok))
        fprintf(stderr, "%s\n", error.message);
    weft_state_destroy(&state);
    weft_plan_destroy(&plan);
    weft_graph_destroy(&graph);
}

static void test_all(weft_device *device) {
    test_late_input(device);
    test_two_outputs(device);
    test_formulas(device);
    test_motion(device);
    test_bytes(device);
    test_errors(device);
}

int main(int argc, char **argv) {
    draw_frames();
    run_on_devices(argc, argv, test_all);
    return check_done("state");
}
