/* SPDX-License-Identifier: MIT
 * Images that do not fit a device: with less and less memory allowed, plans run in bands and make the same pixels, from
 * images and from streams; what cannot be cut says so. test_gpu_bands [DEVICE|all [N]]: every Nth graph */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "gpu_devices.h"
#include "weft/weft.h"

enum { WIDTH = 211, HEIGHT = 640, CHANNELS = 3, OUTPUTS = 3, MOST_BYTES = 8 };

static const struct {
    const char *text;
    bool whole; /* may be unable to run in bands: some filter reads its input at any place */
} graphs[] = {
    {"invert", false},
    {"brightness=0.1,gaussian=3,sobel", false},
    {"gaussian=3:border=replicate,contrast=1.4,gaussian=2:border=constant", false},
    {"gaussian=8", false}, /* reads what mirrors its ends from near them, not once around */
    {"box=9:border=symmetric,box=4:border=shrink", false},
    {"box=9:border=symmetric", false},
    {"box=20:border=shrink", false},
    {"box=70:3", false},
    {"box=40", false}, /* begins with sums of pieces of rows */
    {"box=100:30:border=constant", false},
    {"box=30:border=wrap", true},
    {"sobel=border=replicate", false},
    {"convolve3x3=border=constant:kernel=0|1|0|1|-3|1|0|1|0", false},
    {"laplacian=gpuimage:0.5:border=symmetric", false},
    {"dilate=7,erode=2", false},
    {"median=2", false},
    {"median=3:border=shrink,invert,median=7:border=symmetric", false},
    {"median=5:border=wrap", true},
    {"median=9:border=shrink,invert,median=20", false},
    {"bilateral=2:0.2", false},
    {"resize=width=100:height=300", false},
    {"resize=width=300:height=900", false},
    {"resample=105:320:method=bicubic", false},
    {"resample=422:1280:method=lanczos3", false},
    {"resample=422:1280:method=bilinear", false},
    {"crop=x=3:y=100:width=100:height=200,gaussian=2", false},
    {"flip=axis=y,gaussian=2", false},
    {"split[a][b];[b]gaussian=2[c];[a][c]blend_subtract", false},
    {"split=3[a][b][c];[a]invert;[b]dilate=3;[c]histogram", false},
    {"split[a][b];[a]histogram=100;[b]reduce=mean", false},
    {"gamma=1.2,histogram=1000", false},
    {"average_luminance_threshold", false},
    {"gaussian=2,average_luminance_threshold,dilate=1", false},
    {"split[a][b];[b]gaussian=2,reduce=max[m];[a]brightness=@m*0.2", false},
    {"unsharp_mask", false},
    {"identity_table=9,contrast=1.4[look];[0]gaussian=2[soft];[soft][look]lut3d,invert", true},
    {"transpose", true},
    {"canny=0.1:0.2,dilate=1", true},
    {"gaussian=2:border=wrap", true},
    {"gaussian=3:border=constant", false}, /* rows that are not there are nowhere near the last bands' memory */
    {"gaussian=15:9:border=constant", false},
    {"gaussian=12", false},
    {"gaussian=4:radius=8:downsample=1", false},
    {"gaussian=5:radius=13:border=replicate:downsample=1", false},
    {"gaussian=9:radius=25:border=symmetric:downsample=1", false},
};

/* Those with a radius are of more than bytes. */
static weft_format format_of(size_t g) {
    return strstr(graphs[g].text, "radius=") ? (weft_format){WEFT_U16, 4} : (weft_format){WEFT_U8, CHANNELS};
}


struct pixels {
    unsigned char *data;
    size_t size, row;
};

static struct pixels inputs;

static weft_status pull(void *user, int64_t y, int64_t count, void *rows, ptrdiff_t stride, weft_error *error) {
    int64_t *next = user;
    (void)error;
    CHECK(y == *next);
    for (int64_t i = 0; i < count; i++)
        memcpy((char *)rows + i * stride, inputs.data + (size_t)(y + i) * inputs.row, inputs.row);
    *next = y + count;
    return WEFT_OK;
}
static weft_status push(void *user, int64_t y, int64_t count, const void *rows, ptrdiff_t stride, weft_error *error) {
    struct pixels *to = user;
    (void)error;
    for (int64_t i = 0; i < count && to->row > 0; i++)
        memcpy(to->data + (size_t)(y + i) * to->row, (const char *)rows + i * stride, to->row);
    return WEFT_OK;
}

static weft_plan *plan_of(weft_device *device, size_t g, weft_error *error) {
    const char *text = graphs[g].text;
    weft_graph *graph = NULL;
    weft_plan *plan = NULL;
    weft_image_info info = {.width = WIDTH, .height = HEIGHT, .format = format_of(g)};
    weft_plan_options options = {.inputs = &info, .input_count = 1};
    if (weft_graph_parse(text, strlen(text), &graph, error) == WEFT_OK)
        weft_plan_create(device, graph, &options, &plan, error);
    weft_graph_destroy(&graph);
    return plan;
}

/* Runs a plan into outputs that it allocates. */
static bool run(const weft_plan *plan, size_t g, bool streamed, struct pixels *outputs, weft_error *error) {
    int64_t next = 0;
    inputs.row = WIDTH * weft_format_size(format_of(g));
    weft_run_input input = {.image = {.info = {.width = WIDTH, .height = HEIGHT, .format = format_of(g)},
                                      .data = inputs.data,
                                      .stride = (ptrdiff_t)inputs.row}};
    weft_run_output out[OUTPUTS] = {0};
    weft_run request = {.inputs = &input, .input_count = 1, .outputs = out, .output_count = weft_plan_output_count(plan)};
    if (streamed)
        input.source = (weft_source){pull, &next};
    for (int32_t i = 0; i < request.output_count; i++) {
        weft_image_info info;
        CHECK(weft_plan_output_info(plan, i, &info, error) == WEFT_OK);
        CHECK(weft_image_size(&info, &outputs[i].size, error) == WEFT_OK);
        outputs[i].row = outputs[i].size / (size_t)info.height;
        outputs[i].data = calloc(outputs[i].size, 1);
        out[i].image = (weft_image){.info = info, .data = outputs[i].data, .stride = (ptrdiff_t)outputs[i].row};
        if (streamed)
            out[i].sink = (weft_sink){push, &outputs[i]};
    }
    return weft_plan_run(plan, &request, error) == WEFT_OK;
}

static void clear(struct pixels *outputs) {
    for (int i = 0; i < OUTPUTS; i++) {
        free(outputs[i].data);
        outputs[i] = (struct pixels){0};
    }
}

static bool same(const struct pixels *a, const struct pixels *b) {
    for (int i = 0; i < OUTPUTS; i++) {
        if (a[i].size != b[i].size)
            return false;
        for (size_t k = 0; k < a[i].size; k++)
            if (a[i].data[k] != b[i].data[k]) {
                fprintf(stderr, "output %d, byte %zu of row %zu: %d, without bands %d\n", i, k % a[i].row, k / a[i].row,
                        a[i].data[k], b[i].data[k]);
                return false;
            }
    }
    return true;
}

/* A number that follows a key in the plan's description; the largest one. */
static double described(const weft_plan *plan, const char *key) {
    char *text = NULL;
    double most = 0;
    if (weft_plan_print(plan, WEFT_PLAN_JSON, &text, NULL) != WEFT_OK)
        return 0;
    for (const char *at = strstr(text, key); at; at = strstr(at + 1, key)) {
        double value = strtod(at + strlen(key), NULL);
        most = value > most ? value : most;
    }
    weft_free(text);
    return most;
}

/* `once`: with the least memory by which it runs in bands, and no more. */
static void try_graph(const char *name, size_t g, bool once) {
    if (!has_turn())
        return;
    static const double parts[] = {0.15, 0.25, 0.42, 0.7}; /* of the device memory that a run takes */
    struct pixels expected[OUTPUTS] = {{0}}, got[OUTPUTS] = {{0}};
    weft_device *device = NULL;
    weft_error error = {0};
    if (!CHECK(weft_device_open(name, NULL, &device, &error) == WEFT_OK)) {
        fprintf(stderr, "%s\n", error.message);
        return;
    }
    weft_plan *plan = plan_of(device, g, &error);
    if (!CHECK(plan != NULL) || !CHECK(run(plan, g, false, expected, &error))) {
        fprintf(stderr, "%s: %s\n", graphs[g].text, error.message);
        weft_plan_destroy(&plan);
        weft_device_close(&device);
        return;
    }
    double memory = described(plan, "\"device_memory\": "), most = 0;
    weft_plan_destroy(&plan);
    weft_device_close(&device);
    for (size_t part = 0; part < sizeof parts / sizeof *parts && !(once && most > 1); part++) {
        weft_device_options options = {.memory_limit = (uint64_t)(memory * parts[part])};
        if (!CHECK(weft_device_open(name, &options, &device, &error) == WEFT_OK)) {
            fprintf(stderr, "%s\n", error.message);
            break;
        }
        plan = plan_of(device, g, &error);
        if (plan) {
            double bands = described(plan, "\"bands\": ");
            most = bands > most ? bands : most;
            for (int streamed = 0; streamed <= (int)weft_plan_can_stream(plan); streamed++) {
                bool done = run(plan, g, streamed, got, &error);
                if (!CHECK(done) || !CHECK(same(got, expected)))
                    fprintf(stderr, "%s in %.0f bands%s: %s\n", graphs[g].text, bands, streamed ? ", streamed" : "",
                            done ? "other pixels" : error.message);
                clear(got);
            }
        } else {
            CHECK(error.status == WEFT_ERROR_MEMORY && strstr(error.message, "device memory"));
        }
        weft_plan_destroy(&plan);
        weft_device_close(&device);
    }
    if (!CHECK(graphs[g].whole || most > 1))
        fprintf(stderr, "%s never ran in bands\n", graphs[g].text);
    clear(expected);
}

static size_t apart = 1;

static void try_gpu(weft_device *device, const char *name) {
    for (size_t g = 0; g < sizeof graphs / sizeof *graphs; g += apart)
        try_graph(name, g, is_software(device)); /* it compiles kernels anew for every limit */
}

int main(int argc, char **argv) {
    inputs.size = WIDTH * HEIGHT * MOST_BYTES;
    inputs.data = malloc(inputs.size);
    uint32_t state = 1;
    apart = argc > 2 && atoi(argv[2]) > 0 ? (size_t)atoi(argv[2]) : 1;
    for (size_t i = 0; inputs.data && i < inputs.size; i++) {
        state = state * 1664525 + 1013904223;
        inputs.data[i] = (unsigned char)(state >> 24);
    }
    int status = check_gpus("test_gpu_bands", argc > 1 && strcmp(argv[1], "all") == 0 ? 1 : argc, argv, try_gpu);
    free(inputs.data);
    return status;
}
