/* SPDX-License-Identifier: MIT
 * Wide boxes of numbers that are not whole on GPUs against sums in double precision: every border, floats and half floats, sizes
 * around what blocks make, one infinite pixel; and the same bits in bands. test_gpu_box_numbers [DEVICE] */
#include <math.h>
#include "edges.h"
#include "gpu_devices.h"
#include "run_graph.h"

static const struct { int x, y; } radii[] = {{20, 20}, {7, 31}, {64, 40}, {33, 8}, {255, 55}, {90, 127}, {23, 24}, {20, 17}};
static const struct { int width, height; } sizes[] = {{1, 130}, {37, 57}, {301, 139}, {2100, 130}, {150, 400}, {40, 67}, {33, 76}};
static const int channels_of[] = {1, 3, 4};
enum { RADII = sizeof radii / sizeof *radii, SIZES = sizeof sizes / sizeof *sizes };
#define OUTSIDE 0.75

static double number_of_half(uint16_t bits) {
    int exponent = bits >> 10 & 31;
    double v = exponent > 0 ? ldexp(1024 + (bits & 1023), exponent - 25) : ldexp(bits & 1023, -24);
    return exponent == 31 ? ((bits & 1023) ? (double)NAN : (double)INFINITY) : v;
}

/* Windows' sums along a line of n numbers `apart` from each other; `outside` stands for what is none. */
static void sum_line(const double *from, double *to, int n, int apart, int radius, enum border border, double outside) {
    for (int x = 0; x < n; x++) {
        double sum = 0;
        for (int u = x - radius; u <= x + radius; u++) {
            int at = place_of(u, n, border);
            sum += at >= 0 ? from[at * apart] : border == CONSTANT ? outside : 0;
        }
        to[x * apart] = sum;
    }
}
static int inside(int at, int n, int radius) {
    int first = at - radius < 0 ? 0 : at - radius, last = at + radius > n - 1 ? n - 1 : at + radius;
    return last - first + 1;
}

struct trial {
    weft_image_info info;
    size_t count;
    unsigned char *pixels;
    double *numbers, *along, *sums;
};
/* Halves of 0 to 1, each a 1024th or, some, tiny; and floats. */
static bool draw(struct trial *trial, uint32_t state) {
    trial->count = (size_t)(trial->info.width * trial->info.height * trial->info.format.channels);
    trial->pixels = malloc(trial->count * sizeof(float));
    trial->numbers = malloc(trial->count * sizeof(double));
    trial->along = malloc(trial->count * sizeof(double));
    trial->sums = malloc(trial->count * sizeof(double));
    for (size_t i = 0; trial->pixels && trial->numbers && i < trial->count; i++) {
        state = state * 1664525 + 1013904223;
        if (trial->info.format.type == WEFT_F32) {
            float v = (float)((state >> 8) / 16777216.0 * (i % 5 == 0 ? 1e-6 : 1));
            ((float *)(void *)trial->pixels)[i] = v;
            trial->numbers[i] = (double)v;
        } else {
            uint16_t half = (uint16_t)(state >> 16) % 0x3c01;
            ((uint16_t *)(void *)trial->pixels)[i] = half;
            trial->numbers[i] = number_of_half(half);
        }
    }
    return trial->pixels && trial->numbers && trial->along && trial->sums;
}
static void drop(struct trial *trial) {
    free(trial->pixels);
    free(trial->numbers);
    free(trial->along);
    free(trial->sums);
}

static void try_case(weft_device *device, int rx, int ry, weft_format format, enum border border, int width, int height) {
    if (!has_turn())
        return;
    struct trial trial = {.info = {.width = width, .height = height, .format = format, .alpha = WEFT_ALPHA_NONE}};
    char text[160];
    int channels = format.channels, wrong = 0;
    snprintf(text, sizeof text, "box=%d:%d:border=%s:border_value=%g", rx, ry, borders[border], OUTSIDE);
    bool drawn = draw(&trial, (uint32_t)(rx + 7 * ry + width));
    void *out = drawn ? run_graph(device, text, &trial.info, (void *[]){trial.pixels}, 1, format.type, NULL) : NULL;
    for (int y = 0; out && y < height; y++)
        for (int c = 0; c < channels; c++)
            sum_line(trial.numbers + y * width * channels + c, trial.along + y * width * channels + c, width, channels, rx,
                     border, OUTSIDE);
    for (int i = 0; out && i < width * channels; i++)
        sum_line(trial.along + i, trial.sums + i, height, width * channels, ry, border, OUTSIDE * (2 * rx + 1));
    for (int i = 0; out && i < height * width * channels; i++) {
        int x = i / channels % width, y = i / channels / width, pixels = (2 * rx + 1) * (2 * ry + 1);
        double expected = trial.sums[i] / (border == SHRINK ? inside(x, width, rx) * inside(y, height, ry) : pixels);
        double found = format.type == WEFT_F32 ? (double)((float *)out)[i] : number_of_half(((uint16_t *)out)[i]);
        double spacing = format.type == WEFT_F16 ? ldexp(1, ilogb(fmax(expected, 1e-4)) - 11) : 0;
        if (!(fabs(found - expected) <= 1e-6 + spacing) && wrong++ == 0)
            fprintf(stderr, "%s, %dx%d, type %d, %d channels: channel %d at %d, %d is %.9g, not %.9g\n", text, width, height,
                    (int)format.type, channels, i % channels, x, y, found, expected);
    }
    CHECK(out && wrong == 0);
    free(out);
    drop(&trial);
}

/* One pixel that is infinite: its windows are, and nothing else. */
static void try_infinite(weft_device *device, int radius, weft_format format, const char *border, float odd) {
    if (!has_turn())
        return;
    enum { WIDTH = 190, HEIGHT = 150, AT_X = 81, AT_Y = 70 };
    struct trial trial = {.info = {.width = WIDTH, .height = HEIGHT, .format = format, .alpha = WEFT_ALPHA_NONE}};
    int channels = format.channels, at = (AT_Y * WIDTH + AT_X) * channels, wrong = 0;
    char text[80];
    snprintf(text, sizeof text, "box=%d:border=%s", radius, border);
    bool drawn = draw(&trial, (uint32_t)radius);
    if (drawn && format.type == WEFT_F32)
        ((float *)(void *)trial.pixels)[at] = odd;
    else if (drawn)
        ((uint16_t *)(void *)trial.pixels)[at] = isnan(odd) ? 0x7e00 : 0x7c00;
    void *out = drawn ? run_graph(device, text, &trial.info, (void *[]){trial.pixels}, 1, format.type, NULL) : NULL;
    for (int i = 0; out && i < WIDTH * HEIGHT * channels; i++) {
        int x = i / channels % WIDTH, y = i / channels / WIDTH;
        bool sees = i % channels == 0 && abs(x - AT_X) <= radius && abs(y - AT_Y) <= radius;
        double v = format.type == WEFT_F32 ? (double)((float *)out)[i] : number_of_half(((uint16_t *)out)[i]);
        wrong += !(!sees ? isfinite(v) : isnan(odd) ? isnan(v) : isinf(v));
    }
    if (!CHECK(out && wrong == 0))
        fprintf(stderr, "%s, type %d, %d channels: %d pixels\n", text, (int)format.type, channels, wrong);
    free(out);
    drop(&trial);
}

/* With so little memory that a plan runs in bands, which begin anywhere: the same bits. */
static void try_bands(const char *name, weft_device *device, const char *text, weft_format format) {
    if (!has_turn())
        return;
    struct trial trial = {.info = {.width = 211, .height = 700, .format = format, .alpha = WEFT_ALPHA_NONE}};
    size_t bytes = (size_t)(211 * 700) * weft_format_size(format);
    bool drawn = draw(&trial, 5);
    void *whole = drawn ? run_graph(device, text, &trial.info, (void *[]){trial.pixels}, 1, format.type, NULL) : NULL;
    for (int part = 0; whole && part < 3; part++) {
        static const double parts[] = {3, 2, 1.4}; /* of the image's bytes; all of it takes four to five */
        weft_device_options options = {.memory_limit =
                                           (uint64_t)(parts[part] * (double)bytes * (format.type == WEFT_F16 ? 1.5 : 1))};
        weft_device *small = NULL;
        weft_error error = {0};
        if (!CHECK(weft_device_open(name, &options, &small, &error) == WEFT_OK))
            break;
        void *got = run_graph(small, text, &trial.info, (void *[]){trial.pixels}, 1, format.type, NULL);
        if (!CHECK(got && memcmp(got, whole, bytes) == 0))
            fprintf(stderr, "%s, type %d, in bands of %g\n", text, (int)format.type, parts[part]);
        free(got);
        weft_device_close(&small);
    }
    CHECK(whole != NULL);
    free(whole);
    drop(&trial);
}

static void try_gpu(weft_device *device, const char *name) {
    for (int n = 0; n < RADII * BORDERS; n++)
        for (int s = 0; s < SIZES; s++) {
            int rx = radii[n / BORDERS].x, ry = radii[n / BORDERS].y;
            weft_format format = {(n + s) % 2 ? WEFT_F32 : WEFT_F16, channels_of[(n / 2 + s) % 3]};
            if (ry < sizes[s].height)
                try_case(device, rx, ry, format, (enum border)(n % BORDERS), sizes[s].width, sizes[s].height);
        }
    for (int n = 0; n < 6; n++) {
        weft_format format = {n % 2 ? WEFT_F16 : WEFT_F32, channels_of[n % 3]};
        try_infinite(device, 24 + 5 * n, format, borders[n], INFINITY);
        try_infinite(device, 41 - 3 * n, format, borders[n], NAN);
        if (n % 2 == 0)
            try_infinite(device, 30, format, borders[n], -INFINITY);
    }
    try_bands(name, device, "box=40", (weft_format){WEFT_F32, 1});
    try_bands(name, device, "box=25:border=replicate", (weft_format){WEFT_F16, 4});
    try_bands(name, device, "box=30:21:border=symmetric", (weft_format){WEFT_F32, 3});
    try_bands(name, device, "box=64:33:border=shrink", (weft_format){WEFT_F16, 3});
}

int main(int argc, char **argv) { return check_gpus("test_gpu_box_numbers", argc, argv, try_gpu); }
