/* SPDX-License-Identifier: MIT
 * weft_graph_flatten: the example of every filter makes the same bits flattened, of single filters alone; and
 * weft_graph_node_merge: what it says of a reduction makes the numbers of two halves those of the whole. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "check.h"
#include "weft/weft.h"

enum { WIDTH = 36, HEIGHT = 30, CHANNELS = 3, MOST = 1 << 22 };

static weft_device *device;
static unsigned char pixels[WIDTH * HEIGHT * CHANNELS];
static unsigned char made[2][MOST];

/* Runs a graph of one output on rows `first` to `first + rows` of the picture, for each of its inputs; the bytes of the result, 0
 * when it fails. */
static size_t run(const weft_graph *graph, int64_t first, int64_t rows, void *result, weft_error *error) {
    weft_image_info infos[4];
    weft_run_input inputs[4] = {0};
    weft_run_output output = {0};
    weft_plan *plan = NULL;
    size_t size = 0;
    weft_plan_options options = {.inputs = infos, .input_count = weft_graph_inputs(graph)};
    weft_run request = {.inputs = inputs, .input_count = options.input_count, .outputs = &output, .output_count = 1};
    for (int32_t i = 0; i < 4; i++) {
        infos[i] = (weft_image_info){.width = WIDTH, .height = rows, .format = {WEFT_U8, CHANNELS}};
        inputs[i].image = (weft_image){
            .info = infos[i], .data = pixels + first * (WIDTH * CHANNELS), .stride = (ptrdiff_t)WIDTH * CHANNELS};
    }
    bool ok = weft_plan_create(device, graph, &options, &plan, error) == WEFT_OK &&
              weft_plan_output_info(plan, 0, &output.image.info, error) == WEFT_OK &&
              weft_image_size(&output.image.info, &size, error) == WEFT_OK && size <= MOST;
    output.image.data = result;
    output.image.stride = ok ? (ptrdiff_t)(size / (size_t)output.image.info.height) : 0;
    ok = ok && weft_plan_run(plan, &request, error) == WEFT_OK;
    weft_plan_destroy(&plan);
    return ok ? size : 0;
}

static weft_graph *parse(const char *text) {
    weft_graph *graph = NULL;
    CHECK(weft_graph_parse(text, strlen(text), &graph, NULL) == WEFT_OK);
    return graph;
}

static weft_status flatten(const weft_graph *graph, weft_graph **flat, weft_error *error) {
    weft_image_info infos[4];
    for (int i = 0; i < 4; i++)
        infos[i] = (weft_image_info){.width = WIDTH, .height = HEIGHT, .format = {WEFT_U8, CHANNELS}};
    return weft_graph_flatten(graph, infos, weft_graph_inputs(graph), flat, error);
}

/* The graph does the same flattened. */
static void stays(const char *text) {
    weft_graph *graph = parse(text), *flat = NULL;
    weft_error error = {0};
    const size_t size = weft_graph_outputs(graph) == 1 ? run(graph, 0, HEIGHT, made[0], &error) : 0;
    bool ok = flatten(graph, &flat, &error) == WEFT_OK;
    for (weft_node i = 0; ok && i < weft_graph_nodes(flat); i++) {
        const weft_filter_info *filter = weft_graph_node_filter(flat, i);
        ok = !filter || strcmp(filter->kind, "composite") != 0;
    }
    ok = ok && weft_graph_inputs(flat) == weft_graph_inputs(graph) && weft_graph_outputs(flat) == weft_graph_outputs(graph);
    if (ok && size > 0)
        ok = run(flat, 0, HEIGHT, made[1], &error) == size && memcmp(made[0], made[1], size) == 0;
    else
        ok = size > 0 ? ok : !flat || weft_graph_outputs(graph) > 1; /* an example for larger pictures */
    if (!CHECK(ok))
        fprintf(stderr, "  %s: %s\n", text, error.message);
    weft_graph_destroy(&flat);
    weft_graph_destroy(&graph);
}

/* The numbers of the upper and the lower part as one. */
static double merged(weft_merge merge, double upper, double lower, double share) {
    switch (merge) {
    case WEFT_MERGE_MIN: return fmin(upper, lower);
    case WEFT_MERGE_MAX: return fmax(upper, lower);
    case WEFT_MERGE_SUM: return upper + lower;
    case WEFT_MERGE_MEAN: return share * upper + (1 - share) * lower;
    default: return (double)NAN;
    }
}

static void merges(const char *text, weft_merge merge) {
    static double whole[1024], upper[1024], lower[1024];
    enum { CUT = 13 };
    weft_graph *graph = parse(text);
    weft_error error = {0};
    CHECK(weft_graph_node_merge(graph, 1) == merge);
    const size_t size = run(graph, 0, HEIGHT, whole, &error);
    CHECK(size > 0 && size <= sizeof whole && run(graph, 0, CUT, upper, &error) == size &&
          run(graph, CUT, HEIGHT - CUT, lower, &error) == size);
    bool same = true;
    for (size_t i = 0; i < size / sizeof *whole; i++)
        same = same && fabs(merged(merge, upper[i], lower[i], (double)CUT / HEIGHT) - whole[i]) <= 1e-12 * fabs(whole[i]);
    CHECK(same);
    weft_graph_destroy(&graph);
}

/* The third frame of what a graph makes of frames that differ, at its last output. */
static bool third_frame(const weft_graph *graph, unsigned char *result) {
    const weft_image_info info = {.width = WIDTH, .height = HEIGHT, .format = {WEFT_U8, CHANNELS}};
    const int32_t last = weft_graph_outputs(graph) - 1;
    weft_plan_options options = {.inputs = &info, .input_count = 1};
    weft_run_input input = {.image = {.info = info, .data = pixels, .stride = (ptrdiff_t)WIDTH * CHANNELS}};
    weft_run_output outputs[2] = {{.image = input.image}, {.image = input.image}};
    weft_plan *plan = NULL;
    weft_state *state = NULL;
    weft_error error = {0};
    bool ok =
        weft_plan_create(device, graph, &options, &plan, &error) == WEFT_OK && weft_state_create(plan, &state, &error) == WEFT_OK;
    weft_run request = {.inputs = &input, .input_count = 1, .outputs = outputs, .output_count = last + 1, .state = state};
    for (int frame = 0; ok && frame < 3; frame++) {
        outputs[0].image.data = made[1], outputs[last].image.data = result;
        ok = weft_plan_run(plan, &request, &error) == WEFT_OK;
        for (size_t i = 0; i < sizeof pixels; i++)
            pixels[i] = (unsigned char)(255 - pixels[i]);
    }
    for (size_t i = 0; i < sizeof pixels; i++) /* as before */
        pixels[i] = (unsigned char)(255 - pixels[i]);
    if (!CHECK(ok))
        fprintf(stderr, "  %s\n", error.message);
    weft_state_destroy(&state);
    weft_plan_destroy(&plan);
    return ok;
}

/* What a filter of time recalls is the same image when its flattened graph is joined to another. */
static void test_join(const char *text) {
    static unsigned char expected[sizeof pixels], joined[sizeof pixels];
    weft_graph *graph = parse(text), *flat = NULL, *all = parse("invert,contrast=1.2,gaussian=1");
    weft_error error = {0};
    CHECK(flatten(graph, &flat, &error) == WEFT_OK && weft_graph_join(all, flat, 0, &error) == WEFT_OK);
    CHECK(third_frame(graph, expected) && third_frame(all, joined) && memcmp(expected, joined, sizeof joined) == 0);
    weft_graph_destroy(&all);
    weft_graph_destroy(&flat);
    weft_graph_destroy(&graph);
}

static void test_errors(void) {
    weft_image_info info = {.width = WIDTH, .height = HEIGHT, .format = {WEFT_U8, CHANNELS}};
    weft_graph *graph = parse("average_luminance_threshold"), *flat = graph;
    weft_error error;
    CHECK(weft_graph_flatten(NULL, &info, 1, &flat, &error) == WEFT_ERROR_ARGUMENT && !flat);
    CHECK(weft_graph_flatten(graph, NULL, 1, &flat, &error) == WEFT_ERROR_ARGUMENT);
    CHECK(weft_graph_flatten(graph, &info, 1, NULL, &error) == WEFT_ERROR_ARGUMENT);
    CHECK(weft_graph_flatten(graph, &info, 2, &flat, &error) == WEFT_ERROR_GRAPH && strstr(error.message, "1 image"));
    info.width = 0;
    CHECK(weft_graph_flatten(graph, &info, 1, &flat, &error) == WEFT_ERROR_FORMAT && !flat);
    CHECK(weft_graph_node_merge(graph, 0) == WEFT_MERGE_NONE && weft_graph_node_merge(graph, 1) == WEFT_MERGE_NONE);
    CHECK(weft_graph_node_merge(graph, -1) == WEFT_MERGE_NONE && weft_graph_node_merge(NULL, 0) == WEFT_MERGE_NONE);
    weft_graph_destroy(&graph);
}

int main(void) {
    const weft_filter_info *filter;
    unsigned seed = 1;
    for (size_t i = 0; i < sizeof pixels; i++) {
        seed = seed * 1664525u + 1013904223u;
        pixels[i] = (unsigned char)(seed >> 24);
    }
    if (!CHECK(weft_device_open("cpu", NULL, &device, NULL) == WEFT_OK))
        return check_done("flatten");
    for (int32_t i = 0; (filter = weft_filter_at(i)); i++)
        stays(filter->example);
    stays("[0]average_color[m];[0]monochrome=color=@m*0.9:space=linear");
    merges("reduce=min", WEFT_MERGE_MIN);
    merges("reduce=max", WEFT_MERGE_MAX);
    merges("reduce=sum", WEFT_MERGE_SUM);
    merges("reduce=mean", WEFT_MERGE_MEAN);
    merges("histogram=100", WEFT_MERGE_SUM);
    merges("histogram", WEFT_MERGE_SUM);
    test_join("low_pass=0.5");
    test_join("temporal_denoise");
    test_join("low_pass=0.3,gaussian=1,high_pass=0.5");
    test_errors();
    weft_device_close(&device);
    return check_done("flatten");
}
