/* SPDX-License-Identifier: MIT
 * Images that are larger than caches: what is written to them goes another way, and must be what a sink gets row by
 * row. */
#include <math.h>
#include "run_graph.h"

/* Rows that begin in the middle of a cache's line, and images beyond 4 MB. */
enum { WIDTH = 2411, HEIGHT = 1749 };

static const char *const graphs[] = {"brightness=0.1",
                                     "invert,saturation=1.5",
                                     "sepia",
                                     "gamma=0.8,hue_rotate=90",
                                     "luminance_threshold",
                                     "contrast=2,luminance_threshold=0.3",
                                     "split[a][b];[a][b]blend_multiply",
                                     "sobel",
                                     "sobel=x",
                                     "convolve3x3=0|-1|0|-1|5|-1|0|-1|0",
                                     "gaussian=0.4:radius=1",
                                     "gaussian=1.3:radius=4",
                                     "gaussian=2:border=wrap",
                                     "gaussian=2:border=shrink",
                                     "gaussian=3:border=constant",
                                     "gaussian=40",
                                     "box=1",
                                     "box=9",
                                     "dilate=1",
                                     "erode=2",
                                     "dilate=20",
                                     "median=1",
                                     "median=2",
                                     "median=4",
                                     "resize=scale=2",
                                     "resize=scale=0.5:method=area",
                                     "flip",
                                     "transpose",
                                     "crop=width=2300:height=1700",
                                     "swirl",
                                     "canny"};

struct rows {
    unsigned char *pixels;
    size_t bytes;
    int64_t next;
};

static weft_status take(void *user, int64_t y, int64_t count, const void *rows, ptrdiff_t stride, weft_error *error) {
    struct rows *to = user;
    (void)error;
    CHECK(y == to->next);
    for (int64_t i = 0; i < count; i++)
        memcpy(to->pixels + (size_t)(y + i) * to->bytes, (const char *)rows + i * stride, to->bytes);
    to->next = y + count;
    return WEFT_OK;
}

static void both_ways(weft_device *device, const char *text, const weft_image_info *info, void *pixels) {
    weft_graph *graph = NULL;
    weft_plan *plan = NULL;
    weft_error error = {0};
    weft_image_info out;
    weft_plan_options options = {.inputs = info, .input_count = 1};
    weft_run_input input = {.image = {.info = *info,
                                      .data = pixels,
                                      .stride = (ptrdiff_t)info->width * (ptrdiff_t)weft_format_size(info->format)}};
    size_t size = 0;
    unsigned char *made = NULL, *expected = NULL;
    bool ok = weft_graph_parse(text, strlen(text), &graph, &error) == WEFT_OK &&
              weft_plan_create(device, graph, &options, &plan, &error) == WEFT_OK &&
              weft_plan_output_info(plan, 0, &out, &error) == WEFT_OK &&
              weft_image_size(&out, &size, &error) == WEFT_OK;
    /* A pixel more in front, so that rows lie on no line of a cache. */
    size_t pixel = ok ? weft_format_size(out.format) : 0, row = ok ? size / (size_t)out.height : 0;
    if (ok) {
        made = malloc(size + pixel);
        expected = malloc(size);
    }
    if (CHECK(ok && made && expected)) {
        struct rows to = {expected, row, 0};
        weft_run_output image = {.image = {.info = out, .data = made + pixel, .stride = (ptrdiff_t)row}};
        weft_run_output sink = {.sink = {take, &to}};
        weft_run run = {.inputs = &input, .input_count = 1, .outputs = &image, .output_count = 1};
        CHECK(weft_plan_run(plan, &run, &error) == WEFT_OK);
        run.outputs = &sink;
        CHECK(weft_plan_run(plan, &run, &error) == WEFT_OK && to.next == out.height);
        if (!CHECK(memcmp(made + pixel, expected, size) == 0))
            fprintf(stderr, "%s of %dx%s\n", text, (int)info->format.channels, weft_type_name(info->format.type));
    } else {
        fprintf(stderr, "%s: %s\n", text, error.message);
    }
    free(made);
    free(expected);
    weft_plan_destroy(&plan);
    weft_graph_destroy(&graph);
}

static void test_large(weft_device *device) {
    static const weft_format formats[] = {{WEFT_U8, 1}, {WEFT_U8, 3}, {WEFT_U8, 4}, {WEFT_U16, 1}, {WEFT_F32, 1}};
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
        weft_image_info info = {.width = WIDTH, .height = HEIGHT, .format = formats[f]};
        size_t count = (size_t)WIDTH * HEIGHT * (size_t)formats[f].channels;
        info.alpha = formats[f].channels == 4 ? WEFT_ALPHA_STRAIGHT : WEFT_ALPHA_NONE;
        unsigned char *pixels = malloc(count * weft_type_size(formats[f].type));
        uint32_t state = 1;
        for (size_t i = 0; pixels && i < count; i++) {
            state = state * 1664525u + 1013904223u;
            if (formats[f].type == WEFT_U8)
                pixels[i] = (unsigned char)(state >> 24);
            else if (formats[f].type == WEFT_U16)
                ((uint16_t *)(void *)pixels)[i] = (uint16_t)(state >> 16);
            else
                ((float *)(void *)pixels)[i] = (float)(state >> 8) / 16777216.0f;
        }
        for (size_t g = 0; CHECK(pixels) && g < sizeof graphs / sizeof *graphs; g++)
            both_ways(device, graphs[g], &info, pixels);
        free(pixels);
    }
}

/* A jump is found by asking for results of finite numbers, of infinities and of none. */
static void test_jumps(weft_device *device) {
    static const float rare[] = {0.0f, -0.0f, 1e-42f, -1e-42f, 0.25f, -1.0f, 3e38f, -3e38f, INFINITY, -INFINITY, NAN};
    weft_image_info info = {.width = WIDTH, .height = HEIGHT, .format = {WEFT_F32, 1}};
    float *pixels = malloc((size_t)WIDTH * HEIGHT * sizeof *pixels);
    for (size_t i = 0; pixels && i < (size_t)WIDTH * HEIGHT; i++)
        pixels[i] = i % 3 ? (float)(i % 1000) / 1000.0f : rare[i / 3 % (sizeof rare / sizeof *rare)];
    if (CHECK(pixels)) {
        both_ways(device, "luminance_threshold=0.25", &info, pixels);
        both_ways(device, "luminance_threshold=0", &info, pixels);
        both_ways(device, "luminance_threshold=1", &info, pixels);
    }
    free(pixels);
}

/* More pixels than floats count one by one: one pixel is black, one white. */
static void test_levels(weft_device *device) {
    enum { COLUMNS = 6000, ROWS = 4000, BLACK = 3, WHITE = 129 };
    unsigned char *pixels = malloc((size_t)COLUMNS * ROWS);
    size_t wrong = 0;
    if (!CHECK(pixels))
        return;
    for (size_t i = 0; i < (size_t)COLUMNS * ROWS; i++)
        pixels[i] = (unsigned char)(BLACK + 3 + i * 7 % (WHITE - BLACK - 6));
    pixels[1234567] = BLACK, pixels[7654321] = WHITE;
    unsigned char *out = run_bytes(device, "auto_levels=0", COLUMNS, ROWS, pixels);
    for (size_t i = 0; out && i < (size_t)COLUMNS * ROWS; i++)
        wrong += fabs(out[i] - 255.0 * (pixels[i] - BLACK) / (WHITE - BLACK)) > 0.6;
    CHECK(out && wrong == 0);
    free(out);
    free(pixels);
}

/* As scikit-image's match_histograms: between the levels that occur, linearly by their shares. */
static void matching(const double *first, const double *second, double *levels) {
    double all = 0, all_second = 0, share = 0;
    for (int i = 0; i < 256; i++)
        all += first[i], all_second += second[i];
    for (int k = 0; k < 256; k++) {
        double reached = 0, before = 0, low = -1;
        share += first[k] / all;
        for (int i = 0; i < 256; i++) {
            if (second[i] == 0)
                continue;
            reached += second[i] / all_second;
            levels[k] = low < 0 || reached <= before ? i : low + (i - low) * fmin(1, (share - before) / (reached - before));
            if (reached >= share - 1e-13)
                break;
            before = reached, low = i;
        }
    }
}

/* Levels of one pixel each among millions: dark ones, bright ones, and some in the middle. */
static void rare_levels(unsigned char *pixels, size_t count, unsigned first, unsigned step, double *counts) {
    for (size_t i = 0; i < count; i++)
        pixels[i] = (unsigned char)(i * 3 < count ? 40 : 200);
    for (unsigned i = 0, level = first; level < 256; i++, level += step)
        pixels[i * 1999 + 77] = (unsigned char)level;
    for (size_t i = 0; i < count; i++)
        counts[pixels[i]]++;
}

/* Counts of 600 megapixels: a few pixels in the middle are still levels of their own. */
static void test_many(weft_device *device) {
    static float ramp[4] = {0, 1.0f / 3, 2.0f / 3, 1}, counts[2][4] = {{3e8f, 3, 3e8f, 1}, {1, 3e8f, 3, 3e8f}};
    weft_image_info infos[2] = {{.width = 4, .height = 1, .format = {WEFT_F32, 1}},
                                {.width = 4, .height = 2, .format = {WEFT_F32, 1}}};
    float *out = run_graph(device, "match_table", infos, (void *[]){ramp, counts}, 2, 0, NULL);
    for (int k = 0; out && k < 4; k++)
        CHECK(fabs((double)out[k] - (double[]){1.0 / 3, 5.0 / 9, 1, 1}[k]) < 1e-6);
    free(out);
}

static void test_matching(weft_device *device) {
    enum { COLUMNS = 6000, ROWS = 4000 };
    for (int rows = ROWS; rows > 3000; rows -= 917) {
        weft_image_info infos[2] = {{.width = COLUMNS, .height = ROWS, .format = {WEFT_U8, 1}},
                                    {.width = COLUMNS, .height = rows, .format = {WEFT_U8, 1}}};
        unsigned char *first = malloc((size_t)COLUMNS * ROWS), *second = malloc((size_t)COLUMNS * ROWS), *out = NULL;
        double counts[2][256] = {{0}}, levels[256];
        size_t wrong = 0;
        if (CHECK(first && second)) {
            rare_levels(first, (size_t)COLUMNS * ROWS, 2, 7, counts[0]);
            rare_levels(second, (size_t)COLUMNS * (size_t)rows, 1, 5, counts[1]);
            matching(counts[0], counts[1], levels);
            out = run_graph(device, "[0][1]match_histogram", infos, (void *[]){first, second}, 2, 0, NULL);
        }
        for (size_t i = 0; out && i < (size_t)COLUMNS * ROWS; i++)
            wrong += fabs(out[i] - levels[first[i]]) > 0.51;
        if (!CHECK(out && wrong == 0))
            fprintf(stderr, "match_histogram by %d rows: %d pixels\n", rows, (int)wrong);
        free(first), free(second), free(out);
    }
}

int main(int argc, char **argv) {
    if (argc < 2) { /* others do not tell large images from small ones */
        weft_device *device = NULL;
        if (CHECK(weft_device_open("cpu", NULL, &device, NULL) == WEFT_OK))
            test_large(device), test_jumps(device), test_levels(device), test_many(device), test_matching(device);
        weft_device_close(&device);
        return check_done("large");
    }
    run_on_devices(argc, argv, test_large);
    return check_done("large");
}
