/* SPDX-License-Identifier: MIT
 * Graphs of many reductions of parts of an image, which the processor takes in groups, against sums that are made here:
 * of parts of any size, that overlap, by one, two and three threads, with images in memory. */
#include <stdio.h>
#include <string.h>
#include "check.h"
#include "weft/weft.h"

enum { WIDTH = 97, HEIGHT = 61, PARTS = 31, BINS = 256 };

static unsigned char pixels[HEIGHT][WIDTH];
static struct part {
    int x, y, width, height;
} parts[PARTS];

static const char *const filters[] = {"histogram", "reduce=max", "reduce=sum"};

static void expect(const struct part *part, const char *filter, double *numbers) {
    memset(numbers, 0, BINS * sizeof *numbers);
    for (int y = part->y; y < part->y + part->height; y++)
        for (int x = part->x; x < part->x + part->width; x++) {
            const unsigned char value = pixels[y][x];
            if (filter == filters[0])
                numbers[value]++;
            else if (filter == filters[2])
                numbers[0] += value;
            else
                numbers[0] = value > numbers[0] ? value : numbers[0];
        }
    if (filter != filters[0])
        numbers[0] /= 255;
}

/* Every part by a filter of its own; where `shared`, of what a filter makes for all of them, so that none can be taken by
 * itself. */
static void write_graph(char *text, size_t size, bool shared) {
    size_t length = (size_t)snprintf(text, size, "%ssplit", shared ? "invert,invert," : "");
    for (int i = 0; i < PARTS; i++)
        length += (size_t)snprintf(text + length, size - length, "[a%d]", i);
    for (int i = 0; i < PARTS; i++) {
        const struct part *p = &parts[i];
        length += (size_t)snprintf(text + length, size - length, ";[a%d]crop=%d:%d:%d:%d,%s[o%d]", i, p->x, p->y, p->width,
                                   p->height, filters[i % 3], i);
    }
}

static void test_threads(int32_t threads, bool shared) {
    static char text[8192];
    static double made[PARTS][BINS], expected[BINS];
    const weft_image_info info = {.width = WIDTH, .height = HEIGHT, .format = {WEFT_U8, 1}};
    weft_run_input input = {.image = {.info = info, .data = pixels, .stride = WIDTH}};
    weft_run_output outputs[PARTS] = {0};
    weft_plan_options options = {.inputs = &info, .input_count = 1};
    weft_device *device = NULL;
    weft_graph *graph = NULL;
    weft_plan *plan = NULL;
    weft_error error = {0};
    char *explained = NULL;
    write_graph(text, sizeof text, shared);
    bool ok = weft_device_open("cpu", &(weft_device_options){.threads = threads}, &device, &error) == WEFT_OK &&
              weft_graph_parse(text, strlen(text), &graph, &error) == WEFT_OK &&
              weft_plan_create(device, graph, &options, &plan, &error) == WEFT_OK &&
              weft_plan_print(plan, WEFT_PLAN_TEXT, &explained, &error) == WEFT_OK;
    for (int i = 0; ok && i < PARTS; i++) {
        ok = weft_plan_output_info(plan, i, &outputs[i].image.info, &error) == WEFT_OK;
        outputs[i].image.data = made[i];
        outputs[i].image.stride = (ptrdiff_t)(outputs[i].image.info.width * (int64_t)sizeof(double));
    }
    const weft_run run = {.inputs = &input, .input_count = 1, .outputs = outputs, .output_count = PARTS};
    if (!CHECK(ok && weft_plan_run(plan, &run, &error) == WEFT_OK))
        fprintf(stderr, "%s\n", error.message);
    CHECK(explained && (strstr(explained, "groups of reductions") != NULL) == !shared);
    for (int i = 0; i < PARTS; i++) {
        const int count = i % 3 == 0 ? BINS : 1;
        const double off = shared && i % 3 ? 1e-6 : 1e-12; /* what all share is in float */
        bool same = true;
        expect(&parts[i], filters[i % 3], expected);
        for (int k = 0; k < count; k++)
            same = same && made[i][k] >= expected[k] * (1 - off) && made[i][k] <= expected[k] * (1 + off);
        CHECK(same);
    }
    weft_free(explained);
    weft_plan_destroy(&plan);
    weft_graph_destroy(&graph);
    weft_device_close(&device);
}

int main(void) {
    unsigned seed = 5;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        seed = seed * 1664525 + 1013904223;
        (&pixels[0][0])[i] = (unsigned char)(seed >> 24);
    }
    for (int i = 0; i < PARTS; i++) {
        seed = seed * 1664525 + 1013904223;
        struct part *p = &parts[i];
        *p = (struct part){.x = (int)(seed >> 8) % WIDTH, .y = (int)(seed >> 16) % HEIGHT};
        p->width = 1 + (int)(seed >> 4 & 0xffff) % (WIDTH - p->x);
        p->height = 1 + (int)(seed >> 12 & 0xffff) % (HEIGHT - p->y);
    }
    for (int32_t threads = 1; threads <= 3; threads++)
        for (int shared = 0; shared < 2; shared++)
            test_threads(threads, shared);
    return check_done("reductions");
}
