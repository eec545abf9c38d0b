/* SPDX-License-Identifier: MIT
 * The guided filter of images of bytes and of floats by themselves, on GPUs, against its formula in double precision: each count of
 * channels, grey and channels as the guide, radii up to the largest of these kernels, windows larger than the image, images
 * narrower and wider than a block, rows that do not begin at multiples of 8 bytes, and into floats; in two passes, and with so
 * little memory that it takes bands. What is not finite, or very large, spreads no further than windows of windows.
 * test_gpu_guided [DEVICE] */
#include <inttypes.h>
#include <math.h>
#include "gpu_devices.h"
#include "run_graph.h"

static const struct { int width, height; } shapes[] = {{1, 1}, {7, 5}, {64, 40}, {283, 90}, {1000, 21}};
static const struct {
    int radius;
    double eps;
} windows[] = {{1, 0.0005}, {3, 0.01}, {4, 0.0001}, {8, 0.02}, {13, 0.001}, {32, 0.0002}};
static const int channels[] = {1, 3, 4};
#define COUNT(list) (sizeof(list) / sizeof *(list))

/* Soft shapes with hard edges, and noise. */
static unsigned char *picture_of(int width, int height, int planes) {
    unsigned char *pixels = malloc((size_t)width * (size_t)height * (size_t)planes);
    uint32_t state = 7;
    for (int i = 0; pixels && i < width * height * planes; i++) {
        int x = i / planes % width, y = i / planes / width, k = i % planes;
        double soft = 110 + 70 * sin(x * 0.09 + k) * cos(y * 0.13), edge = (x / 23 + y / 17 + k) % 3 == 0 ? 60 : 0;
        state = state * 1664525 + 1013904223;
        double v = soft + edge + (double)(state >> 24) * 0.05;
        pixels[i] = (unsigned char)(v < 0 ? 0 : v > 255 ? 255 : v);
    }
    return pixels;
}

/* Means over windows, of pixels that are there. */
static void means(const double *in, int width, int height, int radius, double *along, double *out) {
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int from = x - radius < 0 ? 0 : x - radius, end = x + radius >= width ? width : x + radius + 1;
            double sum = 0;
            for (int i = from; i < end; i++)
                sum += in[y * width + i];
            along[y * width + x] = sum / (end - from);
        }
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int from = y - radius < 0 ? 0 : y - radius, end = y + radius >= height ? height : y + radius + 1;
            double sum = 0;
            for (int i = from; i < end; i++)
                sum += along[i * width + x];
            out[y * width + x] = sum / (end - from);
        }
}
/* He, Sun and Tang's equations 5, 6 and 8 for plane k, which becomes 0 to 1. A fourth plane is no color: its mean of means. */
static bool formula(const double *pixels, int width, int height, int planes, int k, bool grey, int radius, double eps,
                    double *out) {
    size_t n = (size_t)width * (size_t)height;
    double *room = malloc(8 * n * sizeof *room), *p = room, *g = room + n, *mean_p = room + 2 * n, *mean_g = room + 3 * n,
           *a = room + 4 * n, *b = room + 5 * n, *mean = room + 6 * n, *along = room + 7 * n;
    for (size_t i = 0; room && i < n; i++) {
        const double *v = pixels + i * (size_t)planes;
        p[i] = v[k];
        g[i] = grey && planes > 1 ? 0.2125 * v[0] + 0.7154 * v[1] + 0.0721 * v[2] : p[i];
        a[i] = p[i] * g[i], b[i] = g[i] * g[i];
    }
    if (!room)
        return false;
    means(p, width, height, radius, along, mean_p);
    means(g, width, height, radius, along, mean_g);
    means(a, width, height, radius, along, mean), memcpy(a, mean, n * sizeof *a);
    means(b, width, height, radius, along, mean), memcpy(b, mean, n * sizeof *b);
    for (size_t i = 0; i < n; i++) {
        a[i] = (a[i] - mean_p[i] * mean_g[i]) / (b[i] - mean_g[i] * mean_g[i] + eps);
        b[i] = mean_p[i] - a[i] * mean_g[i];
    }
    means(k == 3 ? mean_p : a, width, height, radius, along, out);
    means(b, width, height, radius, along, mean);
    for (size_t i = 0; k < 3 && i < n; i++)
        out[i] = out[i] * g[i] + mean[i];
    free(room);
    return true;
}

/* Pixels that are not as the others, in all channels; the first two are not finite. */
static const struct {
    int x, y;
    double value;
} spots[] = {{5, 7, NAN}, {150, 40, INFINITY}, {203, 20, -3000}, {251, 66, 1e9}, {280, 1, 30000}};
/* The spot in whose windows' windows the pixel is, -1 without. */
static int spot_near(int x, int y, int radius) {
    for (int i = 0; i < (int)COUNT(spots); i++)
        if (abs(x - spots[i].x) <= 2 * radius && abs(y - spots[i].y) <= 2 * radius)
            return i;
    return -1;
}

struct form {
    int planes;
    bool grey, floats; /* the guide; the result */
    bool of_floats, spots; /* the image */
};
/* Whether a value is what must come out near pixel i. */
static bool is_right(double value, double expected, int i, int width, int radius, const struct form *form) {
    int spot = form->spots ? spot_near(i % width, i / width, radius) : -1;
    double limited = expected < 0 ? 0 : expected > 1 ? 1 : expected;
    if (spot >= 0)
        return isfinite(spots[spot].value) || !isfinite(value); /* how large is not asked */
    double most = !form->floats ? 0.8 / 255 : form->of_floats ? 4e-4 : 0.0016;
    return fabs(value - (form->floats ? expected : limited)) <= most;
}

static void try_case(weft_device *device, int shape, int window, struct form form) {
    int width = shapes[shape].width, height = shapes[shape].height, radius = windows[window].radius, planes = form.planes;
    weft_image_info info = {.width = width, .height = height, .alpha = WEFT_ALPHA_NONE}, made = {0};
    size_t n = (size_t)width * (size_t)height, numbers = n * (size_t)planes, wrong = 0;
    char text[80];
    if (!has_turn())
        return;
    info.format = (weft_format){form.of_floats ? WEFT_F32 : WEFT_U8, planes};
    snprintf(text, sizeof text, "split[a][b];[a][b]guided_filter=%d:%g:%s", radius, windows[window].eps,
             form.grey ? "grey" : "channels");
    unsigned char *pixels = picture_of(width, height, planes);
    double *expected = malloc(n * sizeof *expected), *exact = malloc(numbers * sizeof *exact);
    float *given = malloc(numbers * sizeof *given);
    for (size_t i = 0; pixels && exact && given && i < numbers; i++) {
        exact[i] = pixels[i] / 255.0;
        given[i] = (float)exact[i];
    }
    for (size_t s = 0; given && form.spots && s < COUNT(spots); s++)
        for (int k = 0; k < planes; k++)
            given[(spots[s].y * width + spots[s].x) * planes + k] = (float)spots[s].value;
    void *input = form.of_floats ? (void *)given : pixels;
    void *got = pixels && exact && given
                    ? run_graph(device, text, &info, (void *[]){input}, 1, form.floats ? WEFT_F32 : WEFT_U8, &made)
                    : NULL;
    for (int k = 0; got && expected && k < planes; k++) {
        CHECK(formula(exact, width, height, planes, k, form.grey, radius, windows[window].eps, expected));
        for (size_t i = 0; i < n; i++) {
            size_t at = i * (size_t)planes + (size_t)k;
            double value = form.floats ? (double)((const float *)got)[at] : ((const unsigned char *)got)[at] / 255.0;
            if (!is_right(value, expected[i], (int)i, width, radius, &form) && wrong++ == 0)
                fprintf(stderr, "%s, %dx%d of %d%s: %g for %g at %zu\n", text, width, height, planes,
                        form.of_floats ? " floats" : "", value, expected[i], at);
        }
    }
    CHECK(got && expected && wrong == 0);
    free(pixels);
    free(exact);
    free(given);
    free(expected);
    free(got);
}

/* Runs a plan of two passes on a device that has so many bytes, 0: all; the bands that it takes, 0 where it fails. */
static double run_in(const char *name, uint64_t memory, const weft_image_info *info, void *pixels, void *made) {
    static const char text[] = "guided_smooth=5:0.001";
    weft_device *device = NULL;
    weft_graph *graph = NULL;
    weft_plan *plan = NULL;
    weft_error error = {0};
    weft_device_options device_options = {.memory_limit = memory};
    weft_plan_options options = {.inputs = info, .input_count = 1};
    ptrdiff_t stride = (ptrdiff_t)(info->width * info->format.channels * (info->format.type == WEFT_F32 ? 4 : 1));
    weft_run_input input = {.image = {.info = *info, .data = pixels, .stride = stride}};
    weft_run_output output = {.image = {.info = *info, .data = made, .stride = stride}};
    weft_run run = {.inputs = &input, .input_count = 1, .outputs = &output, .output_count = 1};
    bool ok = weft_device_open(name, &device_options, &device, &error) == WEFT_OK &&
              weft_graph_parse(text, strlen(text), &graph, &error) == WEFT_OK &&
              weft_plan_create(device, graph, &options, &plan, &error) == WEFT_OK && weft_plan_run(plan, &run, &error) == WEFT_OK;
    char *json = NULL;
    if (!ok)
        fprintf(stderr, "%s\n", error.message);
    CHECK(ok && weft_plan_passes(plan) == 2 && weft_plan_print(plan, WEFT_PLAN_JSON, &json, &error) == WEFT_OK);
    const char *bands = json ? strstr(json, "\"bands\": ") : NULL;
    double count = bands ? strtod(bands + 9, NULL) : 0;
    weft_free(json);
    weft_plan_destroy(&plan);
    weft_graph_destroy(&graph);
    weft_device_close(&device);
    return count;
}

static void try_bands(const char *name, bool floats) {
    weft_image_info info = {.width = 211, .height = 400, .format = {floats ? WEFT_F32 : WEFT_U8, 3}, .alpha = WEFT_ALPHA_NONE};
    size_t n = (size_t)(info.width * info.height * 3), wrong = 0;
    unsigned char *pixels = picture_of((int)info.width, (int)info.height, 3);
    float *given = malloc(n * sizeof *given), *whole = malloc(n * sizeof *whole), *banded = malloc(n * sizeof *banded);
    if (has_turn() && CHECK(pixels && given && whole && banded)) {
        for (size_t i = 0; i < n; i++)
            given[i] = (float)pixels[i] / 255;
        void *input = floats ? (void *)given : pixels;
        CHECK(run_in(name, 0, &info, input, whole) == 1);
        CHECK(run_in(name, floats ? 4000000 : 900000, &info, input, banded) > 1);
        for (size_t i = 0; i < n; i++) /* sums of floats begin elsewhere, and may be rounded the other way */
            wrong += floats ? !(fabsf(whole[i] - banded[i]) <= 1e-5f)
                            : ((unsigned char *)whole)[i] != ((unsigned char *)banded)[i];
        CHECK(wrong == 0);
    }
    free(pixels);
    free(given);
    free(whole);
    free(banded);
}

static void try_gpu(weft_device *device, const char *name) {
    bool software = is_software(device); /* compiles long for each count of channels */
    try_bands(name, false);
    try_bands(name, true);
    for (size_t s = 0; s < COUNT(shapes); s++)
        for (size_t w = 0; w < COUNT(windows); w++)
            for (size_t c = 0; c < COUNT(channels); c++)
                for (int i = 0; i < 8; i++)
                    if (!software || (s + w) % 3 == 0)
                        try_case(device, (int)s, (int)w, (struct form){channels[c], i % 2 == 0, i / 2 % 2 == 1, i / 4 == 1, false});
    for (size_t w = 0; w < COUNT(windows); w++)
        for (size_t c = 0; c < COUNT(channels); c++)
            try_case(device, 3, (int)w, (struct form){channels[c], w % 2 == 0, true, true, true});
}

int main(int argc, char **argv) { return check_gpus("test_gpu_guided", argc, argv, try_gpu); }
