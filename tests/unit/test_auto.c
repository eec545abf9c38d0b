/* SPDX-License-Identifier: MIT
 * The choice between the processor and a GPU: the model's arithmetic by numbers made up here, and the device that
 * chooses. The GPU is another processor here, which nothing tells apart but rates; but that plans and pictures are those of the
 * chosen device is tried with the reference and with every GPU, or with the device that the command line names. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "backend/auto/auto.h"
#include "check.h"
#include "graph/typed.h"
#include "run_graph.h"
#include "weft/weft.h"

static bool near(double a, double b) { return fabs(a - b) <= 1e-9 * fabs(b); }

static void test_estimate(void) {
    /* 100 MB in, 50 MB out; the copy reads and writes a byte for every two of them. */
    const struct auto_work work = {.in = 100e6, .out = 50e6, .operations = 3e9, .steps = 4};
    const struct auto_rates cpu = {.copy = 10e9, .operations = 30e9};
    const struct auto_rates gpu = {.upload = 10e9, .download = 5e9, .copy = 1e12, .operations = 10e12, .launch = 10e-6};
    struct auto_estimate on_cpu = weft_auto_estimate(&work, &cpu), on_gpu = weft_auto_estimate(&work, &gpu);
    CHECK(on_cpu.transfer == 0 && on_cpu.launches == 0);
    CHECK(near(on_cpu.memory, 7.5e-3) && near(on_cpu.arithmetic, 0.1) && near(on_cpu.all, 0.1075));
    CHECK(near(on_gpu.transfer, 0.02) && near(on_gpu.memory, 75e-6) && near(on_gpu.arithmetic, 300e-6));
    CHECK(near(on_gpu.launches, 40e-6) && near(on_gpu.all, 0.020415));

    char text[400];
    weft_auto_explain(&work, &on_cpu, "gpu:7", &gpu, &on_gpu, text, sizeof text);
    CHECK(strstr(text, "auto chose gpu:7: 20.4 ms estimated against 108 ms on cpu") != NULL);
    CHECK(strstr(text, "upload 100 MB at 10 GB/s") && strstr(text, "download 50 MB at 5 GB/s"));

    /* The same bytes with next to no work: the way there and back costs more than all of it. */
    const struct auto_work light = {.in = 100e6, .out = 50e6, .operations = 1e8, .steps = 1};
    on_cpu = weft_auto_estimate(&light, &cpu), on_gpu = weft_auto_estimate(&light, &gpu);
    CHECK(on_cpu.all < on_gpu.all);
    weft_auto_explain(&light, &on_cpu, "gpu:7", &gpu, &on_gpu, text, sizeof text);
    CHECK(strstr(text, "auto chose cpu: 10.8 ms estimated against 20.1 ms on gpu:7") != NULL);
}

static weft_status keep_all(const weft_device *device, const struct weft_graph *graph, const weft_image_info *info, int32_t n,
                            bool *kept, weft_error *error) {
    (void)device, (void)graph, (void)info, (void)n, (void)error;
    *kept = true;
    return WEFT_OK;
}

/* The work of a graph on an image of 100 x 50 u8x3, on a device that keeps such filters. */
static struct auto_work work_on(const char *text, weft_keeps *keeps) {
    const weft_image_info infos[2] = {{.width = 100, .height = 50, .format = {WEFT_U8, 3}},
                                      {.width = 100, .height = 50, .format = {WEFT_U8, 3}}};
    struct weft_recalls recalls = {.inputs = (weft_image_info *)(uintptr_t)infos, .input_count = 2};
    struct weft_typed_graph typed = {0};
    struct weft_expanded expanded = {.graph = NULL};
    struct weft_graph *cheap = NULL;
    struct auto_work work = {0};
    weft_graph *graph = NULL;
    weft_type type = WEFT_U8;
    if (CHECK(weft_graph_parse(text, strlen(text), &graph, NULL) == WEFT_OK) &&
        CHECK(weft_graph_expand(graph, &recalls, &expanded, NULL) == WEFT_OK) &&
        CHECK(weft_graph_cheapen(&expanded, infos, keeps, NULL, &cheap, NULL) == WEFT_OK) &&
        CHECK(weft_graph_convert(cheap, infos, &typed, NULL) == WEFT_OK)) {
        typed.output_types = &type;
        weft_auto_work_of(&typed, &work);
        typed.output_types = NULL;
    }
    weft_typed_graph_clear(&typed);
    weft_graph_destroy(&cheap);
    weft_expanded_clear(&expanded);
    weft_graph_destroy(&graph);
    return work;
}

static struct auto_work work_of(const char *text) { return work_on(text, NULL); }

static void test_work(void) {
    struct auto_work one = work_of("invert"), two = work_of("[0][1]blend_multiply"), half = work_of("crop=0:0:50:50");
    CHECK(one.in == 15000 && one.out == 15000 && one.operations > 0 && one.steps == 1);
    CHECK(two.in == 30000 && two.out == 15000);
    CHECK(half.in == 15000 && half.out == 7500);
    CHECK(work_of("bilateral").operations > 20 * one.operations);
    CHECK(work_of("gaussian=8").operations > work_of("gaussian=2").operations);
    CHECK(work_of("invert,invert").operations == 2 * one.operations);
    CHECK(work_of("gaussian=2,sobel").steps == 2 && work_of("unsharp_mask").steps >= 1);
    CHECK(work_of("reduce=mean").operations > 0);
    /* In one step the sums of squares cost the same whatever their radius, and less than the passes that stand for them. */
    struct auto_work squares = work_on("kuwahara=5", keep_all), passes = work_of("kuwahara=5");
    CHECK(squares.operations == work_on("kuwahara=9", keep_all).operations && squares.operations < passes.operations);
    CHECK(squares.steps == 1 && passes.steps > 4);
}

static void test_measures(void) {
    struct auto_rates rates = {0};
    CHECK(weft_auto_measure_cpu(2, &rates));
    /* ThreadSanitizer takes a machine that does other work below 1e8. */
    CHECK(rates.copy > 1e7 && rates.copy < 1e13 && rates.operations > 1e7 && rates.operations < 1e14);
    CHECK(rates.upload == 0 && rates.download == 0 && rates.launch == 0);
}

static char *plan_text(weft_device *device, weft_plan_format format, int64_t side) {
    weft_image_info info = {.width = side, .height = side, .format = {WEFT_U8, 1}};
    weft_plan_options options = {.inputs = &info, .input_count = 1};
    weft_graph *graph = NULL;
    weft_plan *plan = NULL;
    char *text = NULL;
    CHECK(weft_graph_parse("invert", 6, &graph, NULL) == WEFT_OK);
    CHECK(weft_plan_create(device, graph, &options, &plan, NULL) == WEFT_OK);
    CHECK(plan && weft_plan_passes(plan) == 1 && weft_plan_can_stream(plan));
    CHECK(plan && weft_plan_print(plan, format, &text, NULL) == WEFT_OK);
    weft_plan_destroy(&plan);
    weft_graph_destroy(&graph);
    return text;
}

/* Two processors; the second one, as a GPU, is measured by copies in host memory, which count as its transfers. */
static void test_device(void) {
    weft_device *cpu = NULL, *gpu = NULL, *both = NULL;
    weft_device_info info;
    CHECK(weft_device_open("cpu", NULL, &cpu, NULL) == WEFT_OK && weft_device_open("cpu", NULL, &gpu, NULL) == WEFT_OK);
    if (!CHECK(weft_auto_open_among(cpu, gpu, "gpu:0", &both, NULL) == WEFT_OK))
        return;
    weft_device_describe(both, &info);
    CHECK(strcmp(info.backend, "auto") == 0 && info.available && strstr(info.name, "or a GPU"));
    char *text = plan_text(both, WEFT_PLAN_TEXT, 300);
    CHECK(text && strncmp(text, "auto chose ", 11) == 0 && strstr(text, "gpu:0") && strstr(text, "\n1 pass "));
    weft_free(text);
    text = plan_text(both, WEFT_PLAN_JSON, 300);
    CHECK(text && strncmp(text, "{\"auto\": \"auto chose ", 21) == 0 && strstr(text, "\", \"device\": \"cpu\""));
    weft_free(text);
    text = plan_text(both, WEFT_PLAN_DOT, 300);
    CHECK(text && strncmp(text, "// auto chose ", 14) == 0 && strstr(text, "\ndigraph"));
    weft_free(text);
    weft_device_close(&both); /* closes both */
}

/* As programs open it: it runs here, whatever there is, and says what it did. */
static void test_auto(void) {
    weft_device *device = NULL;
    if (!CHECK(weft_device_open("auto", NULL, &device, NULL) == WEFT_OK))
        return;
    char *text = plan_text(device, WEFT_PLAN_TEXT, 300);
    CHECK(text && strncmp(text, "auto chose cpu: ", 16) == 0); /* so small that no GPU is worth it */
    weft_free(text);
    weft_device_close(&device);
}

static char *text_of(weft_device *device, const char *graph_text, const weft_image_info *info) {
    weft_plan_options options = {.inputs = info, .input_count = 1};
    weft_graph *graph = NULL;
    weft_plan *plan = NULL;
    char *text = NULL;
    CHECK(weft_graph_parse(graph_text, strlen(graph_text), &graph, NULL) == WEFT_OK);
    CHECK(weft_plan_create(device, graph, &options, &plan, NULL) == WEFT_OK);
    CHECK(plan && weft_plan_print(plan, WEFT_PLAN_TEXT, &text, NULL) == WEFT_OK);
    weft_plan_destroy(&plan);
    weft_graph_destroy(&graph);
    return text;
}

/* Behind the line that says why: the same plan, and the same bytes. */
static void check_same(weft_device *both, weft_device *alone, const char *chosen, const char *graph, const weft_image_info *info,
                       void *pixels) {
    char begin[64], *text = text_of(both, graph, info), *expected = text_of(alone, graph, info);
    const char *plan = text ? strchr(text, '\n') : NULL;
    snprintf(begin, sizeof begin, "auto chose %s: ", chosen);
    CHECK(text && strncmp(text, begin, strlen(begin)) == 0);
    if (!CHECK(plan && expected && strcmp(plan + 1, expected) == 0))
        fprintf(stderr, "%s on %s:\n%s\nalone:\n%s\n", graph, chosen, text, expected);
    weft_free(text);
    weft_free(expected);
    weft_image_info a, b;
    size_t size = 0;
    void *got = run_graph(both, graph, info, &pixels, 1, 0, &a), *wanted = run_graph(alone, graph, info, &pixels, 1, 0, &b);
    CHECK(got && wanted && weft_image_size(&a, &size, NULL) == WEFT_OK && memcmp(got, wanted, size) == 0);
    free(got);
    free(wanted);
}

/* Devices that keep other filters than each other, in turn the faster one by far. */
static void test_forms(weft_device *named, const char *name) {
    enum { WIDTH = 61, HEIGHT = 47, SIZE = WIDTH * HEIGHT * 3 };
    static const char *const graphs[] = {"kuwahara=5", "gaussian=3", "brightness=0.1,kuwahara=2,canny"};
    static const struct auto_rates slow = {.copy = 1, .operations = 1}, fast = {.copy = 1e15, .operations = 1e15};
    const weft_image_info info = {.width = WIDTH, .height = HEIGHT, .format = {WEFT_U8, 3}};
    const weft_device_options little = {.memory_limit = 4096}; /* which GPUs heed */
    bool refuses = strcmp(name, "reference") != 0;
    weft_device *processor = NULL, *cpu[2] = {NULL}, *gpu[2] = {NULL}, *both[2] = {NULL};
    uint8_t *pixels = malloc(SIZE);
    for (int i = 0; pixels && i < SIZE; i++)
        pixels[i] = (uint8_t)(i * 37 % 251 ^ (i / 64));
    bool ok = CHECK(pixels && weft_device_open("cpu", NULL, &processor, NULL) == WEFT_OK);
    for (int i = 0; i < 2 && ok; i++) {
        ok = CHECK(weft_device_open("cpu", NULL, &cpu[i], NULL) == WEFT_OK &&
                   weft_device_open(name, i == 0 ? NULL : &little, &gpu[i], NULL) == WEFT_OK &&
                   weft_auto_open_among(cpu[i], gpu[i], "gpu:0", &both[i], NULL) == WEFT_OK);
        struct auto_device *device = (struct auto_device *)(void *)both[i];
        if (ok)
            device->tried = true, device->cpu_rates = slow, device->gpu_rates = fast;
    }
    for (size_t i = 0; i < sizeof graphs / sizeof *graphs && ok; i++) {
        struct auto_device *device = (struct auto_device *)(void *)both[0];
        device->cpu_rates = slow, device->gpu_rates = fast;
        check_same(both[0], named, "gpu:0", graphs[i], &info, pixels);
        device->cpu_rates = fast, device->gpu_rates = slow;
        check_same(both[0], processor, "cpu", graphs[i], &info, pixels);
        if (refuses) /* what was tried first leaves nothing behind */
            check_same(both[1], processor, "cpu", graphs[i], &info, pixels);
    }
    for (int i = 0; i < 2; i++)
        weft_device_close(&both[i]); /* and cpu and gpu */
    weft_device_close(&processor);
    free(pixels);
}

static void test_forms_on(const char *name) {
    weft_device *named = NULL;
    weft_error error;
    if (weft_device_open(name, NULL, &named, &error) == WEFT_OK)
        test_forms(named, name);
    else
        printf("%s left out: %s\n", name, error.message);
    weft_device_close(&named);
}

int main(int argc, char **argv) {
    if (argc > 1) {
        test_forms_on(argv[1]);
        return check_done("auto");
    }
    test_forms_on("reference");
    test_forms_on("cuda");
    test_forms_on("vulkan");
    test_estimate();
    test_work();
    test_measures();
    test_device();
    test_auto();
    return check_done("auto");
}
