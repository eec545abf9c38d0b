/* SPDX-License-Identifier: MIT
 * weft_graph_flatten: the example of every filter makes the same bits flattened, of single filters alone; and
 * weft_graph_node_merge: what it says of a reduction makes the numbers of two halves those of the whole.
 * weft_graph_node_cells: what it says of a node, done here by loops, makes the node's image; of others it says nothing. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "check.h"
#include "run_graph.h"
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

/* The last node of a graph reads an image of WIDTH x HEIGHT; sides 0: it has no cells. */
static void cells(const char *text, int64_t left, int64_t top, int64_t width, int64_t height, int32_t across, int32_t down) {
    static double made_of[HEIGHT * WIDTH];
    const weft_image_info info = {.width = WIDTH, .height = HEIGHT, .format = {WEFT_U8, 1}};
    weft_graph *graph = parse(text), *flat = NULL;
    weft_image_info infos[16];
    weft_cells x, y;
    weft_error error;
    CHECK(weft_graph_flatten(graph, &info, 1, &flat, &error) == WEFT_OK && weft_graph_nodes(flat) <= 16);
    CHECK(weft_graph_node_infos(flat, &info, 1, infos, &error) == WEFT_OK);
    weft_node last = weft_graph_output_node(flat, 0);
    bool has = weft_graph_node_cells(flat, last, &infos[weft_graph_node_reads(flat, last, 0)], &x, &y);
    if (!CHECK(has == (across > 0)))
        fprintf(stderr, "  %s\n", text);
    if (has && across > 0) {
        if (!CHECK(x.first == left && y.first == top && x.count == width && y.count == height && x.side == across &&
                   y.side == down && infos[last].width == width && infos[last].height == height))
            fprintf(stderr, "  %s: %lld %lld, %lld x %lld, %d x %d\n", text, (long long)x.first, (long long)y.first,
                    (long long)x.count, (long long)y.count, (int)x.side, (int)y.side);
        weft_image_info out;
        float *floats = malloc(sizeof *floats * (size_t)WIDTH * HEIGHT);
        float *result = NULL;
        for (int i = 0; floats && i < WIDTH * HEIGHT; i++)
            floats[i] = pixels[i] / 255.0f;
        const weft_image_info in = {.width = WIDTH, .height = HEIGHT, .format = {WEFT_F32, 1}};
        result = floats ? run_graph(device, text, &in, (void *[]){floats}, 1, WEFT_F32, &out) : NULL;
        bool same = result != NULL;
        for (int64_t i = 0; same && i < width * height; i++) {
            made_of[i] = 0;
            const float *corner = floats + (y.first + i / width * down) * WIDTH + x.first + i % width * across;
            for (int64_t k = 0; k < across * down; k++)
                made_of[i] += (double)corner[k / across * WIDTH + k % across];
            same = fabs(made_of[i] / (across * down) - (double)result[i]) < 1e-6;
        }
        CHECK(same);
        free(result);
        free(floats);
    }
    weft_graph_destroy(&flat);
    weft_graph_destroy(&graph);
}

static void test_cells(void) {
    cells("crop=3:4:20:10", 3, 4, 20, 10, 1, 1);
    cells("crop=3:4", 3, 4, WIDTH - 3, HEIGHT - 4, 1, 1);
    cells("crop=3:4:20:10:mirror", 3, 4, 20, 10, 1, 1);
    cells("crop=-1:0:20:10:replicate", 0, 0, 0, 0, 0, 0);
    cells("flip", 0, 0, 0, 0, 0, 0);
    cells("gaussian=2", 0, 0, 0, 0, 0, 0);
    cells("pad=1:1:1:1:mirror", 0, 0, 0, 0, 0, 0);
    cells("crop_region=0.25|0.5|0.5|0.5", WIDTH / 4, HEIGHT / 2, WIDTH / 2, HEIGHT / 2, 1, 1);
    cells("chroma_resample=down:2:2:siting=center", 0, 0, 0, 0, 0, 0); /* looks beyond the cells */
    cells("crop=0:0:12:8,resample=6:4:area", 0, 0, 6, 4, 2, 2);
    cells("crop=0:0:12:9,resample=4:3:area", 0, 0, 4, 3, 3, 3);
    cells("crop=0:0:12:9,resample=4:9:area", 0, 0, 4, 9, 3, 1);
    cells("crop=0:0:12:9,resample=4:3:bilinear", 0, 0, 0, 0, 0, 0);
    cells("crop=0:0:12:9,resample=5:4:area", 0, 0, 0, 0, 0, 0);
    cells("crop=0:0:12:8,resample=6:4:area:space=linear", 0, 0, 0, 0, 0, 0);
    weft_graph *graph = parse("crop=3:4:20:10");
    const weft_image_info info = {.width = WIDTH, .height = HEIGHT, .format = {WEFT_U8, CHANNELS}}, none = {.width = 0};
    weft_image_info infos[2];
    weft_cells x, y;
    weft_error error;
    CHECK(!weft_graph_node_cells(graph, 0, &info, &x, &y) && !weft_graph_node_cells(graph, -1, &info, &x, &y));
    CHECK(!weft_graph_node_cells(graph, 2, &info, &x, &y) && !weft_graph_node_cells(NULL, 1, &info, &x, &y));
    CHECK(!weft_graph_node_cells(graph, 1, &none, &x, &y) && !weft_graph_node_cells(graph, 1, NULL, &x, &y));
    CHECK(weft_graph_node_infos(NULL, &info, 1, infos, &error) == WEFT_ERROR_ARGUMENT);
    CHECK(weft_graph_node_infos(graph, &info, 1, NULL, &error) == WEFT_ERROR_ARGUMENT);
    CHECK(weft_graph_node_infos(graph, &info, 2, infos, &error) == WEFT_ERROR_GRAPH);
    CHECK(weft_graph_node_infos(graph, &none, 1, infos, &error) == WEFT_ERROR_FORMAT);
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
    test_cells();
    test_errors();
    weft_device_close(&device);
    return check_done("flatten");
}
